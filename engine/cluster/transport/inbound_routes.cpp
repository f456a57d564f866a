// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/transport/inbound_routes.h"

#include "engine/cluster/transport/curve.h"
#include "engine/cluster/transport/endpoint.h"

#include <utility>

namespace constela::cluster {
namespace {

/// The end of a connection that was cut is told within milliseconds.
constexpr Time kForgetAfter = std::chrono::seconds(10);

} // namespace

InboundRoutes::InboundRoutes(zmq::context_t& context, const KeyPair& own)
    : socket_(context, zmq::socket_type::router), monitor_(context, socket_, ZMQ_EVENT_DISCONNECTED)
{
    set_plane_options(socket_, Plane::control);
    make_curve_server(socket_, own, "control");
    // Sending to one who has gone is to be known, not swallowed.
    socket_.set(zmq::sockopt::router_mandatory, true);
}

Result<Address> InboundRoutes::listen(const Address& address)
{
    return bind_tcp(socket_, address);
}

std::optional<InboundRoutes::Frame> InboundRoutes::receive()
{
    zmq::message_t name;
    if (!cluster::receive(socket_, name)) {
        return std::nullopt;
    }
    Frame frame;
    frame.route = name.to_string();
    if (name.more() && cluster::receive(socket_, frame.body)) {
        frame.well_formed = !frame.body.more();
        if (!frame.well_formed) {
            zmq::message_t rest;
            while (cluster::receive(socket_, rest) && rest.more()) {
            }
        }
    }
    return frame;
}

Sent InboundRoutes::send(const std::string& route, zmq::message_t&& body)
{
    const Sent sent = cluster::send(socket_, zmq::message_t(route), true);
    return sent == Sent::yes ? cluster::send(socket_, std::move(body), false) : sent;
}

InboundRoutes::Route* InboundRoutes::find(const std::string& name)
{
    const auto found = routes_.find(name);
    return found == routes_.end() ? nullptr : &found->second;
}

const InboundRoutes::Route* InboundRoutes::find(const std::string& name) const
{
    const auto found = routes_.find(name);
    return found == routes_.end() ? nullptr : &found->second;
}

InboundRoutes::Route& InboundRoutes::add(const std::string& name, const NodeId& peer, const zmq::message_t& message)
{
    return routes_.insert_or_assign(name, Route{peer, connection_of(message), ++count_, std::nullopt}).first->second;
}

void InboundRoutes::end(const std::string& name, Time at)
{
    if (Route* route = find(name); route != nullptr && !route->cut_at) {
        route->cut_at = at;
    }
}

void InboundRoutes::cut_all(const NodeId& peer, Time now)
{
    for (auto& [name, route] : routes_) {
        if (route.peer == peer) {
            route.cut_at = now;
        }
    }
    cut_due(now);
}

void InboundRoutes::cut_due(Time now)
{
    for (auto& [name, route] : routes_) {
        if (route.cut_at && *route.cut_at <= now && !route.connection.peer.host.empty()) {
            cut(route.connection);
            route.connection.peer = {}; // once is enough
        }
    }
    // Its end is told like any other's, and it stays known until then, so that what it sent last does not count.
    std::erase_if(routes_,
                  [&](const auto& entry) { return entry.second.cut_at && now > *entry.second.cut_at + kForgetAfter; });
}

std::vector<int> InboundRoutes::closed()
{
    std::vector<int> descriptors;
    while (const auto event = monitor_.next()) {
        if (event->event == ZMQ_EVENT_DISCONNECTED) {
            descriptors.push_back(event->value);
        }
    }
    return descriptors;
}

std::optional<std::pair<std::string, InboundRoutes::Route>> InboundRoutes::take(int descriptor)
{
    // The system gives a descriptor again as soon as it is free: the oldest is the one that was closed.
    auto oldest = routes_.end();
    for (auto at = routes_.begin(); at != routes_.end(); ++at) {
        if (at->second.connection.descriptor == descriptor &&
            (oldest == routes_.end() || at->second.number < oldest->second.number)) {
            oldest = at;
        }
    }
    if (oldest == routes_.end()) {
        return std::nullopt; // it never said anything
    }
    std::pair<std::string, Route> taken(oldest->first, std::move(oldest->second));
    routes_.erase(oldest);
    return taken;
}

void InboundRoutes::add_poll_items(std::vector<zmq::pollitem_t>& items)
{
    items.push_back(readable(socket_));
    items.push_back(readable(monitor_.socket()));
}

} // namespace constela::cluster
