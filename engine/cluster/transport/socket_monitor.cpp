// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/transport/socket_monitor.h"

#include "engine/cluster/transport/socket_io.h"

#include <cerrno>
#include <cstring>
#include <string>

namespace constela::cluster {

SocketMonitor::SocketMonitor(zmq::context_t& context, zmq::socket_t& socket, int events)
    : watched_(socket), events_(context, zmq::socket_type::pair)
{
    // libzmq's own thread would wait for room here, and all sockets with it: so there is always room.
    events_.set(zmq::sockopt::rcvhwm, 0);
    events_.set(zmq::sockopt::linger, 0);
    // Of a monitor that has just gone the name may still be taken for a moment.
    for (int attempt = 0;; ++attempt) {
        const std::string name = "inproc://monitor-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + "-" +
                                 std::to_string(attempt);
        if (zmq_socket_monitor(socket.handle(), name.c_str(), events) == 0) {
            events_.connect(name);
            return;
        }
        if (zmq_errno() != EADDRINUSE) {
            throw zmq::error_t();
        }
    }
}

SocketMonitor::~SocketMonitor()
{
    (void)zmq_socket_monitor(watched_.handle(), nullptr, 0);
}

std::optional<MonitorEvent> SocketMonitor::next()
{
    // Number (16 bits) and value (32 bits) in one frame, the endpoint in another.
    zmq::message_t frame;
    if (!receive(events_, frame)) {
        return std::nullopt;
    }
    std::uint16_t event = 0;
    std::int32_t value = 0;
    if (frame.size() >= sizeof(event) + sizeof(value)) {
        std::memcpy(&event, frame.data(), sizeof(event));
        std::memcpy(&value, frame.data<std::byte>() + sizeof(event), sizeof(value));
    }
    drop_rest(events_, frame);
    return MonitorEvent{event, value};
}

} // namespace constela::cluster
