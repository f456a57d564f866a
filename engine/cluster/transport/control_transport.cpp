// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/transport/control_transport.h"

#include "engine/cluster/wire/codec.h"
#include "engine/cluster/wire/limits.h"

#include <span>
#include <utility>

namespace constela::cluster {
namespace {

/// Messages that one process() reads, so that a flood does not keep its thread from everything else: of all inbound
/// sessions together (ZeroMQ takes them in turn), and of each outbound one.
constexpr int kInboundAtOnce = 256;
constexpr int kOutboundAtOnce = 64;
/// Two sessions made within this time were dialed at the same moment.
constexpr Time kAtOnce = std::chrono::seconds(1);
/// What was sent before hanging up may take this long.
constexpr Time kLinger = std::chrono::milliseconds(200);

std::span<const std::byte> bytes_of(const zmq::message_t& message)
{
    return {message.data<std::byte>(), message.size()};
}

} // namespace

ControlTransport::ControlTransport(zmq::context_t& context, Gatekeeper& gatekeeper, const KeyPair& own,
                                   const Clock& clock)
    : context_(context), gatekeeper_(gatekeeper), own_(own), self_(node_id(own.public_key)), clock_(clock),
      allowed_(gatekeeper.allowed()), inbound_(context, own)
{
}

Result<std::unique_ptr<ControlTransport>> ControlTransport::listen(zmq::context_t& context, Gatekeeper& gatekeeper,
                                                                   const KeyPair& own, const Address& address,
                                                                   const Clock& clock)
{
    // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): the constructor is private
    std::unique_ptr<ControlTransport> transport(new ControlTransport(context, gatekeeper, own, clock));
    CONSTELA_ASSIGN(transport->address_, transport->inbound_.listen(address));
    return transport;
}

ControlTransport::Peer& ControlTransport::peer_of(const PublicKey& key)
{
    auto known = ids_.find(key);
    if (known == ids_.end()) {
        known = ids_.emplace(key, node_id(key)).first;
    }
    Peer& peer = peers_[known->second];
    peer.id = known->second;
    return peer;
}

bool ControlTransport::made_at_once(const Peer& peer) const
{
    return peer.up && clock_.now() - peer.up_at < kAtOnce;
}

void ControlTransport::connect(const NodeId& id, const PublicKey& key, const Address& address)
{
    if (!allowed_->contains(key) || node_id(key) != id) {
        return;
    }
    Peer& peer = peer_of(key);
    if (peer.outbound && peer.outbound->address() == address) {
        return;
    }
    if (peer.up_outbound()) { // the caller wants another way
        peer.up = false;
    }
    auto session = OutboundSession::dial(context_, own_, key, address);
    peer.outbound = session ? *std::move(session) : nullptr;
}

void ControlTransport::disconnect(const NodeId& id)
{
    const auto found = peers_.find(id);
    if (found == peers_.end()) {
        return;
    }
    Peer& peer = found->second;
    peer.up = false;
    peer.outbound.reset();
    end_inbound(peer);
}

void ControlTransport::end_inbound(Peer& peer)
{
    if (!peer.inbound.empty()) {
        inbound_.end(peer.inbound, clock_.now() + kLinger);
        peer.inbound.clear();
    }
}

bool ControlTransport::send(const NodeId& to, const Message& message)
{
    const auto found = peers_.find(to);
    if (found == peers_.end()) {
        return false;
    }
    Peer& peer = found->second;
    if (peer.up) {
        std::vector<std::byte> bytes = encode(message);
        const std::size_t size = bytes.size();
        if (size <= limits::kMessageBytes) {
            zmq::message_t body = to_message(std::move(bytes));
            const Sent sent = peer.inbound.empty() ? peer.outbound->send(std::move(body))
                                                   : inbound_.send(peer.inbound, std::move(body));
            if (sent == Sent::yes) {
                peer.traffic.bytes_out += size;
                ++peer.traffic.messages_out;
                return true;
            }
        }
    }
    ++peer.traffic.dropped;
    return false;
}

std::vector<TransportEvent> ControlTransport::process()
{
    std::vector<TransportEvent> events;
    // What was closed is asked for before messages are read, and told after: so a Goodbye comes before the Down.
    const std::vector<int> closed = inbound_.closed();
    closed_.insert(closed_.end(), closed.begin(), closed.end());
    for (auto& [id, peer] : peers_) {
        refresh_outbound(peer, events);
    }
    if (read_inbound(events)) {
        for (const int descriptor : std::exchange(closed_, {})) {
            close_inbound(descriptor, events);
        }
    }
    for (auto& [id, peer] : peers_) {
        const bool all = read_outbound(peer, events);
        if (all && peer.outbound && peer.outbound->state() == OutboundSession::State::closed) {
            if (peer.up_outbound()) {
                peer.up = false;
                events.emplace_back(event::Down{id});
            }
            peer.outbound.reset();
        }
    }
    inbound_.cut_due(clock_.now());
    return events;
}

void ControlTransport::refresh_outbound(Peer& peer, std::vector<TransportEvent>& events)
{
    if (!peer.outbound) {
        return;
    }
    const auto before = peer.outbound->state();
    peer.outbound->refresh();
    if (before != OutboundSession::State::dialing) {
        return;
    }
    if (auto trouble = peer.outbound->take_trouble(); trouble && !peer.up) {
        events.emplace_back(event::Unreachable{peer.id, peer.outbound->address(), *std::move(trouble)});
    }
    if (peer.outbound->has_stood()) {
        outbound_up(peer, events);
    } else if (peer.up && !made_at_once(peer)) {
        peer.outbound.reset(); // the peer was faster
    }
}

void ControlTransport::outbound_up(Peer& peer, std::vector<TransportEvent>& events)
{
    if (!peer.inbound.empty() && made_at_once(peer) && !dials_first(peer)) {
        peer.outbound.reset();
        return;
    }
    end_inbound(peer);
    peer.up = true;
    peer.up_at = clock_.now();
    events.emplace_back(event::Up{peer.id, peer.outbound->address()});
}

bool ControlTransport::inbound_up(Peer& peer, const std::string& route, const zmq::message_t& message,
                                  std::vector<TransportEvent>& events)
{
    if (const auto* before = inbound_.find(route); before != nullptr && before->peer != peer.id) {
        // ZeroMQ gives a name again only when its first bearer is gone.
        if (const auto bearer = peers_.find(before->peer); bearer != peers_.end() && bearer->second.inbound == route) {
            lose_inbound(bearer->second, events);
        }
    }
    inbound_.add(route, peer.id, message);
    if (peer.up_outbound() && made_at_once(peer) && dials_first(peer)) {
        inbound_.end(route, clock_.now());
        return false;
    }
    end_inbound(peer);
    (void)read_outbound(peer, events); // what came over the session before comes before the Up
    if (peer.outbound && (!dials_first(peer) || peer.outbound->state() != OutboundSession::State::dialing)) {
        peer.outbound.reset();
    }
    peer.inbound = route;
    peer.up = true;
    peer.up_at = clock_.now();
    events.emplace_back(event::Up{peer.id, std::nullopt});
    return true;
}

bool ControlTransport::read_inbound(std::vector<TransportEvent>& events)
{
    for (int count = 0; count < kInboundAtOnce; ++count) {
        const auto frame = inbound_.receive();
        if (!frame) {
            return true;
        }
        const auto key = sender(frame->body);
        if (!key || !allowed_->contains(*key)) {
            // Let in before its key was taken away.
            ++refused_messages_;
            cut(connection_of(frame->body));
            continue;
        }
        Peer& peer = peer_of(*key);
        if (peer.inbound != frame->route || !peer.up) {
            const InboundRoutes::Route* route = inbound_.find(frame->route);
            const bool over = route != nullptr && route->peer == peer.id && route->cut_at;
            if (over || !inbound_up(peer, frame->route, frame->body, events)) {
                continue;
            }
        }
        take_message(peer, frame->body, frame->well_formed, events);
    }
    return false;
}

bool ControlTransport::read_outbound(Peer& peer, std::vector<TransportEvent>& events)
{
    if (!peer.up_outbound() || !peer.outbound) {
        return true;
    }
    zmq::message_t body;
    for (int count = 0; count < kOutboundAtOnce; ++count) {
        if (!peer.outbound->receive(body)) {
            return true;
        }
        const bool well_formed = !body.more();
        take_message(peer, body, well_formed, events);
        while (body.more() && peer.outbound->receive(body)) {
        }
    }
    return false;
}

void ControlTransport::take_message(Peer& peer, const zmq::message_t& body, bool well_formed,
                                    std::vector<TransportEvent>& events)
{
    peer.traffic.bytes_in += body.size();
    ++peer.traffic.messages_in;
    auto message = well_formed ? decode(bytes_of(body)) : failure("A message has more than one part.");
    if (message) {
        events.emplace_back(event::Received{peer.id, *std::move(message)});
    } else {
        ++peer.traffic.bad_messages;
    }
}

void ControlTransport::close_inbound(int descriptor, std::vector<TransportEvent>& events)
{
    const auto route = inbound_.take(descriptor);
    if (!route) {
        return;
    }
    const auto found = peers_.find(route->second.peer);
    if (found != peers_.end() && found->second.inbound == route->first) {
        lose_inbound(found->second, events);
    }
}

void ControlTransport::lose_inbound(Peer& peer, std::vector<TransportEvent>& events)
{
    peer.inbound.clear();
    peer.up = false;
    events.emplace_back(event::Down{peer.id});
}

void ControlTransport::set_allowed(std::set<PublicKey> keys)
{
    gatekeeper_.allow(std::move(keys));
    allowed_ = gatekeeper_.allowed();
    for (auto known = ids_.begin(); known != ids_.end();) {
        if (allowed_->contains(known->first)) {
            ++known;
            continue;
        }
        if (const auto found = peers_.find(known->second); found != peers_.end()) {
            if (found->second.outbound) {
                found->second.outbound->forget_unsent();
            }
            peers_.erase(found);
        }
        inbound_.cut_all(known->second, clock_.now());
        known = ids_.erase(known);
    }
}

Traffic ControlTransport::traffic(const NodeId& peer) const
{
    const auto found = peers_.find(peer);
    return found == peers_.end() ? Traffic{} : found->second.traffic;
}

std::optional<Address> ControlTransport::address_of(const NodeId& id) const
{
    const auto found = peers_.find(id);
    if (found == peers_.end() || !found->second.up) {
        return std::nullopt;
    }
    const Peer& peer = found->second;
    if (peer.inbound.empty()) {
        return peer.outbound->address();
    }
    const InboundRoutes::Route* route = inbound_.find(peer.inbound);
    return route == nullptr ? std::nullopt : std::optional(route->connection.peer);
}

void ControlTransport::add_poll_items(std::vector<zmq::pollitem_t>& items)
{
    inbound_.add_poll_items(items);
    for (auto& [id, peer] : peers_) {
        if (peer.outbound) {
            peer.outbound->add_poll_items(items);
        }
    }
}

} // namespace constela::cluster
