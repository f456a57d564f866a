// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which peer is asked for which chunk: each takes the next one when it has room for it, so that fast ones take more.
// When none is left to begin, a peer that has nothing to do also asks for one that another is slow to bring: at the end
// nobody waits for the slowest. Chunks of a lost peer go back. A peer is asked only for what it says that it has, which
// may grow, since it may be fetching the model itself.
//
// No network, no clock: times are given in. Threads: one.
#pragma once

#include "engine/cluster/time.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace constela::cluster {

class ChunkSchedule {
public:
    /// Peers that fetch the same chunk at the same time, at most.
    static constexpr std::size_t kCopies = 2;
    /// A chunk is slow to come when it takes more than twice as long as others did, and at least this.
    static constexpr Time kSlow = std::chrono::milliseconds(500);

    ChunkSchedule(std::span<const std::uint32_t> chunks, std::size_t peers);

    [[nodiscard]] bool finished() const { return wanted_.empty(); }
    [[nodiscard]] std::size_t left() const { return wanted_.size(); }
    /// Whether its bytes are still to come.
    [[nodiscard]] bool needs(std::uint32_t chunk) const;

    /// What a peer has, a mark for each chunk of the model.
    void set_held(std::size_t peer, std::vector<bool> chunks) { peers_[peer] = std::move(chunks); }
    /// Whether the peer has all that is still to come.
    [[nodiscard]] bool has_all(std::size_t peer) const;
    /// Chunks that are still to come and that none of these peers has.
    [[nodiscard]] std::size_t held_by_none(std::span<const std::size_t> peers) const;

    /// What this peer is to be asked for next, if anything.
    [[nodiscard]] std::optional<std::uint32_t> take(std::size_t peer, Time now);
    /// It brought the chunk, which is now in other hands (not yet known to be right). False when another was faster.
    [[nodiscard]] bool arrived(std::size_t peer, std::uint32_t chunk, Time now);
    /// The chunk is verified and stored.
    void stored(std::uint32_t chunk);
    /// What arrived was of no use: somebody else is to bring it.
    void spoiled(std::uint32_t chunk);
    /// The peer says that it has not got it after all.
    void lacks(std::size_t peer, std::uint32_t chunk);
    /// Nothing will come of what the peer was asked for.
    void lost(std::size_t peer);

private:
    struct State {
        std::map<std::size_t, Time> asked; ///< Which peers, and when.
        bool arrived = false;
        bool queued = true;
    };

    [[nodiscard]] bool has(std::size_t peer, std::uint32_t chunk) const
    {
        return chunk < peers_[peer].size() && peers_[peer][chunk];
    }
    void queue(std::uint32_t chunk, State& state);

    std::map<std::uint32_t, State> wanted_;
    std::deque<std::uint32_t> queue_;
    Time typical_{0};                      ///< From asking for a chunk to having it.
    std::vector<std::vector<bool>> peers_; ///< What each has.
};

} // namespace constela::cluster
