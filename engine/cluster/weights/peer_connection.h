// SPDX-License-Identifier: GPL-3.0-or-later
//
// One peer that weights are asked from: its socket, whether it is there, and which requests are open. The number of
// open requests follows the time that pieces take: enough to fill a fast link, few enough that a slow one does not hold
// seconds of what nobody may want any more.
//
// Threads: one.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/node_id.h"
#include "engine/cluster/time.h"
#include "engine/cluster/weights/transfer_protocol.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <zmq.hpp>

namespace constela::cluster {

/// A node that may have the weights.
struct WeightPeer {
    PublicKey key;
    Address address; ///< Of its bulk port.
    std::string name;
};

class PeerConnection {
public:
    /// No answer for so long, while requests are open, means that nothing will come of them.
    static constexpr Time kSilence = std::chrono::seconds(5);

    enum class State {
        connecting, ///< Also: lost, and trying again.
        up,
        refused, ///< For good: what it sends is wrong.
    };
    /// A piece, or the word that it is not there. Valid until the next receive().
    struct Arrival {
        WeightRequest request;
        WeightReply reply;
        std::span<const std::byte> bytes;
    };

    PeerConnection(zmq::context_t& context, const KeyPair& own, WeightPeer peer);
    /// Begins to connect.
    [[nodiscard]] Result<> connect();

    [[nodiscard]] const WeightPeer& peer() const { return peer_; }
    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] std::uint64_t received_bytes() const { return received_; }
    [[nodiscard]] std::size_t open_requests() const { return open_.size(); }
    [[nodiscard]] bool has_credit() const { return state_ == State::up && open_.size() < credit_; }

    /// Sends it under a number of its own; false when the network takes nothing now.
    [[nodiscard]] bool ask(WeightRequest request, Time now);
    /// The next answer to an open request. A peer that sends anything else is refused.
    [[nodiscard]] std::optional<Arrival> receive(Time now);
    /// Follows what happens to the connection. True when it was lost, or silent for too long: open requests are
    /// forgotten.
    [[nodiscard]] bool lost(Time now);
    /// Nothing more is asked of it or taken from it.
    void refuse(Error reason);
    /// Why it was refused, or does not let us in.
    [[nodiscard]] const std::optional<Error>& reason() const { return reason_; }

    [[nodiscard]] zmq::pollitem_t socket_item() { return {socket_.handle(), 0, ZMQ_POLLIN, 0}; }
    [[nodiscard]] zmq::pollitem_t events_item() { return {events_.handle(), 0, ZMQ_POLLIN, 0}; }

private:
    struct Open {
        WeightRequest request;
        Time asked{0};
    };
    void follow_pace(Time took);
    [[nodiscard]] bool follow_events(Time now);

    WeightPeer peer_;
    zmq::socket_t socket_;
    zmq::socket_t events_; ///< What the library tells of the connection.
    State state_ = State::connecting;
    std::optional<Error> reason_;
    std::optional<Time> knock_again_; ///< When to connect anew, after not having been let in.
    std::uint64_t next_number_ = 1;
    std::map<std::uint64_t, Open> open_;
    std::size_t credit_;
    Time last_heard_{0};
    std::uint64_t received_ = 0;
    zmq::message_t message_; ///< Of the last arrival.
};

} // namespace constela::cluster
