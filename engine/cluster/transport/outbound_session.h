// SPDX-License-Identifier: GPL-3.0-or-later
//
// A session that this node makes: a DEALER with CURVE that connects to one address of a peer, again and again until
// somebody answers there. Both sides talk over it. When it was refused, or has stood and is closed, it is over; a new
// one is a new object.
//
// Threads: one.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/node_id.h"
#include "engine/cluster/transport/socket_io.h"
#include "engine/cluster/transport/socket_monitor.h"

#include <memory>
#include <optional>
#include <vector>

namespace constela::cluster {

class OutboundSession {
public:
    enum class State { dialing, up, closed };

    /// Fails when the address is none.
    [[nodiscard]] static Result<std::unique_ptr<OutboundSession>> dial(zmq::context_t& context, const KeyPair& own,
                                                                       const PublicKey& key, const Address& address);

    [[nodiscard]] const Address& address() const { return address_; }
    [[nodiscard]] State state() const { return state_; }
    /// It is up, or was.
    [[nodiscard]] bool has_stood() const { return has_stood_; }

    /// Looks at what happened to the connection. A message that came before its end can be read after this says closed.
    State refresh();
    /// Why it does not stand; each reason once.
    [[nodiscard]] std::optional<Error> take_trouble();

    Sent send(zmq::message_t&& frame);
    bool receive(zmq::message_t& frame);
    /// What was sent and has not left is thrown away when this goes; otherwise it gets a moment.
    void forget_unsent() { socket_.set(zmq::sockopt::linger, 0); }
    void add_poll_items(std::vector<zmq::pollitem_t>& items);

private:
    OutboundSession(zmq::context_t& context, const KeyPair& own, const PublicKey& key, Address address);
    void note_trouble(int event);

    Address address_;
    zmq::socket_t socket_;
    SocketMonitor monitor_;
    State state_ = State::dialing;
    bool has_stood_ = false;
    int told_ = 0; ///< ZMQ_EVENT_... or-ed.
    std::optional<Error> trouble_;
};

} // namespace constela::cluster
