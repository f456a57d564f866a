// SPDX-License-Identifier: GPL-3.0-or-later
//
// The control plane's way over the network: one session a peer, encrypted, of a key that is allowed; made by this node
// (connect()) or by the peer. Both talk over it both ways, so that one of the two may sit behind a firewall.
//
// Who sent a message is known from the key of its connection, never from the message. When both dial at the same
// moment, the session of the one with the lower id stays; otherwise a new session takes the place of an old one, since
// nobody dials who has a session that works.
//
// Threads: one drives it: wait for add_poll_items() with zmq::poll(), then process(), again and again, at least twice a
// second. Nothing waits inside: what a slow or frozen peer does not take is dropped and counted. Encryption and TCP are
// done by the context's own thread.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/messages.h"
#include "engine/cluster/node_id.h"
#include "engine/cluster/time.h"
#include "engine/cluster/transport/gatekeeper.h"
#include "engine/cluster/transport/inbound_routes.h"
#include "engine/cluster/transport/outbound_session.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace constela::cluster {

namespace event {

struct Received {
    NodeId from;
    Message message;
};

/// A session stands; it may have taken the place of another one.
struct Up {
    NodeId peer;
    std::optional<Address> over; ///< Where, if this node made it.
};

/// The session is closed.
struct Down {
    NodeId peer;
};

/// Why there is no session so far. When nobody answers, the try goes on; when a peer refuses, it is over, and connect()
/// begins another one.
struct Unreachable {
    NodeId peer;
    Address address;
    Error reason;
};

} // namespace event

using TransportEvent = std::variant<event::Received, event::Up, event::Down, event::Unreachable>;

/// Since the peer is known to the transport.
struct Traffic {
    std::uint64_t bytes_in = 0; ///< Of messages, without what encryption and TCP add.
    std::uint64_t bytes_out = 0;
    std::uint64_t messages_in = 0;
    std::uint64_t messages_out = 0;
    std::uint64_t dropped = 0;      ///< Not sent: no session, or it does not take more.
    std::uint64_t bad_messages = 0; ///< Received and not understood.
};

class ControlTransport {
public:
    /// Listens at `address`; port 0 takes a free one. All given by reference must outlive the transport, and
    /// `gatekeeper` be of `context`.
    [[nodiscard]] static Result<std::unique_ptr<ControlTransport>> listen(zmq::context_t& context,
                                                                          Gatekeeper& gatekeeper, const KeyPair& own,
                                                                          const Address& address, const Clock& clock);

    /// Where it listens, with the port in use.
    [[nodiscard]] const Address& address() const { return address_; }

    /// Tries to make a session, until it stands, is refused, or another connect() or a disconnect() comes. A try over
    /// the same address goes on. Nothing happens when the key is not allowed.
    void connect(const NodeId& peer, const PublicKey& key, const Address& address);
    /// Closes the session, or ends the try, once what was sent before had a moment to leave. What the peer still says
    /// over it does not count. No Down follows.
    void disconnect(const NodeId& peer);
    /// Over the session that stands. False: dropped.
    bool send(const NodeId& to, const Message& message);

    /// What happened; a bounded part of it when it is much.
    [[nodiscard]] std::vector<TransportEvent> process();

    /// These keys and no others (also for the Gatekeeper, which all planes share). Sessions of others are cut at once,
    /// without a Down, and nothing that they sent before counts.
    void set_allowed(std::set<PublicKey> keys);

    [[nodiscard]] Traffic traffic(const NodeId& peer) const;
    /// The other end of the session that stands.
    [[nodiscard]] std::optional<Address> address_of(const NodeId& peer) const;
    /// Messages dropped unread, since their sender was not allowed (any more).
    [[nodiscard]] std::uint64_t refused_messages() const { return refused_messages_; }

    void add_poll_items(std::vector<zmq::pollitem_t>& items);

private:
    struct Peer {
        NodeId id;
        std::unique_ptr<OutboundSession> outbound; ///< A try, or the session.
        std::string inbound;                       ///< The route of the session; empty: it is not inbound.
        bool up = false;
        Time up_at{};
        Traffic traffic;
        [[nodiscard]] bool up_outbound() const { return up && inbound.empty(); }
    };

    ControlTransport(zmq::context_t& context, Gatekeeper& gatekeeper, const KeyPair& own, const Clock& clock);
    Peer& peer_of(const PublicKey& key);
    [[nodiscard]] bool made_at_once(const Peer& peer) const;
    [[nodiscard]] bool dials_first(const Peer& peer) const { return self_ < peer.id; }
    void end_inbound(Peer& peer);
    void refresh_outbound(Peer& peer, std::vector<TransportEvent>& events);
    void outbound_up(Peer& peer, std::vector<TransportEvent>& events);
    /// False: the session that stands is preferred, and this route is over.
    bool inbound_up(Peer& peer, const std::string& route, const zmq::message_t& message,
                    std::vector<TransportEvent>& events);
    /// Both give false when there may be more.
    bool read_inbound(std::vector<TransportEvent>& events);
    bool read_outbound(Peer& peer, std::vector<TransportEvent>& events);
    void take_message(Peer& peer, const zmq::message_t& body, bool well_formed, std::vector<TransportEvent>& events);
    static void lose_inbound(Peer& peer, std::vector<TransportEvent>& events);
    void close_inbound(int descriptor, std::vector<TransportEvent>& events);

    zmq::context_t& context_;
    Gatekeeper& gatekeeper_;
    KeyPair own_;
    NodeId self_;
    const Clock& clock_;
    std::shared_ptr<const AllowedKeys> allowed_;
    InboundRoutes inbound_;
    Address address_;
    std::map<NodeId, Peer> peers_;
    std::map<PublicKey, NodeId> ids_;
    std::vector<int> closed_; ///< Connections that were closed; what came over them before is read first.
    std::uint64_t refused_messages_ = 0;
};

} // namespace constela::cluster
