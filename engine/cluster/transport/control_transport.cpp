// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/transport/control_transport.h"

#include "engine/cluster/transport/endpoint.h"
#include "engine/cluster/wire/codec.h"

#include <iterator>
#include <string_view>

namespace constela::cluster {

namespace {

constexpr int kMessagesAtOnce = 256;

/// The descriptor of the connection that a message came by. The option is old, but nothing else tells which connection
/// of a router has ended.
int descriptor_of(zmq::message_t& message)
{
    return zmq_msg_get(message.handle(), ZMQ_SRCFD);
}

std::string host_of(zmq::message_t& message)
{
    try {
        const char* host = message.gets("Peer-Address");
        std::string text = host == nullptr ? std::string() : host;
        constexpr std::string_view kMapped = "::ffff:"; // an IPv4 address in IPv6 clothes
        return text.compare(0, kMapped.size(), kMapped) == 0 ? text.substr(kMapped.size()) : text;
    } catch (const zmq::error_t&) {
        return {};
    }
}

} // namespace

class ControlTransport::Dial {
public:
    Dial(zmq::context_t& context, const KeyPair& keys, const PublicKey& key, const Address& where)
        : address(where), socket(make(context, keys, key)), watch(context, socket)
    {
    }

    Address address;
    zmq::socket_t socket;
    ConnectionWatch watch;
    bool up = false;
    bool down = false;
    bool told = false; ///< That it is up.

private:
    static zmq::socket_t make(zmq::context_t& context, const KeyPair& keys, const PublicKey& key)
    {
        zmq::socket_t socket(context, zmq::socket_type::dealer);
        set_plane_options(socket, Plane::control);
        make_curve_client(socket, keys, key);
        return socket;
    }
};

Result<std::unique_ptr<ControlTransport>> ControlTransport::open(zmq::context_t& context, const KeyPair& keys,
                                                                 const Gatekeeper& gatekeeper, const Address& address)
{
    zmq::socket_t router(context, zmq::socket_type::router);
    set_plane_options(router, Plane::control);
    make_curve_server(router, keys, "control");
    router.set(zmq::sockopt::router_mandatory, true); // says when a connection is gone
    CONSTELA_ASSIGN(const Address bound, bind_tcp(router, address));
    return std::unique_ptr<ControlTransport>(
        new ControlTransport(context, keys, gatekeeper, std::move(router), bound.port));
}

ControlTransport::ControlTransport(zmq::context_t& context, const KeyPair& keys, const Gatekeeper& gatekeeper,
                                   zmq::socket_t router, std::uint16_t port)
    : context_(context), keys_(keys), gatekeeper_(gatekeeper), router_(std::move(router)), watch_(context, router_),
      port_(port)
{
}

ControlTransport::~ControlTransport() = default;

void ControlTransport::connect(const NodeId& peer, const PublicKey& key, const Address& address)
{
    auto dial = std::make_unique<Dial>(context_, keys_, key, address);
    if (connect_tcp(dial->socket, address)) {
        const auto newest = newest_.find(peer);
        if (newest != newest_.end() && !newest->second) {
            newest_.erase(newest);
        }
        dials_[peer] = std::move(dial);
    }
}

void ControlTransport::disconnect(const NodeId& peer)
{
    dials_.erase(peer);
    newest_.erase(peer);
    for (auto& [id, incoming] : incoming_) {
        incoming.closed = incoming.closed || incoming.peer == peer;
    }
}

void ControlTransport::send(const NodeId& peer, const Message& message)
{
    const auto newest = newest_.find(peer);
    if (newest == newest_.end()) {
        return;
    }
    const auto bytes = encode(message);
    bool taken = false;
    try {
        if (newest->second) {
            taken = router_.send(zmq::buffer(*newest->second), zmq::send_flags::sndmore | zmq::send_flags::dontwait)
                        .has_value() &&
                    router_.send(zmq::buffer(bytes.data(), bytes.size()), zmq::send_flags::dontwait).has_value();
        } else {
            taken = dials_.at(peer)
                        ->socket.send(zmq::buffer(bytes.data(), bytes.size()), zmq::send_flags::dontwait)
                        .has_value();
        }
    } catch (const zmq::error_t&) {
        taken = false; // the connection has just gone; its end will be told
    }
    Traffic& traffic = traffic_[peer];
    traffic.bytes_out += taken ? bytes.size() : 0;
    traffic.dropped += taken ? 0 : 1;
}

std::vector<zmq::pollitem_t> ControlTransport::poll_items()
{
    std::vector<zmq::pollitem_t> items{{router_.handle(), 0, ZMQ_POLLIN, 0}, {watch_.handle(), 0, ZMQ_POLLIN, 0}};
    for (const auto& [peer, dial] : dials_) {
        items.push_back({dial->socket.handle(), 0, ZMQ_POLLIN, 0});
        items.push_back({dial->watch.handle(), 0, ZMQ_POLLIN, 0});
    }
    return items;
}

std::vector<TransportEvent> ControlTransport::process()
{
    std::vector<TransportEvent> events;
    receive_dialled(events);
    receive_incoming(events);
    see_closed(events);
    return events;
}

void ControlTransport::take(const NodeId& peer, zmq::message_t& frame, std::vector<TransportEvent>& events)
{
    Traffic& traffic = traffic_[peer];
    traffic.bytes_in += frame.size();
    auto message = decode({static_cast<const std::byte*>(frame.data()), frame.size()});
    if (message) {
        events.emplace_back(Received{peer, *std::move(message)});
    } else {
        ++traffic.bad_messages;
    }
}

void ControlTransport::receive_dialled(std::vector<TransportEvent>& events)
{
    for (auto& [peer, dial] : dials_) {
        for (const ConnectionWatch::Event& event : dial->watch.read()) {
            dial->up = dial->up || event.up;
            dial->down = dial->down || !event.up;
        }
        if (dial->up && !dial->told) {
            dial->told = true;
            newest_[peer] = std::nullopt;
            events.emplace_back(SessionUp{peer, dial->address});
        }
        for (int i = 0; i < kMessagesAtOnce; ++i) {
            zmq::message_t frame;
            if (!dial->socket.recv(frame, zmq::recv_flags::dontwait)) {
                break;
            }
            if (!frame.more()) {
                take(peer, frame, events);
            }
        }
    }
}

void ControlTransport::receive_incoming(std::vector<TransportEvent>& events)
{
    for (int i = 0; i < kMessagesAtOnce; ++i) {
        zmq::message_t id;
        if (!router_.recv(id, zmq::recv_flags::dontwait)) {
            return;
        }
        zmq::message_t frame;
        bool whole = id.more() && router_.recv(frame, zmq::recv_flags::dontwait).has_value();
        for (bool more = whole && frame.more(); more;) { // nobody sends more than one
            zmq::message_t rest;
            more = router_.recv(rest, zmq::recv_flags::dontwait) && rest.more();
            whole = false;
        }
        const auto key = whole ? sender(frame) : std::nullopt;
        if (!key || !gatekeeper_.allows(*key)) {
            continue;
        }
        const RoutingId routing = id.to_string();
        auto found = incoming_.find(routing);
        if (found == incoming_.end()) {
            const NodeId peer = node_id(*key);
            found = incoming_.emplace(routing, Incoming{peer, descriptor_of(frame), host_of(frame), false}).first;
            newest_[peer] = routing;
            events.emplace_back(SessionUp{peer, std::nullopt});
        }
        if (!found->second.closed) {
            take(found->second.peer, frame, events);
        }
    }
}

void ControlTransport::see_closed(std::vector<TransportEvent>& events)
{
    for (const ConnectionWatch::Event& event : watch_.read()) {
        if (event.up) {
            continue;
        }
        for (auto incoming = incoming_.begin(); incoming != incoming_.end();) {
            const auto next = std::next(incoming);
            if (incoming->second.descriptor == event.descriptor) {
                const NodeId peer = incoming->second.peer;
                const auto newest = newest_.find(peer);
                const bool was_newest = newest != newest_.end() && newest->second == incoming->first;
                incoming_.erase(incoming);
                if (was_newest) {
                    lose_newest(peer, events);
                }
            }
            incoming = next;
        }
    }
    for (auto dial = dials_.begin(); dial != dials_.end();) {
        const auto next = std::next(dial);
        if (dial->second->down && dial->second->told) {
            const NodeId peer = dial->first;
            const auto newest = newest_.find(peer);
            const bool was_newest = newest != newest_.end() && !newest->second;
            dials_.erase(dial);
            if (was_newest) {
                lose_newest(peer, events);
            }
        }
        dial = next;
    }
}

/// Another connection with the peer takes over, or the session is down.
void ControlTransport::lose_newest(const NodeId& peer, std::vector<TransportEvent>& events)
{
    newest_.erase(peer);
    const auto dial = dials_.find(peer);
    if (dial != dials_.end() && dial->second->told && !dial->second->down) {
        newest_[peer] = std::nullopt;
        return;
    }
    for (const auto& [routing, incoming] : incoming_) {
        if (incoming.peer == peer && !incoming.closed) {
            newest_[peer] = routing;
            return;
        }
    }
    events.emplace_back(SessionDown{peer});
}

Traffic ControlTransport::traffic(const NodeId& peer) const
{
    const auto found = traffic_.find(peer);
    return found == traffic_.end() ? Traffic{} : found->second;
}

std::optional<std::string> ControlTransport::host(const NodeId& peer) const
{
    const auto newest = newest_.find(peer);
    if (newest == newest_.end()) {
        return std::nullopt;
    }
    return newest->second ? incoming_.at(*newest->second).host : dials_.at(peer)->address.host;
}

} // namespace constela::cluster
