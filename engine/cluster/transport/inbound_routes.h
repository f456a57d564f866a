// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sessions that others make: a ROUTER with CURVE that listens, and the connections on it that have said something
// (routes). ZeroMQ tells of a closed connection by its descriptor only, and of a route by its name only; here the two
// come together.
//
// Threads: one.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/node_id.h"
#include "engine/cluster/time.h"
#include "engine/cluster/transport/connection.h"
#include "engine/cluster/transport/socket_io.h"
#include "engine/cluster/transport/socket_monitor.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace constela::cluster {

class InboundRoutes {
public:
    struct Route {
        NodeId peer;
        Connection connection;
        std::uint64_t number = 0;   ///< Later ones have higher ones.
        std::optional<Time> cut_at; ///< It is over: nothing from it counts, and then it is cut.
    };
    struct Frame {
        std::string route;
        zmq::message_t body;
        bool well_formed = false; ///< A name and one body, as it must be.
    };

    InboundRoutes(zmq::context_t& context, const KeyPair& own);
    [[nodiscard]] Result<Address> listen(const Address& address);

    /// The next message; of whom, the caller must ask sender().
    [[nodiscard]] std::optional<Frame> receive();
    Sent send(const std::string& route, zmq::message_t&& body);

    [[nodiscard]] Route* find(const std::string& name);
    [[nodiscard]] const Route* find(const std::string& name) const;
    /// A connection that has said its first message.
    Route& add(const std::string& name, const NodeId& peer, const zmq::message_t& message);
    /// Nothing from this route counts any more; at `at` it is cut, unless it has been closed before.
    void end(const std::string& name, Time at);
    /// Ends and cuts all of a peer at once.
    void cut_all(const NodeId& peer, Time now);
    void cut_due(Time now);

    /// Connections that were closed since the last call.
    [[nodiscard]] std::vector<int> closed();
    /// The route over that connection, which is forgotten; with its name.
    [[nodiscard]] std::optional<std::pair<std::string, Route>> take(int descriptor);

    void add_poll_items(std::vector<zmq::pollitem_t>& items);

private:
    zmq::socket_t socket_;
    SocketMonitor monitor_;
    std::map<std::string, Route, std::less<>> routes_;
    std::uint64_t count_ = 0;
};

} // namespace constela::cluster
