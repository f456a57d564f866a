// SPDX-License-Identifier: GPL-3.0-or-later
//
// The two things that are fetched: a model's manifest, and chunks of it.
//
// Threads: one; chunks are written by a thread of their own (chunk_writer.h).
#pragma once

#include "engine/cluster/weights/chunk_schedule.h"
#include "engine/cluster/weights/chunk_writer.h"
#include "engine/cluster/weights/fetch_session.h"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace constela::cluster {

/// Asks one peer after the other until one sends the list of chunks that has the asked hash.
class ManifestTask final : public FetchTask {
public:
    ManifestTask(FetchSession& session, const ContentHash& model, std::string name)
        : session_(session), model_(model), name_(std::move(name)), has_not_(session.peer_count(), false)
    {
    }

    [[nodiscard]] Manifest take() { return *std::move(manifest_); }

    [[nodiscard]] Result<bool> finished(Time now) override;
    [[nodiscard]] std::optional<WeightRequest> next(std::size_t peer, Time now) override;
    void on_arrival(std::size_t peer, const PeerConnection::Arrival& arrival, Time now) override;
    void on_lost(std::size_t peer) override;
    [[nodiscard]] std::uint64_t achieved() const override { return arrived_; }
    [[nodiscard]] Error stuck(const std::string& peers, std::int64_t waited) const override;

private:
    void begin_anew();
    void complete(std::size_t peer);

    FetchSession& session_;
    ContentHash model_;
    std::string name_;
    std::optional<std::size_t> from_; ///< Who is asked now.
    std::vector<bool> has_not_;       ///< Who said so.
    std::optional<std::uint64_t> total_;
    std::uint64_t asked_ = 0; ///< Bytes, from the start.
    std::uint64_t here_ = 0;  ///< Bytes, of those.
    std::string bytes_;
    std::uint64_t arrived_ = 0; ///< Of all tries.
    std::optional<Manifest> manifest_;
};

/// Fetches chunks from whoever has them.
class ChunkTask final : public FetchTask {
public:
    using OnProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

    ChunkTask(FetchSession& session, std::shared_ptr<CachedModel> model, std::span<const std::uint32_t> chunks,
              std::string name, OnProgress on_progress);

    [[nodiscard]] Result<bool> finished(Time now) override;
    [[nodiscard]] std::optional<WeightRequest> next(std::size_t peer, Time now) override;
    void on_arrival(std::size_t peer, const PeerConnection::Arrival& arrival, Time now) override;
    void on_lost(std::size_t peer) override;
    [[nodiscard]] std::uint64_t achieved() const override { return done_bytes_ + pieces_; }
    [[nodiscard]] Error stuck(const std::string& peers, std::int64_t waited) const override;

private:
    /// A chunk on its way from one peer.
    struct Flight {
        std::vector<std::byte> bytes;
        std::uint64_t asked = 0;
        std::uint64_t here = 0;
    };
    struct Peer {
        std::map<std::uint32_t, Flight> flights;
        std::optional<Time> held_asked; ///< When it was last asked what it has.
        Time idle_until{0};
    };

    [[nodiscard]] std::size_t in_memory() const;
    [[nodiscard]] std::optional<WeightRequest> piece_of(std::uint32_t chunk, Flight& flight) const;
    [[nodiscard]] bool wants_held(std::size_t peer, Time now);
    void take_held(std::size_t peer, const PeerConnection::Arrival& arrival);
    void take_piece(std::size_t peer, const PeerConnection::Arrival& arrival, Time now);
    [[nodiscard]] Result<> collect();

    FetchSession& session_;
    std::shared_ptr<CachedModel> model_;
    std::string name_;
    OnProgress on_progress_;
    ChunkSchedule schedule_;
    std::vector<Peer> peers_;
    std::uint64_t done_bytes_ = 0;
    std::uint64_t total_bytes_ = 0;
    std::uint64_t pieces_ = 0; ///< Arrived.
    ChunkWriter writer_;       ///< Last, so that it ends first.
};

} // namespace constela::cluster
