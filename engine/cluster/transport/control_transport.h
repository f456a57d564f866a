// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sessions of the control plane: connections that this node makes and those that are made to it, as one session a
// peer. A message is sent over the newest connection with its peer and taken from any. Who a peer is says the key of
// its connection, never a message.
//
// Threads: one, which polls poll_items() and then calls process(). Nothing waits: what a peer does not take is dropped
// and counted, and its heartbeats will be missed.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/messages.h"
#include "engine/cluster/transport/connection_watch.h"
#include "engine/cluster/transport/curve.h"
#include "engine/cluster/transport/gatekeeper.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>
#include <zmq.hpp>

namespace constela::cluster {

/// A session stands. `over`: the address that this node reached; none where the peer came.
struct SessionUp {
    NodeId peer;
    std::optional<Address> over;
};
struct SessionDown {
    NodeId peer;
};
struct Received {
    NodeId peer;
    Message message;
};
using TransportEvent = std::variant<SessionUp, SessionDown, Received>;

struct Traffic {
    std::uint64_t bytes_in = 0;
    std::uint64_t bytes_out = 0;
    std::uint64_t dropped = 0;      ///< Messages that the peer did not take.
    std::uint64_t bad_messages = 0; ///< What could not be understood.
};

class ControlTransport {
public:
    /// Listens at `address`; port 0 takes a free one. What it is given must outlive it.
    [[nodiscard]] static Result<std::unique_ptr<ControlTransport>>
    open(zmq::context_t& context, const KeyPair& keys, const Gatekeeper& gatekeeper, const Address& address);
    ~ControlTransport();
    ControlTransport(const ControlTransport&) = delete;
    ControlTransport& operator=(const ControlTransport&) = delete;

    [[nodiscard]] std::uint16_t port() const { return port_; }
    /// Tries to reach a peer; one try a peer, a newer one takes its place.
    void connect(const NodeId& peer, const PublicKey& key, const Address& address);
    /// Ends all connections with the peer, and any try.
    void disconnect(const NodeId& peer);
    void send(const NodeId& peer, const Message& message);

    [[nodiscard]] std::vector<zmq::pollitem_t> poll_items();
    /// What has happened, in order; a bounded part of it.
    [[nodiscard]] std::vector<TransportEvent> process();
    [[nodiscard]] Traffic traffic(const NodeId& peer) const;
    /// The host that the peer's newest connection comes from or goes to.
    [[nodiscard]] std::optional<std::string> host(const NodeId& peer) const;

private:
    class Dial; // a connection that this node makes
    struct Incoming {
        NodeId peer;
        int descriptor = -1;
        std::string host;
        bool closed = false; ///< By us: what still comes is dropped.
    };
    using RoutingId = std::string;

    ControlTransport(zmq::context_t& context, const KeyPair& keys, const Gatekeeper& gatekeeper, zmq::socket_t router,
                     std::uint16_t port);
    void receive_incoming(std::vector<TransportEvent>& events);
    void receive_dialled(std::vector<TransportEvent>& events);
    void see_closed(std::vector<TransportEvent>& events);
    void take(const NodeId& peer, zmq::message_t& frame, std::vector<TransportEvent>& events);
    void lose_newest(const NodeId& peer, std::vector<TransportEvent>& events);

    zmq::context_t& context_;
    const KeyPair& keys_;
    const Gatekeeper& gatekeeper_;
    zmq::socket_t router_;
    ConnectionWatch watch_; ///< Of the router.
    std::uint16_t port_;
    std::map<NodeId, std::unique_ptr<Dial>> dials_;
    std::map<RoutingId, Incoming> incoming_;
    std::map<NodeId, std::optional<RoutingId>> newest_; ///< Of each session that stands; none: the dialled one.
    std::map<NodeId, Traffic> traffic_;
};

} // namespace constela::cluster
