// SPDX-License-Identifier: GPL-3.0-or-later
//
// What libzmq tells of the connections of a socket: made, and ended.
// Threads: the socket's. It may outlive the socket.
#pragma once

#include <cstdint>
#include <vector>
#include <zmq.hpp>

namespace constela::cluster {

class ConnectionWatch {
public:
    struct Event {
        bool up = false;     ///< The handshake has succeeded; else the connection has ended.
        int descriptor = -1; ///< Of the connection that has ended.
    };

    explicit ConnectionWatch(zmq::context_t& context, zmq::socket_t& socket);

    /// To be polled for reading.
    [[nodiscard]] void* handle() { return events_.handle(); }
    /// What has happened since the last call.
    [[nodiscard]] std::vector<Event> read();

private:
    zmq::socket_t events_;
};

} // namespace constela::cluster
