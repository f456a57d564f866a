// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/transport/socket_io.h"

#include <cerrno>
#include <memory>

namespace constela::cluster {
namespace {

/// Below this, copying is cheaper than a second allocation.
constexpr std::size_t kCopied = 4096;

void free_bytes(void* /*data*/, void* hint)
{
    const std::unique_ptr<std::vector<std::byte>> owner(static_cast<std::vector<std::byte>*>(hint));
}

} // namespace

bool receive(zmq::socket_t& socket, zmq::message_t& frame)
{
    while (zmq_msg_recv(frame.handle(), socket.handle(), ZMQ_DONTWAIT) < 0) {
        if (zmq_errno() != EINTR) {
            return false;
        }
    }
    return true;
}

Sent send(zmq::socket_t& socket, zmq::message_t&& frame, bool more)
{
    while (zmq_msg_send(frame.handle(), socket.handle(), ZMQ_DONTWAIT | (more ? ZMQ_SNDMORE : 0)) < 0) {
        if (zmq_errno() == EHOSTUNREACH) {
            return Sent::gone;
        }
        if (zmq_errno() != EINTR) {
            return Sent::full;
        }
    }
    return Sent::yes;
}

void drop_rest(zmq::socket_t& socket, zmq::message_t& frame)
{
    while (frame.more() && receive(socket, frame)) {
    }
}

zmq::message_t to_message(std::vector<std::byte> bytes)
{
    if (bytes.size() <= kCopied) {
        return {bytes.data(), bytes.size()};
    }
    auto owner = std::make_unique<std::vector<std::byte>>(std::move(bytes));
    zmq::message_t message(owner->data(), owner->size(), free_bytes, owner.get());
    (void)owner.release(); // free_bytes() has it now
    return message;
}

void refresh(zmq::socket_t& socket)
{
    int events = 0;
    std::size_t size = sizeof(events);
    (void)zmq_getsockopt(socket.handle(), ZMQ_EVENTS, &events, &size);
}

zmq::pollitem_t readable(zmq::socket_t& socket)
{
    return {socket.handle(), 0, ZMQ_POLLIN, 0};
}

} // namespace constela::cluster
