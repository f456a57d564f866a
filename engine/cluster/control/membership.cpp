// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/control/membership.h"

#include <algorithm>
#include <utility>

namespace constela::cluster {
namespace {

constexpr std::size_t kLongestName = 64;
constexpr std::size_t kMostAddresses = 8;
constexpr std::size_t kMostDevices = 64;

} // namespace

Membership::Membership(ControlConfig config, Chance& chance, std::vector<Action>& actions)
    : config_(std::move(config)), chance_(chance), actions_(actions), incarnation_(chance.number())
{
}

void Membership::set_addresses(std::vector<Address> addresses)
{
    config_.addresses = std::move(addresses);
}

Member* Membership::find(const NodeId& id)
{
    const auto found = peers_.find(id);
    return found == peers_.end() ? nullptr : &found->second;
}

const Member* Membership::find(const NodeId& id) const
{
    const auto found = peers_.find(id);
    return found == peers_.end() ? nullptr : &found->second;
}

std::string Membership::name_of(const NodeId& id) const
{
    if (id == config_.self) {
        return config_.name;
    }
    const Member* peer = find(id);
    return peer == nullptr || peer->known.name.empty() ? short_text(id) : peer->known.name;
}

bool Membership::hears(const NodeId& id) const
{
    const Member* peer = find(id);
    return peer != nullptr && peer->up && peer->greeted;
}

bool Membership::trust(const KnownPeer& known, Time now)
{
    Member* peer = find(known.id);
    if (peer == nullptr) {
        if (peers_.size() >= kMostPeers) {
            return false;
        }
        peer = &peers_[known.id];
        if (known.vouched_by) {
            peer->vouchers[*known.vouched_by] = now;
        }
        peer->known = known;
        peer->dialer.set_known(known.addresses, known.pinned);
        peer->dialer.start(now + dial_delay(*peer));
        return true;
    }
    if (known.vouched_by && peer->direct()) {
        return true; // a direct pairing beats a vouched one
    }
    if (known.vouched_by) {
        peer->vouchers[*known.vouched_by] = now;
    }
    const bool news = known.addresses != peer->known.addresses || known.pinned != peer->known.pinned;
    peer->known = known;
    if (news) {
        peer->dialer.set_known(known.addresses, known.pinned);
        if (!peer->up) {
            peer->dialer.start(now);
        }
    }
    return true;
}

void Membership::remove(const NodeId& id, Departure why)
{
    Member* peer = find(id);
    if (peer == nullptr) {
        return;
    }
    hang_up(*peer);
    events_.push_back({MembershipEvent::Kind::gone, id, name_of(id), false, why});
    peers_.erase(id);
}

void Membership::on_hint(const NodeId& id, const Address& address, Time now)
{
    Member* peer = find(id);
    if (peer != nullptr && !peer->up && peer->state != PeerState::incompatible) {
        peer->dialer.add_hint(address, now);
    }
}

void Membership::on_up(const NodeId& id, const std::optional<Address>& over, Time now)
{
    Member* peer = find(id);
    if (peer == nullptr) {
        actions_.emplace_back(action::Disconnect{id});
        return;
    }
    if (peer->up) { // one session has taken the place of another
        close(*peer);
    }
    peer->up = true;
    peer->up_at = now;
    peer->in_use = over;
    peer->dialed = over.has_value();
    peer->dialer.stop();
    say_hello(*peer, now);
}

void Membership::on_down(const NodeId& id, Time now)
{
    Member* peer = find(id);
    if (peer == nullptr || !peer->up) {
        return;
    }
    close(*peer);
    peer->closed_at = now;
    // A session that ends so soon was mostly replaced by another one, which is still on its way. To dial at once would
    // replace that one too, and so on.
    const bool short_lived = now - peer->up_at < kShortSession;
    const Time delay = short_lived ? std::max(dial_delay(*peer), kSecondDialer) : dial_delay(*peer);
    peer->dialer.start(now + (peer->state == PeerState::incompatible ? kIncompatiblePause : delay));
}

bool Membership::admit(const NodeId& from, Message& message, Time now)
{
    Member* peer = find(from);
    if (peer == nullptr || !peer->up) {
        return false;
    }
    if (const auto* hello = std::get_if<Hello>(&message)) {
        on_hello(*peer, *hello, now);
        return false;
    }
    if (auto* refusal = std::get_if<Refusal>(&message)) {
        on_refusal(*peer, *refusal, now);
        return false;
    }
    if (!peer->greeted) {
        return false;
    }
    if (const auto* heartbeat = std::get_if<Heartbeat>(&message)) {
        on_heartbeat(*peer, *heartbeat, now);
        return false;
    }
    if (const auto* reply = std::get_if<HeartbeatReply>(&message)) {
        on_reply(*peer, *reply, now);
        return false;
    }
    if (std::holds_alternative<Goodbye>(message)) {
        lose(*peer, Departure::closed, now);
        return false;
    }
    heard(*peer, now);
    if (auto* status = std::get_if<Status>(&message)) {
        if (!peer->status || status->revision > peer->status->revision) {
            status->devices.resize(std::min(status->devices.size(), kMostDevices));
            peer->status = std::move(*status);
        }
        return false;
    }
    return true;
}

void Membership::on_tick(Time now)
{
    for (auto& [id, peer] : peers_) {
        judge(peer, now);
        if (peer.up && peer.next_hello <= now) {
            say_hello(peer, now);
        }
        if (peer.up && peer.greeted && peer.next_heartbeat <= now) {
            ++peer.heartbeats;
            peer.heartbeat_at[peer.heartbeats % peer.heartbeat_at.size()] = now;
            peer.next_heartbeat = now + kHeartbeatEvery;
            send(id, Heartbeat{incarnation_, peer.heartbeats});
        }
        if (!peer.up && peer.dialer.due() <= now) {
            if (const auto address = peer.dialer.next(now, chance_.number())) {
                actions_.emplace_back(action::Connect{id, peer.known.key, *address});
            }
        }
    }
}

Time Membership::next_tick() const
{
    Time next = kNever;
    for (const auto& [id, peer] : peers_) {
        next = std::min(next, deadline(peer));
        if (peer.up) {
            next = std::min({next, peer.next_hello, peer.greeted ? peer.next_heartbeat : kNever});
        } else {
            next = std::min(next, peer.dialer.due());
        }
    }
    return next;
}

void Membership::forgive(Time now)
{
    for (auto& [id, peer] : peers_) {
        if (peer.present) {
            peer.last_heard = now;
        }
        peer.closed_at = std::max(peer.closed_at, peer.up ? peer.closed_at : now);
        peer.up_at = peer.up ? now : peer.up_at;
    }
}

void Membership::send_status(const Status& status)
{
    own_status_ = status;
    for (const auto& [id, peer] : peers_) {
        if (peer.up && peer.greeted) {
            send(id, status);
        }
    }
}

void Membership::say_goodbye()
{
    for (auto& [id, peer] : peers_) {
        if (peer.up) {
            send(id, Goodbye{});
            hang_up(peer);
        }
        peer.dialer.stop();
        if (peer.present) {
            peer.present = false;
            peer.state = PeerState::paired;
        }
    }
}

std::vector<MembershipEvent> Membership::take_events()
{
    return std::exchange(events_, {});
}

void Membership::send(const NodeId& to, Message message)
{
    actions_.emplace_back(action::Send{to, std::move(message)});
}

void Membership::say_hello(Member& peer, Time now)
{
    peer.hello_sent = now;
    peer.next_hello = peer.greeted ? kNever : now + kHeartbeatEvery;
    send(peer.known.id,
         Hello{kProtocol, config_.version, config_.name, incarnation_, config_.ports, config_.addresses});
}

void Membership::on_hello(Member& peer, const Hello& hello, Time now)
{
    if (hello.protocol != kProtocol) {
        const std::string name = peer.known.name.empty() ? checked_text(hello.name, kLongestName) : peer.known.name;
        Error reason =
            version_sentence(config_.name, config_.version, name, checked_text(hello.version, 32), hello.protocol);
        send(peer.known.id, Refusal{kProtocol, config_.version, reason});
        peer.hello.version = checked_text(hello.version, 32);
        set_incompatible(peer, std::move(reason), now);
        return;
    }
    const bool again = peer.greeted;
    const bool fresh = peer.incarnation != hello.incarnation;
    if (fresh && peer.present) {
        leave(peer, Departure::restarted, departure_sentence(Departure::restarted, name_of(peer.known.id)));
    }
    if (!peer.hello_sent || now - *peer.hello_sent >= kHelloAgain) {
        say_hello(peer, now); // it may not have had ours
    }
    peer.greeted = true;
    peer.next_hello = kNever;
    peer.incarnation = hello.incarnation;
    peer.hello = hello;
    peer.hello.version = checked_text(hello.version, 32);
    peer.hello.name = checked_text(hello.name, kLongestName);
    peer.hello.addresses.resize(std::min(peer.hello.addresses.size(), kMostAddresses));
    peer.dialer.add_told(peer.hello.addresses);
    if (peer.known.name.empty()) {
        peer.known.name = peer.hello.name;
    }
    heard(peer, now);
    if (again && !fresh) {
        return;
    }
    if (fresh) {
        peer.status.reset();
    }
    peer.heartbeats = 0;
    peer.next_heartbeat = now;
    peer.round_trip.reset();
    const bool back = !peer.present;
    peer.present = true;
    peer.reason.reset();
    if (own_status_) {
        send(peer.known.id, *own_status_);
    }
    if (peer.in_use && (peer.dialer.known().empty() || peer.dialer.known().front() != *peer.in_use)) {
        peer.dialer.prefer(*peer.in_use);
        actions_.emplace_back(action::RememberAddress{peer.known.id, *peer.in_use});
    }
    if (back) {
        actions_.emplace_back(action::NodeJoined{peer.known.id, name_of(peer.known.id), fresh});
    }
    events_.push_back({MembershipEvent::Kind::joined, peer.known.id, name_of(peer.known.id), fresh, {}});
}

void Membership::on_refusal(Member& peer, Refusal& refusal, Time now)
{
    peer.hello.version = checked_text(std::move(refusal.version), 32);
    set_incompatible(peer, checked(std::move(refusal.reason)), now);
}

void Membership::on_heartbeat(Member& peer, const Heartbeat& heartbeat, Time now)
{
    if (heartbeat.incarnation != peer.incarnation) { // another run of it, whose Hello has not been heard
        close(peer);
        peer.up = true;
        peer.up_at = now;
        say_hello(peer, now);
        return;
    }
    heard(peer, now);
    send(peer.known.id, HeartbeatReply{incarnation_, heartbeat.number});
}

void Membership::on_reply(Member& peer, const HeartbeatReply& reply, Time now)
{
    if (reply.incarnation != peer.incarnation) {
        return;
    }
    heard(peer, now);
    if (reply.number == 0 || reply.number > peer.heartbeats ||
        peer.heartbeats - reply.number >= peer.heartbeat_at.size()) {
        return;
    }
    const Time took = now - peer.heartbeat_at[reply.number % peer.heartbeat_at.size()];
    // As TCP smooths its own (RFC 6298): one eighth of each new one.
    peer.round_trip = peer.round_trip ? *peer.round_trip + (took - *peer.round_trip) / 8 : took;
}

void Membership::heard(Member& peer, Time now)
{
    peer.last_heard = now;
    peer.state = PeerState::alive;
}

void Membership::hang_up(Member& peer)
{
    if (peer.up) {
        actions_.emplace_back(action::Disconnect{peer.known.id});
        close(peer);
    }
}

void Membership::close(Member& peer)
{
    peer.up = false;
    peer.greeted = false;
    peer.hello_sent.reset();
    peer.next_hello = kNever;
    peer.next_heartbeat = kNever;
    peer.round_trip.reset();
    peer.in_use.reset();
    if (peer.present) {
        peer.state = PeerState::suspect;
    }
}

void Membership::lose(Member& peer, Departure why, Time now)
{
    hang_up(peer);
    leave(peer, why, departure_sentence(why, name_of(peer.known.id)));
    peer.dialer.start(now + dial_delay(peer));
}

void Membership::leave(Member& peer, Departure why, const Error& reason)
{
    peer.state = PeerState::lost;
    peer.reason = reason;
    peer.present = false;
    actions_.emplace_back(action::NodeLost{peer.known.id, name_of(peer.known.id), reason});
    events_.push_back({MembershipEvent::Kind::gone, peer.known.id, name_of(peer.known.id), false, why});
}

void Membership::set_incompatible(Member& peer, Error reason, Time now)
{
    hang_up(peer);
    if (peer.present) {
        leave(peer, Departure::incompatible, reason);
    }
    peer.state = PeerState::incompatible;
    peer.reason = std::move(reason);
    peer.dialer.start(now + kIncompatiblePause);
}

void Membership::judge(Member& peer, Time now)
{
    if (deadline(peer) > now) {
        return;
    }
    if (!peer.present) { // a session without a Hello
        hang_up(peer);
        peer.dialer.start(now + dial_delay(peer));
    } else if (peer.up && *peer.last_heard + kLostAfter > now) {
        peer.state = PeerState::suspect;
    } else {
        lose(peer, peer.up ? Departure::silent : Departure::broken, now);
    }
}

Time Membership::deadline(const Member& peer)
{
    if (!peer.present) {
        return peer.up && !peer.greeted ? peer.up_at + kHelloPatience : kNever;
    }
    if (!peer.up) {
        return peer.closed_at + kCloseGrace;
    }
    return *peer.last_heard + (peer.state == PeerState::alive ? kSuspectAfter : kLostAfter);
}

Time Membership::dial_delay(const Member& peer) const
{
    // Whoever made the last session knows that it can; before the first one the lower id begins. The other comes in
    // later, since it may be the only one that can reach the other.
    const bool first = peer.incarnation ? peer.dialed : config_.self < peer.known.id;
    return first ? Time(0) : kSecondDialer;
}

} // namespace constela::cluster
