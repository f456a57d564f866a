// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/transport/connection_watch.h"

#include <cstring>
#include <fmt/format.h>

namespace constela::cluster {

ConnectionWatch::ConnectionWatch(zmq::context_t& context, zmq::socket_t& socket)
    : events_(context, zmq::socket_type::pair)
{
    const std::string name = fmt::format("inproc://watch/{}", fmt::ptr(socket.handle()));
    if (zmq_socket_monitor(socket.handle(), name.c_str(), ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED) !=
        0) {
        throw zmq::error_t();
    }
    events_.set(zmq::sockopt::linger, 0);
    events_.connect(name);
}

std::vector<ConnectionWatch::Event> ConnectionWatch::read()
{
    std::vector<Event> events;
    // zmq_socket_monitor(3): two frames, the first one a 16-bit event and a 32-bit value.
    zmq::message_t frame;
    while (events_.recv(frame, zmq::recv_flags::dontwait)) {
        std::uint16_t event = 0;
        std::int32_t value = -1;
        if (frame.more() && frame.size() == sizeof event + sizeof value) {
            std::memcpy(&event, frame.data(), sizeof event);
            std::memcpy(&value, frame.data<std::byte>() + sizeof event, sizeof value);
            events.push_back({event == ZMQ_EVENT_HANDSHAKE_SUCCEEDED, value});
            static_cast<void>(events_.recv(frame, zmq::recv_flags::dontwait)); // the address
        }
    }
    return events;
}

} // namespace constela::cluster
