// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/weights/peer_connection.h"

#include "engine/cluster/transport/curve.h"
#include "engine/cluster/transport/endpoint.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace constela::cluster {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kFirstCredit = 8;
constexpr std::size_t kLeastCredit = 2;
/// 8 MiB: what a link of 1 Gbit/s carries in 60 ms. Half of what the server's queue holds for us and not more, since
/// the library counts a message as gone only when half of the queue's length has gone, and drops what is above its
/// length.
constexpr std::size_t kMostCredit = 32;
/// A piece that comes within this shows that the link can take more; one that takes longer than the other, less.
constexpr Time kSoon = 200ms;
constexpr Time kLate = 500ms;
constexpr Time kKnockAgain = 300ms;

/// Different for each socket of the process.
std::string events_endpoint(const zmq::socket_t& socket)
{
    return "inproc://weight-peer-" + std::to_string(reinterpret_cast<std::uintptr_t>(socket.handle()));
}

} // namespace

PeerConnection::PeerConnection(zmq::context_t& context, const KeyPair& own, WeightPeer peer)
    : peer_(std::move(peer)), socket_(context, zmq::socket_type::dealer), events_(context, zmq::socket_type::pair),
      credit_(kFirstCredit)
{
    set_plane_options(socket_, Plane::bulk);
    socket_.set(zmq::sockopt::linger, 0); // whoever cancels does not wait for requests to leave
    make_curve_client(socket_, own, peer_.key);
    const std::string endpoint = events_endpoint(socket_);
    const int wanted =
        ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_CLOSED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH;
    if (zmq_socket_monitor(socket_.handle(), endpoint.c_str(), wanted) == 0) {
        events_.connect(endpoint);
    }
}

Result<> PeerConnection::connect()
{
    return connect_tcp(socket_, peer_.address);
}

bool PeerConnection::ask(WeightRequest request, Time now)
{
    request.number = next_number_;
    std::array<std::byte, kWeightRequestBytes> frame{};
    write_request(request, frame);
    if (!socket_.send(zmq::buffer(frame.data(), frame.size()), zmq::send_flags::dontwait)) {
        return false;
    }
    if (open_.empty()) {
        last_heard_ = now; // silence counts from here
    }
    open_.emplace(next_number_++, Open{request, now});
    return true;
}

void PeerConnection::follow_pace(Time took)
{
    if (took < kSoon) {
        credit_ = std::min(credit_ + 1, kMostCredit);
    } else if (took > kLate) {
        credit_ = std::max(credit_ - 1, kLeastCredit);
    }
}

std::optional<PeerConnection::Arrival> PeerConnection::receive(Time now)
{
    while (socket_.recv(message_, zmq::recv_flags::dontwait)) {
        if (state_ == State::refused) {
            continue; // what was still on its way
        }
        const std::span<const std::byte> frame(static_cast<const std::byte*>(message_.data()), message_.size());
        const auto reply = message_.more() ? std::nullopt : parse_weight_reply(frame);
        if (!reply) {
            refuse(failure("{} sent something that is no answer to a request for weights; see that it runs the same "
                           "version of Constela.",
                           peer_.name)
                       .value());
            return std::nullopt;
        }
        const auto found = open_.find(reply->number);
        if (found == open_.end()) {
            continue; // of before it was lost
        }
        const Open open = found->second;
        open_.erase(found);
        last_heard_ = now;
        const std::span<const std::byte> piece = frame.subspan(kWeightReplyHeader);
        const bool right_length = open.request.kind != WeightKind::chunk || piece.size() == open.request.length;
        if (reply->kind != open.request.kind || (reply->here && !right_length)) {
            refuse(failure("{} sent another piece of the weights than it was asked for; see that it runs the same "
                           "version of Constela.",
                           peer_.name)
                       .value());
            return std::nullopt;
        }
        received_ += piece.size();
        follow_pace(now - open.asked);
        return Arrival{open.request, *reply, piece};
    }
    return std::nullopt;
}

bool PeerConnection::follow_events(Time now)
{
    bool lost = false;
    zmq::message_t event;
    while (events_.recv(event, zmq::recv_flags::dontwait)) {
        std::uint16_t what = 0;
        if (event.size() >= sizeof what) {
            std::memcpy(&what, event.data(), sizeof what);
        }
        zmq::message_t endpoint;
        if (event.more() && !events_.recv(endpoint, zmq::recv_flags::dontwait)) {
            break;
        }
        if (state_ == State::refused) {
            continue;
        }
        switch (what) {
        case ZMQ_EVENT_HANDSHAKE_SUCCEEDED:
            state_ = State::up;
            reason_.reset();
            break;
        case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH:
            // Two nodes that work together for the first time may hear of each other at different moments.
            reason_ = failure("{} does not let this node in; pair the two again.", peer_.name).value();
            knock_again_ = now + kKnockAgain;
            break;
        default:
            lost = lost || state_ == State::up;
            state_ = State::connecting;
            break;
        }
    }
    if (knock_again_ && now >= *knock_again_) { // the library does not try again after a refusal
        knock_again_.reset();
        zmq_disconnect(socket_.handle(), tcp_endpoint(peer_.address).c_str());
        if (auto begun = connect(); !begun) {
            refuse(std::move(begun).error());
        }
    }
    return lost;
}

bool PeerConnection::lost(Time now)
{
    bool gone = follow_events(now);
    if (state_ == State::up && !open_.empty() && now - last_heard_ >= kSilence) {
        credit_ = kLeastCredit; // it may be there still: ask for little until it answers
        gone = true;
    }
    if (gone) {
        open_.clear();
    }
    return gone;
}

void PeerConnection::refuse(Error reason)
{
    state_ = State::refused;
    reason_ = std::move(reason);
    zmq_disconnect(socket_.handle(), tcp_endpoint(peer_.address).c_str());
    open_.clear();
}

} // namespace constela::cluster
