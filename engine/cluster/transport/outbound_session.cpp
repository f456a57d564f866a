// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/transport/outbound_session.h"

#include "engine/cluster/transport/curve.h"
#include "engine/cluster/transport/endpoint.h"

#include <utility>

namespace constela::cluster {
namespace {

constexpr int kFailures = ZMQ_EVENT_CONNECT_RETRIED | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL |
                          ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH;

} // namespace

OutboundSession::OutboundSession(zmq::context_t& context, const KeyPair& own, const PublicKey& key, Address address)
    : address_(std::move(address)), socket_(context, zmq::socket_type::dealer),
      monitor_(context, socket_, ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED | kFailures)
{
    set_plane_options(socket_, Plane::control);
    make_curve_client(socket_, own, key);
}

Result<std::unique_ptr<OutboundSession>> OutboundSession::dial(zmq::context_t& context, const KeyPair& own,
                                                               const PublicKey& key, const Address& address)
{
    std::unique_ptr<OutboundSession> session(new OutboundSession(
        context, own, key, address)); // NOLINT(cppcoreguidelines-owning-memory): the constructor is private
    CONSTELA_TRY(connect_tcp(session->socket_, address));
    return session;
}

OutboundSession::State OutboundSession::refresh()
{
    while (const auto event = monitor_.next()) {
        if (event->event == ZMQ_EVENT_HANDSHAKE_SUCCEEDED && state_ == State::dialing) {
            state_ = State::up;
            has_stood_ = true;
            // So that what is sent now finds the connection.
            cluster::refresh(socket_);
        } else if (event->event == ZMQ_EVENT_DISCONNECTED && state_ == State::up) {
            state_ = State::closed;
        } else if ((event->event & kFailures) != 0 && state_ == State::dialing) {
            note_trouble(event->event);
            // After these libzmq does not try again.
            if ((event->event & (ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL)) != 0) {
                state_ = State::closed;
            }
        }
    }
    return state_;
}

void OutboundSession::note_trouble(int event)
{
    if ((told_ & event) != 0 || (told_ != 0 && event == ZMQ_EVENT_CONNECT_RETRIED)) {
        return; // it is tried again and again
    }
    told_ |= event;
    switch (event) {
    case ZMQ_EVENT_CONNECT_RETRIED:
        trouble_ = failure("Port {} of {} does not answer.", address_.port, address_.host).value();
        break;
    case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH:
        trouble_ = failure("The node at {} does not let this one in. Pair the two again.", address_.host).value();
        break;
    default:
        trouble_ =
            failure("Another program or another node answers at port {} of {}.", address_.port, address_.host).value();
        break;
    }
}

std::optional<Error> OutboundSession::take_trouble()
{
    return std::exchange(trouble_, std::nullopt);
}

Sent OutboundSession::send(zmq::message_t&& frame)
{
    return cluster::send(socket_, std::move(frame), false);
}

bool OutboundSession::receive(zmq::message_t& frame)
{
    return cluster::receive(socket_, frame);
}

void OutboundSession::add_poll_items(std::vector<zmq::pollitem_t>& items)
{
    items.push_back(readable(socket_));
    items.push_back(readable(monitor_.socket()));
}

} // namespace constela::cluster
