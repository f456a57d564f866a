// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/control/coordinator.h"

#include "engine/cluster/control/epochs.h"

#include <algorithm>
#include <set>
#include <utility>

namespace constela::cluster {
namespace {

constexpr std::size_t kMostStages = 256;
constexpr std::size_t kMostReleases = 1024;

Result<> check(const LoadPlan& plan)
{
    if (plan.stages.empty() || plan.stages.size() > kMostStages) {
        return failure("{} cannot be loaded over {} stages; 1 to {} are possible.", plan.model_name, plan.stages.size(),
                       kMostStages);
    }
    std::uint64_t next = 0;
    for (const StagePlacement& stage : plan.stages) {
        if (stage.first_shard != next || stage.shard_count == 0 || stage.device.empty()) {
            return failure(
                "The placement of {} leaves a gap or repeats a part at shard {}. Each part must have exactly "
                "one device, in the order of the model.",
                plan.model_name, next);
        }
        next += stage.shard_count;
    }
    if (next > UINT32_MAX) {
        return failure("The placement of {} has more parts than any model.", plan.model_name);
    }
    return {};
}

} // namespace

Coordinator::Coordinator(const Membership& membership, Post& post, std::vector<Action>& actions, Chance& chance)
    : membership_(membership), post_(post), actions_(actions),
      count_(chance.number() >> 24U) // so that an earlier run of this node did not make the same epochs
{
}

Result<Epoch> Coordinator::load(LoadPlan plan, Time now)
{
    CONSTELA_TRY(check(plan));
    for (const StagePlacement& stage : plan.stages) {
        if (stage.node == membership_.config().self) {
            continue;
        }
        const Member* member = membership_.find(stage.node);
        if (member == nullptr) {
            return failure("{} is not paired with this node. Pair it first, or choose other devices.",
                           membership_.name_of(stage.node));
        }
        if (member->state != PeerState::alive) {
            return failure("{} is not connected at the moment. Start it, or choose other devices.",
                           membership_.name_of(stage.node));
        }
    }
    unload(now);
    ++count_;
    LoadView view;
    view.epoch = make_epoch(count_, membership_.config().self);
    view.model_name = plan.model_name;
    view.model = plan.model;
    for (const StagePlacement& stage : plan.stages) {
        const auto number = static_cast<std::uint32_t>(view.stages.size());
        view.stages.push_back(
            {stage, false, StageProgress{view.epoch, number, StageProgress::Doing::fetching, 0, 0}, {}});
    }
    plan_ = std::move(plan);
    view_ = std::move(view);
    stages_.assign(plan_.stages.size(), Stage{});
    for (std::uint32_t stage = 0; stage < stages_.size(); ++stage) {
        order(stage, now);
    }
    return view_->epoch;
}

void Coordinator::unload(Time now)
{
    release_all(now);
    view_.reset();
}

void Coordinator::fail(Epoch epoch, std::optional<NodeId> node, Error reason, Time now)
{
    if (!in_force(epoch)) {
        return;
    }
    release_all(now);
    view_->state = LoadView::State::failed;
    view_->reason = reason;
    actions_.emplace_back(action::ModelFailed{epoch, node, std::move(reason)});
}

void Coordinator::on_joined(const NodeId& peer, Time now)
{
    for (auto& [epoch, release] : releases_) {
        if (release.node == peer) {
            release.again = now;
        }
    }
    if (!view_ || view_->state == LoadView::State::failed) {
        return;
    }
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
        if (view_->stages[stage].where.node == peer) { // what was said on the broken session may be lost
            stages_[stage].ask_at = now;
        }
    }
}

void Coordinator::on_gone(const NodeId& peer, const std::string& name, Time now)
{
    std::erase_if(releases_, [&](const auto& entry) { return entry.second.node == peer; });
    if (!view_ || view_->state == LoadView::State::failed) {
        return;
    }
    std::vector<StagePlacement> lost;
    std::uint32_t shards = 0;
    for (const StageView& stage : view_->stages) {
        shards += stage.where.shard_count;
        if (stage.where.node == peer) {
            lost.push_back(stage.where);
        }
    }
    if (!lost.empty()) {
        fail(view_->epoch, peer, loss_sentence(name, view_->model_name, lost, shards), now);
        std::erase_if(releases_, [&](const auto& entry) { return entry.second.node == peer; });
    }
}

void Coordinator::on_progress(const NodeId& from, const StageProgress& progress, Time now)
{
    if (StageView* stage = reported(from, progress.epoch, progress.stage, now); stage != nullptr && !stage->ready) {
        stage->progress = progress;
    }
}

