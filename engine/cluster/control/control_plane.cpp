// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/control/control_plane.h"

#include <algorithm>
#include <utility>

namespace constela::cluster {
namespace {

template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

const char* to_text(LoadView::State state)
{
    switch (state) {
    case LoadView::State::loading: return "loading";
    case LoadView::State::ready: return "ready";
    case LoadView::State::failed: break;
    }
    return "failed";
}

} // namespace

const char* to_text(PeerState state)
{
    switch (state) {
    case PeerState::paired: return "paired";
    case PeerState::alive: return "alive";
    case PeerState::suspect: return "suspect";
    case PeerState::lost: return "lost";
    case PeerState::incompatible: break;
    }
    return "incompatible";
}

ControlPlane::ControlPlane(ControlConfig config, const Clock& clock, Chance& chance)
    : clock_(clock), membership_(std::move(config), chance, actions_), introductions_(membership_, actions_),
      post_(membership_, actions_), participant_(membership_, post_, actions_),
      coordinator_(membership_, post_, actions_, chance)
{
}

void ControlPlane::trust(const KnownPeer& peer)
{
    const Time now = enter();
    if (peer.id == membership_.config().self) {
        return;
    }
    if (!introductions_.on_trust(peer, now)) {
        actions_.emplace_back(action::DropTrust{peer.id});
    } else if (!membership_.trust(peer, now)) {
        actions_.emplace_back(action::Alarm{
            failure("{} is left out: a node can have no more than {} peers. Revoke some that are no longer used.",
                    peer.name, kMostPeers)
                .value()});
    }
    settle(now);
}

void ControlPlane::revoke(const NodeId& id)
{
    const Time now = enter();
    introductions_.revoke(id);
    settle(now);
}

void ControlPlane::set_addresses(std::vector<Address> addresses)
{
    membership_.set_addresses(std::move(addresses));
}

void ControlPlane::on_hint(const NodeId& id, const Address& address)
{
    const Time now = enter();
    membership_.on_hint(id, address, now);
    settle(now);
}

void ControlPlane::on_up(const NodeId& id, const std::optional<Address>& over)
{
    const Time now = enter();
    membership_.on_up(id, over, now);
    settle(now);
}

void ControlPlane::on_down(const NodeId& id)
{
    const Time now = enter();
    membership_.on_down(id, now);
    settle(now);
}

void ControlPlane::on_message(const NodeId& from, Message message)
{
    const Time now = enter();
    if (membership_.admit(from, message, now)) {
        handle(from, message, now);
    }
    settle(now);
}

void ControlPlane::on_tick()
{
    const Time now = enter();
    membership_.on_tick(now);
    settle(now); // losses first: what follows needs to know them
    introductions_.on_tick(now);
    participant_.on_tick(now);
    coordinator_.on_tick(now);
    tell_status(now);
    settle(now);
}

Time ControlPlane::next_tick() const
{
    return due();
}

Result<Epoch> ControlPlane::load(LoadPlan plan)
{
    const Time now = enter();
    auto epoch = coordinator_.load(std::move(plan), now);
    settle(now);
    return epoch;
}

void ControlPlane::unload()
{
    const Time now = enter();
    coordinator_.unload(now);
    settle(now);
}

void ControlPlane::fail(Epoch epoch, std::optional<NodeId> node, Error reason)
{
    const Time now = enter();
    coordinator_.fail(epoch, node, std::move(reason), now);
    settle(now);
}

void ControlPlane::set_status(Status status)
{
    const Time now = enter();
    status_.devices = std::move(status.devices);
    status_changed(now);
    settle(now);
}

void ControlPlane::say_goodbye()
{
    const Time now = enter();
    coordinator_.unload(now);
    settle(now);
    membership_.say_goodbye();
    participant_.release_all(now);
    settle(now);
}

void ControlPlane::on_stage_progress(const StageProgress& progress)
{
    const Time now = enter();
    participant_.on_stage_progress(progress, now);
    settle(now);
}

void ControlPlane::on_stage_ready(const StageReady& ready)
{
    const Time now = enter();
    participant_.on_stage_ready(ready, now);
    settle(now);
}

void ControlPlane::on_stage_failed(const StageFailed& failed)
{
    const Time now = enter();
    participant_.on_stage_failed(failed, now);
    settle(now);
}

void ControlPlane::on_stage_released(Epoch epoch)
{
    const Time now = enter();
    participant_.on_stage_released(epoch, now);
    settle(now);
}

std::vector<Action> ControlPlane::take_actions()
{
    return std::exchange(actions_, {});
}

ControlView ControlPlane::view() const
{
    const Time now = clock_.now();
    ControlView view;
    view.self = membership_.config().self;
    view.incarnation = membership_.incarnation();
    for (const auto& [id, member] : membership_.peers()) {
        PeerView peer;
        peer.id = id;
        peer.key = member.known.key;
        peer.name = membership_.name_of(id);
        peer.version = member.hello.version;
        peer.state = member.state;
        peer.reason = member.reason;
        peer.incarnation = member.incarnation;
        peer.ports = member.hello.ports;
        peer.status = member.status;
        peer.round_trip = member.round_trip;
        if (member.last_heard) {
            peer.silent_for = now - *member.last_heard;
        }
        peer.address = member.in_use;
        peer.addresses = member.dialer.candidates();
        if (!member.direct()) {
            peer.vouched_by = member.known.vouched_by;
        }
        view.peers.push_back(std::move(peer));
    }
    view.load = coordinator_.view();
    view.held = participant_.view();
    return view;
}

Time ControlPlane::enter()
{
    const Time now = clock_.now();
    if (expected_ != kNever && now - expected_ > kOwnDelay) {
        membership_.forgive(now);
        introductions_.forgive(now);
    }
    return now;
}

void ControlPlane::settle(Time now)
{
    for (;;) {
        for (const MembershipEvent& event : membership_.take_events()) {
            handle(event, now);
        }
        if (post_.to_self().empty()) {
            break;
        }
        Message message = std::move(post_.to_self().front());
        post_.to_self().pop_front();
        handle(membership_.config().self, message, now);
    }
    const auto& load = coordinator_.view();
    const std::string model = load ? load->model_name : "";
    const std::string state = load ? to_text(load->state) : "none";
    if (model != status_.model || state != status_.model_state) {
        status_.model = model;
        status_.model_state = state;
        status_changed(now);
    }
    expected_ = due();
}

void ControlPlane::handle(const NodeId& from, Message& message, Time now)
{
    std::visit(Overloaded{
                   [&](Introduction& it) { introductions_.on_introduction(from, std::move(it), now); },
                   [&](const Withdrawal& it) { introductions_.on_withdrawal(from, it); },
                   [&](const StageOrder& it) { participant_.on_order(from, it, now); },
                   [&](const StageRelease& it) { participant_.on_release(from, it, now); },
                   [&](const StageProgress& it) { coordinator_.on_progress(from, it, now); },
                   [&](const StageReady& it) { coordinator_.on_ready(from, it, now); },
                   [&](const StageFailed& it) { coordinator_.on_failed(from, it, now); },
                   [&](const StageReleased& it) { coordinator_.on_released(from, it, now); },
                   [&](const auto& it) {
                       actions_.emplace_back(action::Deliver{from, it});
                   },
               },
               message);
}

void ControlPlane::handle(const MembershipEvent& event, Time now)
{
    if (event.kind == MembershipEvent::Kind::joined) {
        introductions_.on_joined(event.peer, now);
        participant_.on_joined(event.peer, now);
        coordinator_.on_joined(event.peer, now);
        return;
    }
    participant_.on_gone(event.peer, event.departure, now);
    coordinator_.on_gone(event.peer, event.name, now);
}

void ControlPlane::status_changed(Time now)
{
    status_due_ = std::min(status_due_, status_sent_ ? std::max(now, *status_sent_ + kStatusPause) : now);
}

void ControlPlane::tell_status(Time now)
{
    if (now < status_due_) {
        return;
    }
    ++status_.revision;
    status_sent_ = now;
    status_due_ = now + kStatusEvery;
    membership_.send_status(status_);
}

Time ControlPlane::due() const
{
    return std::min({membership_.next_tick(), introductions_.next_tick(), participant_.next_tick(),
                     coordinator_.next_tick(), status_due_});
}

} // namespace constela::cluster
