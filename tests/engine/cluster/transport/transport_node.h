// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transports of several nodes in one process, over loopback and free ports, each with a context of its own. Tests wait
// for what must come by polling; a limit of time only ends a test that fails.
#pragma once

#include "engine/cluster/identity/keys.h"
#include "engine/cluster/transport/control_transport.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace constela::test {

inline constexpr std::chrono::seconds kPatience{20};

/// A node's transport and all that happened to it.
class TransportNode {
public:
    TransportNode();

    void allow(const std::vector<const TransportNode*>& peers);
    void connect(const TransportNode& peer);
    /// Its program dies.
    void stop() { transport.reset(); }

    template <class Event>
    [[nodiscard]] std::size_t count(const cluster::NodeId& peer) const
    {
        return static_cast<std::size_t>(std::ranges::count_if(events, [&](const auto& event) {
            const auto* wanted = std::get_if<Event>(&event);
            return wanted != nullptr && peer_of(*wanted) == peer;
        }));
    }
    [[nodiscard]] std::vector<cluster::Message> received() const;
    [[nodiscard]] bool is_up(const TransportNode& peer) const { return transport->address_of(peer.id).has_value(); }

    cluster::KeyPair keys = cluster::make_key_pair();
    cluster::NodeId id = cluster::node_id(keys.public_key);
    cluster::SteadyClock clock;
    zmq::context_t context;
    cluster::Gatekeeper gatekeeper{context};
    std::unique_ptr<cluster::ControlTransport> transport;
    std::vector<cluster::TransportEvent> events;

private:
    static const cluster::NodeId& peer_of(const cluster::event::Received& event) { return event.from; }
    template <class Event>
    static const cluster::NodeId& peer_of(const Event& event)
    {
        return event.peer;
    }
};

/// Lets the nodes work until `done`; false when it does not come.
[[nodiscard]] bool run_until(const std::vector<TransportNode*>& nodes, const std::function<bool()>& done);

/// A CURVE client without our transport: it can send anything.
class RawClient {
public:
    explicit RawClient(const TransportNode& server, const cluster::KeyPair& keys = cluster::make_key_pair());
    bool send(std::string_view bytes, bool more = false);

    cluster::KeyPair keys;

private:
    zmq::context_t context_;
    zmq::socket_t socket_;
};

} // namespace constela::test
