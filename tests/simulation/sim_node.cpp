// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim_node.h"

#include "world.h"

#include <algorithm>
#include <fmt/format.h>
#include <type_traits>

namespace constela::simulation {

using namespace std::chrono_literals;
using namespace cluster;

SimNode::SimNode(World& world, NodeIndex index, Mutation mutation)
    : world_(world), index_(index), mutation_(mutation), name_(fmt::format("n{}", index)),
      constant_chance_(world.random().number()),
      clock_(world.queue(), world.random().between(0h, 48h), static_cast<int>(world.random().below(4000)) - 2000)
{
    Random& random = world.random();
    SimChance chance(random.number());
    chance.fill(key_.bytes);
    chance.fill(id_.bytes);
    addresses_.push_back({fmt::format("10.0.0.{}", index), 7000});
    if (random.percent(30)) {
        addresses_.push_back({fmt::format("10.0.1.{}", index), 7000});
    }
    if (mutation == Mutation::fast_clock) {
        clock_.set_rate(2'000'000);
    }
}

void SimNode::start()
{
    ++process_;
    powered_ = true;
    devices_ = {};
    dialed_.clear();
    tick_at_ = kNever;
    chance_ = std::make_unique<SimChance>(mutation_ == Mutation::repeats_epochs ? constant_chance_
                                                                                : world_.random().number());
    control_ = std::make_unique<ControlPlane>(
        ControlConfig{id_, key_, name_, "1.0", {7000, 7001, 7002}, addresses_, {removed_.begin(), removed_.end()}},
        clock_, *chance_);
    for (const auto& [id, peer] : store_) {
        control_->trust(peer);
    }
    change_status();
}

void SimNode::crash(bool silently)
{
    powered_ = !silently;
    control_.reset();
    devices_ = {};
    frozen_until_ = Time(0);
    world_.network().drop_all(index_, silently);
}

void SimNode::leave()
{
    control_->say_goodbye();
    settle();
    control_.reset();
    devices_ = {};
    world_.network().drop_all(index_, false);
}

void SimNode::freeze(Time until)
{
    frozen_until_ = std::max(frozen_until_, until);
}

void SimNode::pair(const SimNode& other, std::vector<Address> addresses)
{
    removed_.erase(other.id());
    KnownPeer peer{other.id(), other.key(), other.name(), std::move(addresses), {}, {}};
    store_[other.id()] = peer;
    if (control_) {
        control_->trust(peer);
        settle();
    }
}

void SimNode::revoke(const NodeId& other)
{
    store_.erase(other);
    removed_.insert(other);
    // As the real store does.
    std::erase_if(store_, [&](const auto& entry) { return entry.second.vouched_by == other; });
    if (control_) {
        control_->revoke(other);
        settle();
    }
}

void SimNode::load(std::vector<StagePlacement> stages)
{
    LoadPlan plan;
    plan.model_name = "model";
    plan.stages = std::move(stages);
    const auto epoch = control_->load(plan);
    if (world_.tracing()) {
        world_.trace(name_ +
                     (epoch ? fmt::format(" loads epoch {:x}", *epoch) : " may not load: " + epoch.error().text()));
    }
    if (epoch) {
        world_.checks().on_load(*this, *epoch, plan.stages);
    }
    settle();
}

void SimNode::unload()
{
    control_->unload();
    settle();
}

void SimNode::fail_device()
{
    for (auto& [key, stage] : devices_.stages()) {
        if (stage.ready && !devices_.stopped(key.first)) {
            stage.ready = false;
            stage.failed = true;
            if (world_.tracing()) {
                world_.trace(fmt::format("{} device dies, epoch {:x} stage {}", name_, key.first, key.second));
            }
            control_->on_stage_failed({key.first, key.second, Error{"The device fell off the bus.", {}, {}}});
            settle();
            return;
        }
    }
}

void SimNode::change_status()
{
    Status status;
    status.devices.resize(1);
    control_->set_status(status);
    settle();
}

void SimNode::on_up(const NodeId& peer, const std::optional<Address>& over)
{
    control_->on_up(peer, over);
    settle();
}

void SimNode::on_down(const NodeId& peer)
{
    if (mutation_ == Mutation::deaf_to_restarts) {
        return;
    }
    control_->on_down(peer);
    settle();
}

void SimNode::on_message(const NodeId& from, Message message)
{
    if (const auto* order = std::get_if<StageOrder>(&message);
        order != nullptr && mutation_ == Mutation::obeys_strangers && !store_.contains(from)) {
        start_stage({*order, from});
        return;
    }
    control_->on_message(from, std::move(message));
    settle();
}

void SimNode::on_hint(const NodeId& peer, const Address& address)
{
    control_->on_hint(peer, address);
    settle();
}

void SimNode::settle()
{
    for (;;) {
        std::vector<Action> actions = control_->take_actions();
        if (actions.empty()) {
            break;
        }
        for (Action& action : actions) {
            carry_out(action);
        }
    }
    plan_tick();
}

void SimNode::carry_out(Action& action)
{
    std::visit(
        [&](auto& it) {
            using Kind = std::decay_t<decltype(it)>;
            if constexpr (std::is_same_v<Kind, action::Send>) {
                send(it);
            } else if constexpr (std::is_same_v<Kind, action::Connect>) {
                if (mutation_ == Mutation::stays_away && !dialed_.insert(it.peer).second) {
                    return;
                }
                world_.checks().on_connect(*this, it);
                world_.network().connect(index_, world_.index_of(it.peer), it.address);
            } else if constexpr (std::is_same_v<Kind, action::Disconnect>) {
                if (mutation_ != Mutation::keeps_revoked || store_.contains(it.peer)) {
                    world_.network().disconnect(index_, world_.index_of(it.peer));
                }
            } else if constexpr (std::is_same_v<Kind, action::StartStage>) {
                start_stage(it);
            } else if constexpr (std::is_same_v<Kind, action::ReleaseStage>) {
                release_stage(it.epoch);
            } else if constexpr (std::is_same_v<Kind, action::AddTrust>) {
                add_trust(it);
            } else if constexpr (std::is_same_v<Kind, action::DropTrust>) {
                if (world_.tracing()) {
                    world_.trace(name_ + " drops " + world_.name_of(it.peer));
                }
                store_.erase(it.peer);
                world_.disturb(index_, world_.index_of(it.peer), world_.now());
            } else if constexpr (std::is_same_v<Kind, action::RememberAddress>) {
                if (const auto peer = store_.find(it.peer); peer != store_.end()) {
                    std::erase(peer->second.addresses, it.address);
                    peer->second.addresses.insert(peer->second.addresses.begin(), it.address);
                }
            } else if constexpr (std::is_same_v<Kind, action::NodeJoined>) {
                if (world_.tracing()) {
                    world_.trace(fmt::format("{} sees {}{}", name_, it.name, it.fresh ? "" : " again"));
                }
            } else if constexpr (std::is_same_v<Kind, action::NodeLost>) {
                if (world_.tracing()) {
                    world_.trace(name_ + " says: " + it.reason.text());
                }
                world_.checks().on_node_lost(*this, it);
            } else if constexpr (std::is_same_v<Kind, action::ModelReady>) {
                if (world_.tracing()) {
                    world_.trace(fmt::format("{} model ready, epoch {:x}", name_, it.epoch));
                }
                world_.checks().on_model_ready(*this, it.epoch);
            } else if constexpr (std::is_same_v<Kind, action::ModelFailed>) {
                if (world_.tracing()) {
                    world_.trace(fmt::format("{} model failed, epoch {:x}: {}", name_, it.epoch, it.reason.text()));
                }
            }
        },
        action);
}

void SimNode::send(const action::Send& send)
{
    const Message& message = send.message;
    if (mutation_ == Mutation::no_heartbeats &&
        (std::holds_alternative<Heartbeat>(message) || std::holds_alternative<HeartbeatReply>(message) ||
         std::holds_alternative<Status>(message))) {
        return;
    }
    if (mutation_ == Mutation::hides_failure && std::holds_alternative<StageFailed>(message)) {
        return;
    }
    world_.checks().on_send(*this, send.to);
    if (world_.tracing() && !std::holds_alternative<Heartbeat>(message) &&
        !std::holds_alternative<HeartbeatReply>(message) && !std::holds_alternative<Status>(message)) {
        world_.trace(fmt::format("{} -> {}: {}", name_, world_.name_of(send.to), describe(message)));
    }
    world_.network().send(index_, world_.index_of(send.to), message);
}

void SimNode::start_stage(const action::StartStage& start)
{
    const StageOrder& order = start.order;
    if (world_.tracing()) {
        world_.trace(fmt::format("{} starts epoch {:x} stage {} for {}", name_, order.epoch, order.stage,
                                 world_.name_of(start.coordinator)));
    }
    world_.checks().on_start_stage(*this, start);
    const DeviceHost::Key key{order.epoch, order.stage};
    if (mutation_ == Mutation::lies_about_ready && start.coordinator != id_) {
        later(10ms, [this, key] { control_->on_stage_ready({key.first, key.second, 1, 1, 7003}); });
        return;
    }
    devices_.stages()[key] = DeviceStage{order, start.coordinator, false, false};
    later(world_.random().between(10ms, 300ms), [this, key] { load_step(key, 0); });
}

void SimNode::load_step(const DeviceHost::Key& key, unsigned step)
{
    DeviceStage* stage = devices_.find(key.first, key.second);
    if (stage == nullptr || devices_.stopped(key.first)) {
        return;
    }
    constexpr unsigned kSteps = 5;
    if (!world_.calm() && world_.random().percent(1)) {
        stage->failed = true;
        control_->on_stage_failed({key.first, key.second, Error{"The disk is full.", {}, {}}});
    } else if (step == kSteps) {
        stage->ready = true;
        world_.checks().on_device_ready({key.first, key.second, 0, 0, 0});
        control_->on_stage_ready({key.first, key.second, 1000, 100, 7003});
    } else {
        control_->on_stage_progress({key.first, key.second, StageProgress::Doing::placing, step, kSteps});
        later(world_.random().between(10ms, 300ms), [this, key, step] { load_step(key, step + 1); });
    }
}

void SimNode::release_stage(Epoch epoch)
{
    if (world_.tracing()) {
        world_.trace(fmt::format("{} releases epoch {:x}", name_, epoch));
    }
    devices_.stop(epoch);
    if (mutation_ == Mutation::keeps_memory) {
        return;
    }
    const Time takes =
        world_.random().percent(90) ? world_.random().between(1ms, 300ms) : world_.random().between(300ms, 2s);
    if (mutation_ == Mutation::frees_late) {
        later(takes + 500ms, [this, epoch] { devices_.free(epoch); });
        later(1ms, [this, epoch] { control_->on_stage_released(epoch); });
        return;
    }
    later(takes, [this, epoch] {
        devices_.free(epoch);
        control_->on_stage_released(epoch);
    });
}

void SimNode::add_trust(const action::AddTrust& add)
{
    const SimNode* other = world_.find(add.introduction.key);
    if (other == nullptr || removed_.contains(other->id())) {
        return;
    }
    if (const auto known = store_.find(other->id()); known != store_.end()) {
        if (known->second.vouched_by) {
            known->second.vouched_by = add.by;
        }
        return;
    }
    if (world_.tracing()) {
        world_.trace(fmt::format("{} trusts {} on the word of {}", name_, other->name(), world_.name_of(add.by)));
    }
    const KnownPeer peer{other->id(), other->key(), add.introduction.name, add.introduction.addresses, {}, add.by};
    store_[peer.id] = peer;
    world_.disturb(index_, other->index(), world_.now());
    world_.checks().on_add_trust(*this, *other, add);
    control_->trust(peer);
}

void SimNode::plan_tick()
{
    const Time next = control_->next_tick();
    if (next == kNever) {
        return;
    }
    const Time at = std::max(clock_.world_time(next), world_.queue().now());
    if (at >= tick_at_) {
        return; // one is planned that comes before
    }
    tick_at_ = at;
    const Time late =
        world_.random().percent(90) ? world_.random().between(0ms, 3ms) : world_.random().between(0ms, 50ms);
    later(at + late - world_.queue().now(), [this, number = ++tick_] {
        if (number == tick_) { // an earlier one took its place
            tick_at_ = kNever;
            control_->on_tick();
        }
    });
}

void SimNode::later(Time delay, std::function<void()> what)
{
    world_.queue().after(delay, [this, process = process_, call = std::move(what)]() mutable {
        if (!control_ || process != process_) {
            return;
        }
        if (frozen_until_ > world_.queue().now()) {
            later(frozen_until_ - world_.queue().now(), std::move(call));
            return;
        }
        call();
        settle();
    });
}

} // namespace constela::simulation
