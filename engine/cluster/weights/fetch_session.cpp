// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/weights/fetch_session.h"

#include <algorithm>

namespace constela::cluster {

namespace {

using namespace std::chrono_literals;

/// How often it is looked whether to go on.
constexpr std::chrono::milliseconds kLook = 20ms;
/// Pieces taken from one peer before the others' turn.
constexpr int kPiecesATurn = 16;

} // namespace

FetchSession::FetchSession(zmq::context_t& context, const KeyPair& own, const std::vector<WeightPeer>& peers,
                           Options options)
    : options_(std::move(options))
{
    for (const WeightPeer& peer : peers) {
        auto connection = std::make_unique<PeerConnection>(context, own, peer);
        if (auto begun = connection->connect(); !begun) {
            tell(begun.error());
            connection->refuse(std::move(begun).error());
        }
        items_.push_back(connection->socket_item());
        items_.push_back(connection->events_item());
        peers_.push_back(std::move(connection));
    }
}

void FetchSession::tell(const Error& problem) const
{
    if (options_.on_problem) {
        options_.on_problem(problem);
    }
}

void FetchSession::refuse(std::size_t peer, FetchTask& task, Error reason)
{
    if (peers_[peer]->state() == PeerConnection::State::refused) {
        return;
    }
    tell(reason);
    peers_[peer]->refuse(std::move(reason));
    task.on_lost(peer);
}

bool FetchSession::all_refused() const
{
    return std::ranges::all_of(peers_,
                               [](const auto& peer) { return peer->state() == PeerConnection::State::refused; });
}

Error FetchSession::stuck(const FetchTask& task) const
{
    std::string names;
    const Error* only = nullptr;
    for (const auto& peer : peers_) {
        names += (names.empty() ? "" : ", ") + peer->peer().name;
        only = peer->reason() ? &*peer->reason() : only;
    }
    if (only != nullptr && (peers_.size() == 1 || all_refused())) {
        return *only; // says more
    }
    return task.stuck(names, std::chrono::duration_cast<std::chrono::seconds>(options_.patience).count());
}

void FetchSession::wait()
{
    zmq::poll(items_, kLook);
}

void FetchSession::serve(std::size_t index, FetchTask& task)
{
    PeerConnection& peer = *peers_[index];
    if (peer.lost(clock_.now())) {
        task.on_lost(index);
    }
    for (int piece = 0; piece < kPiecesATurn; ++piece) {
        const Time now = clock_.now();
        const bool refused_before = peer.state() == PeerConnection::State::refused;
        const auto arrival = peer.receive(now);
        if (!arrival) {
            if (!refused_before && peer.state() == PeerConnection::State::refused) {
                tell(*peer.reason());
                task.on_lost(index);
            }
            break;
        }
        task.on_arrival(index, *arrival, now);
    }
    while (peer.has_credit()) {
        const Time now = clock_.now();
        const auto request = task.next(index, now);
        if (!request) {
            break;
        }
        if (!peer.ask(*request, now)) {
            task.on_lost(index); // the connection has just gone; the word of it is on its way
            break;
        }
    }
}

Result<> FetchSession::run(FetchTask& task)
{
    Time last_achieved = clock_.now();
    std::uint64_t achieved = task.achieved();
    while (true) {
        if (options_.cancelled && options_.cancelled()) {
            return tl::unexpected<Error>(options_.when_cancelled);
        }
        CONSTELA_ASSIGN(const bool finished, task.finished(clock_.now()));
        if (finished) {
            return {};
        }
        for (std::size_t peer = 0; peer < peers_.size(); ++peer) {
            serve(peer, task);
        }
        if (const std::uint64_t now = task.achieved(); now != achieved) {
            achieved = now;
            last_achieved = clock_.now();
        }
        if (peers_.empty() || all_refused() || clock_.now() - last_achieved > options_.patience) {
            return tl::unexpected<Error>(stuck(task));
        }
        wait();
    }
}

} // namespace constela::cluster
