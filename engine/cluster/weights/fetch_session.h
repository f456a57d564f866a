// SPDX-License-Identifier: GPL-3.0-or-later
//
// Asks several peers at once for one thing after the other (a FetchTask): keeps each peer's credit filled, hands out
// what comes, notices who is lost, and gives up when nothing comes any more.
//
// Threads: one, the caller's.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/time.h"
#include "engine/cluster/weights/peer_connection.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace constela::cluster {

/// What is being fetched.
class FetchTask {
public:
    virtual ~FetchTask() = default;
    FetchTask(const FetchTask&) = delete;
    FetchTask& operator=(const FetchTask&) = delete;

    /// Called in each turn. An error ends the session.
    [[nodiscard]] virtual Result<bool> finished(Time now) = 0;
    /// What this peer, which has credit, is to be asked for next; called until there is nothing.
    [[nodiscard]] virtual std::optional<WeightRequest> next(std::size_t peer, Time now) = 0;
    virtual void on_arrival(std::size_t peer, const PeerConnection::Arrival& arrival, Time now) = 0;
    /// Nothing will come of what the peer was asked for.
    virtual void on_lost(std::size_t peer) = 0;
    /// Grows with what is achieved; when it stands still for too long, the session ends.
    [[nodiscard]] virtual std::uint64_t achieved() const = 0;
    /// The sentence for that: `waited` seconds, `peers` is who was asked.
    [[nodiscard]] virtual Error stuck(const std::string& peers, std::int64_t waited) const = 0;

protected:
    FetchTask() = default;
};

class FetchSession {
public:
    struct Options {
        Time patience = std::chrono::seconds(15);       ///< Without anything achieved.
        std::function<bool()> cancelled{};              ///< Asked about every 20 ms; may be empty.
        std::function<void(const Error&)> on_problem{}; ///< What went wrong with one peer while others go on.
        Error when_cancelled;                           ///< The sentence for that.
    };

    FetchSession(zmq::context_t& context, const KeyPair& own, const std::vector<WeightPeer>& peers, Options options);

    [[nodiscard]] Result<> run(FetchTask& task);

    [[nodiscard]] std::size_t peer_count() const { return peers_.size(); }
    [[nodiscard]] PeerConnection& peer(std::size_t index) { return *peers_[index]; }
    [[nodiscard]] const PeerConnection& peer(std::size_t index) const { return *peers_[index]; }
    /// Takes nothing more from a peer, and tells why.
    void refuse(std::size_t peer, FetchTask& task, Error reason);

private:
    void wait();
    void serve(std::size_t peer, FetchTask& task);
    void tell(const Error& problem) const;
    [[nodiscard]] Error stuck(const FetchTask& task) const;
    [[nodiscard]] bool all_refused() const;

    Options options_;
    SteadyClock clock_;
    std::vector<std::unique_ptr<PeerConnection>> peers_;
    std::vector<zmq::pollitem_t> items_;
};

} // namespace constela::cluster
