// SPDX-License-Identifier: GPL-3.0-or-later
//
// TCP connections of machines that may be anyone's, as a ZMQ_STREAM socket: raw bytes, cut here into pairing messages.
//
// Raw, since ZeroMQ's own framing has no place before a peer is known: ZMQ_MAXMSGSIZE bounds a frame but not how many
// frames a message may have, and one that never ends would be kept in memory whole. Here a connection holds at most one
// message of 144 bytes, and the socket's queue a few pieces of 8 KiB; what says no pairing message is cut off.
//
// Threads: the socket's. Errors: none here; a connection that breaks is an event.
#pragma once

#include "engine/cluster/pairing/pairing_message.h"
#include "engine/cluster/time.h"

#include <map>
#include <optional>
#include <string>
#include <vector>
#include <zmq.hpp>

namespace constela::cluster {

class PairingConnections {
public:
    struct Limits {
        std::size_t connections = 32;
        /// A connection that stays silent for so long is cut off, unless it is kept (keep()).
        Time silence = std::chrono::seconds(10);
        /// After the last word to a peer: time for it to arrive.
        Time farewell = std::chrono::seconds(1);
    };

    struct Event {
        enum class Kind { opened, message, closed };
        Kind kind = Kind::message;
        std::string route;
        std::vector<std::byte> bytes; ///< Of a message: 144, or fewer when it is of another version or none at all.
    };

    PairingConnections(zmq::context_t& context, const Clock& clock, const Limits& limits);

    [[nodiscard]] zmq::socket_t& socket() { return socket_; }
    /// What has come, up to a bound; nothing: all is read. Never waits.
    [[nodiscard]] std::vector<Event> receive();
    void send(const std::string& route, const PairingBytes& bytes);
    /// Silence is all right: a person is comparing digits. At most one connection is kept.
    void keep(const std::string& route) { kept_ = route; }
    /// Cuts it off, after a moment. What still comes from it is not looked at.
    void close_soon(const std::string& route);
    /// Nothing that is still to be sent is sent when this goes.
    void drop_unsent() { socket_.set(zmq::sockopt::linger, 0); }
    /// Cuts off what is due. To be called now and then.
    void tick();
    [[nodiscard]] std::size_t size() const { return connections_.size(); }

private:
    struct Connection {
        std::vector<std::byte> bytes; ///< The beginning of a message.
        Time heard;
        std::optional<Time> close_at;
    };
    void on_piece(std::vector<Event>& events, const std::string& route, std::span<const std::byte> piece);
    void on_open_or_close(std::vector<Event>& events, const std::string& route);
    void cut(const std::string& route);

    const Clock* clock_;
    Limits limits_;
    zmq::socket_t socket_;
    std::map<std::string, Connection> connections_;
    std::string kept_;
};

} // namespace constela::cluster