void Coordinator::on_ready(const NodeId& from, const StageReady& ready, Time now)
{
    StageView* stage = reported(from, ready.epoch, ready.stage, now);
    if (stage == nullptr || stage->ready) {
        return;
    }
    stage->ready = true;
    stage->weight_bytes = ready.weight_bytes;
    stage->kv_bytes = ready.kv_bytes;
    stage->data_port = ready.data_port;
    if (view_->state == LoadView::State::loading && std::ranges::all_of(view_->stages, &StageView::ready)) {
        view_->state = LoadView::State::ready;
        actions_.emplace_back(action::ModelReady{view_->epoch});
    }
}

void Coordinator::on_failed(const NodeId& from, const StageFailed& failed, Time now)
{
    if (reported(from, failed.epoch, failed.stage, now) == nullptr) {
        return;
    }
    const Error reason = checked(failed.reason);
    Error sentence =
        failure("{} cannot run its part of {}. {}", membership_.name_of(from), view_->model_name, reason.text())
            .value();
    sentence.details = reason.details;
    fail(failed.epoch, from, std::move(sentence), now);
}

void Coordinator::on_released(const NodeId& from, const StageReleased& released, Time now)
{
    const auto [first, last] = releases_.equal_range(released.epoch);
    const auto confirmed = std::find_if(first, last, [&](const auto& entry) { return entry.second.node == from; });
    if (confirmed != last) {
        releases_.erase(confirmed);
        return;
    }
    const auto of_node = [&](const StageView& stage) { return stage.where.node == from; };
    if (in_force(released.epoch) && std::ranges::any_of(view_->stages, of_node)) {
        fail(released.epoch, from,
             failure("{} has given back its part of {}. Load the model again.", membership_.name_of(from),
                     view_->model_name)
                 .value(),
             now);
    }
}

void Coordinator::on_tick(Time now)
{
    for (auto& [epoch, release] : releases_) {
        if (release.again <= now) {
            release.again = now + kReleaseAgain;
            post_.send(release.node, StageRelease{epoch});
        }
    }
    if (!view_ || view_->state == LoadView::State::failed) {
        return;
    }
    for (std::uint32_t stage = 0; stage < stages_.size(); ++stage) {
        if (stages_[stage].ask_at <= now) {
            order(stage, now);
        }
    }
}

Time Coordinator::next_tick() const
{
    Time next = kNever;
    for (const auto& [epoch, release] : releases_) {
        next = std::min(next, release.again);
    }
    if (view_ && view_->state != LoadView::State::failed) {
        for (const Stage& stage : stages_) {
            next = std::min(next, stage.ask_at);
        }
    }
    return next;
}

bool Coordinator::in_force(Epoch epoch) const
{
    return view_ && view_->epoch == epoch && view_->state != LoadView::State::failed;
}

StageView* Coordinator::reported(const NodeId& from, Epoch epoch, std::uint32_t stage, Time now)
{
    if (!is_epoch_of(epoch, membership_.config().self)) {
        return nullptr;
    }
    see(epoch);
    if (in_force(epoch) && stage < view_->stages.size() && view_->stages[stage].where.node == from) {
        stages_[stage].ask_at = now + kAskAfter;
        return &view_->stages[stage];
    }
    if (!in_force(epoch)) {
        release(epoch, from, now);
    }
    return nullptr;
}

void Coordinator::order(std::uint32_t stage, Time now)
{
    stages_[stage].ask_at = now + kAskAgain;
    post_.send(plan_.stages[stage].node, StageOrder{view_->epoch, plan_.model, plan_.model_name, plan_.model_bytes,
                                                    plan_.kernels, plan_.context, plan_.stages, stage});
}

void Coordinator::release_all(Time now)
{
    if (!view_ || view_->state == LoadView::State::failed) {
        return;
    }
    std::set<NodeId> nodes;
    for (const StageView& stage : view_->stages) {
        nodes.insert(stage.where.node);
    }
    for (const NodeId& node : nodes) {
        release(view_->epoch, node, now);
    }
}

void Coordinator::release(Epoch epoch, const NodeId& node, Time now)
{
    const auto [first, last] = releases_.equal_range(epoch);
    if (releases_.size() >= kMostReleases ||
        std::any_of(first, last, [&](const auto& entry) { return entry.second.node == node; })) {
        return; // said again from time to time
    }
    releases_.emplace(epoch, Release{node, now + kReleaseAgain});
    post_.send(node, StageRelease{epoch});
}

void Coordinator::see(Epoch epoch)
{
    const Epoch count = epoch >> kEpochTagBits;
    if (count < kMostEpochs) {
        count_ = std::max(count_, count);
    }
}

} // namespace constela::cluster
