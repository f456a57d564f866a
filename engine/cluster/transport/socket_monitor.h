// SPDX-License-Identifier: GPL-3.0-or-later
//
// What happens to the connections of a socket: handshakes, closings (zmq_socket_monitor). So a peer's end is seen at
// once, and not by its silence.
//
// Threads: the socket's. It must go before its socket.
#pragma once

#include <cstdint>
#include <optional>
#include <zmq.hpp>

namespace constela::cluster {

struct MonitorEvent {
    int event = 0; ///< ZMQ_EVENT_...
    int value = 0; ///< A descriptor, an error number or a status, by event.
};

class SocketMonitor {
public:
    /// events: ZMQ_EVENT_... or-ed.
    SocketMonitor(zmq::context_t& context, zmq::socket_t& socket, int events);
    ~SocketMonitor();
    SocketMonitor(const SocketMonitor&) = delete;
    SocketMonitor& operator=(const SocketMonitor&) = delete;

    [[nodiscard]] std::optional<MonitorEvent> next();
    [[nodiscard]] zmq::socket_t& socket() { return events_; }

private:
    zmq::socket_ref watched_;
    zmq::socket_t events_;
};

} // namespace constela::cluster
