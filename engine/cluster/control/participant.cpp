// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/control/participant.h"

#include "engine/cluster/control/epochs.h"

#include <algorithm>
#include <utility>

namespace constela::cluster {
namespace {

constexpr std::size_t kMostStages = 256;
constexpr std::size_t kLongestDevice = 64;

const StagePlacement& placement(const StageOrder& order)
{
    return order.stages[order.stage];
}

} // namespace

void Participant::on_order(const NodeId& from, const StageOrder& order, Time now)
{
    if (const auto over = over_.find(from); over != over_.end() && order.epoch <= over->second.up_to) {
        if (held_.contains(order.epoch)) {
            return; // being freed; StageReleased follows
        }
        if (over->second.reason) {
            refuse(from, order, *over->second.reason);
        } else {
            post_.send(from, StageReleased{order.epoch});
        }
        return;
    }
    if (const auto held = held_.find(order.epoch); held != held_.end() && held->second.coordinator == from) {
        if (const auto stage = held->second.stages.find(order.stage); stage != held->second.stages.end()) {
            report(held->second, stage->second);
            return;
        }
    }
    if (const auto reason = objection(from, order)) {
        refuse(from, order, *reason);
        return;
    }
    std::vector<Epoch> older;
    for (const auto& [epoch, held] : held_) {
        if (held.coordinator == from && epoch < order.epoch && !held.releasing) {
            older.push_back(epoch);
        }
    }
    for (const Epoch epoch : older) {
        end(epoch, true, std::nullopt, now);
    }
    Held& held = held_[order.epoch];
    if (held.stages.empty()) {
        held.coordinator = from;
        held.incarnation = incarnation_of(from);
        held.next_report = now + kReportEvery;
    }
    Stage& stage = held.stages[order.stage];
    stage.order = order;
    stage.waiting_since = now;
    stage.progress = StageProgress{order.epoch, order.stage, StageProgress::Doing::fetching, 0, 0};
    if (!device_being_freed(placement(order).device)) {
        begin(stage, held, now);
    }
}

void Participant::on_release(const NodeId& from, const StageRelease& release, Time now)
{
    if (!is_epoch_of(release.epoch, from)) {
        return;
    }
    if (const auto held = held_.find(release.epoch); held != held_.end()) {
        end(release.epoch, true, std::nullopt, now);
        return;
    }
    note_over(from, {incarnation_of(from), release.epoch, std::nullopt});
    post_.send(from, StageReleased{release.epoch});
}

void Participant::on_joined(const NodeId& peer, Time now)
{
    if (const auto over = over_.find(peer); over != over_.end() && over->second.incarnation != incarnation_of(peer)) {
        over_.erase(over); // its epochs begin anew
    }
    for (auto& [epoch, held] : held_) {
        if (held.coordinator == peer && !held.releasing) {
            held.next_report = now;
        }
    }
}

void Participant::on_gone(const NodeId& peer, Departure why, Time now)
{
    std::vector<Epoch> epochs;
    for (const auto& [epoch, held] : held_) {
        if (held.coordinator == peer && !held.releasing) {
            epochs.push_back(epoch);
        }
    }
    const std::string& self = membership_.config().name;
    const std::string name = membership_.name_of(peer);
    for (const Epoch epoch : epochs) {
        const std::string model = held_.at(epoch).stages.begin()->second.order.model_name;
        Error reason =
            why == Departure::silent
                ? failure("{} gave back its part of {}, since it had heard nothing from {} for 3 seconds. Load the "
                          "model again.",
                          self, model, name)
                      .value()
                : failure("{} gave back its part of {}, since its connection to {} broke. Load the model again.", self,
                          model, name)
                      .value();
        end(epoch, false, std::move(reason), now);
    }
}

void Participant::on_stage_progress(const StageProgress& progress, Time now)
{
    Stage* stage = loading(progress.epoch, progress.stage);
    if (stage == nullptr) {
        return;
    }
    stage->progress = progress;
    if (now >= stage->next_progress || progress.done == progress.total) {
        stage->next_progress = now + kProgressEvery;
        report(held_.at(progress.epoch), *stage);
    }
}

void Participant::on_stage_ready(const StageReady& ready, Time)
{
    Stage* stage = loading(ready.epoch, ready.stage);
    if (stage == nullptr) {
        return;
    }
    stage->state = HeldView::State::ready;
    stage->ready = ready;
    report(held_.at(ready.epoch), *stage);
}

void Participant::on_stage_failed(const StageFailed& failed, Time)
{
    const auto held = held_.find(failed.epoch);
    if (held == held_.end() || held->second.releasing) {
        return;
    }
    const auto stage = held->second.stages.find(failed.stage);
    if (stage == held->second.stages.end() || stage->second.state == HeldView::State::failed) {
        return;
    }
    stage->second.state = HeldView::State::failed; // also one that was ready: its device may have died
    stage->second.reason = failed.reason;
    report(held->second, stage->second);
}

void Participant::on_stage_released(Epoch epoch, Time now)
{
    const auto held = held_.find(epoch);
    if (held == held_.end() || !held->second.releasing) {
        return;
    }
    if (held->second.tell) {
        post_.send(held->second.coordinator, StageReleased{epoch});
    }
    held_.erase(held);
    begin_waiting(now);
}

void Participant::release_all(Time now)
{
    std::vector<Epoch> epochs;
    for (const auto& [epoch, held] : held_) {
        epochs.push_back(epoch);
    }
    for (const Epoch epoch : epochs) {
        end(epoch, false, failure("Constela was closed on {}.", membership_.config().name).value(), now);
    }
}

void Participant::on_tick(Time now)
{
    for (auto& [epoch, held] : held_) {
        if (held.releasing) {
            continue;
        }
        for (auto& [number, stage] : held.stages) {
            if (stage.state == HeldView::State::waiting && stage.waiting_since + kReleasePatience <= now) {
                stage.state = HeldView::State::failed;
                stage.reason = failure("{} on {} has not given back what it held before within {} seconds. Restart "
                                       "Constela on {}, then load the model again.",
                                       placement(stage.order).device, membership_.config().name,
                                       std::chrono::duration_cast<std::chrono::seconds>(kReleasePatience).count(),
                                       membership_.config().name)
                                   .value();
                report(held, stage);
            }
        }
        if (held.next_report <= now) {
            held.next_report = now + kReportEvery;
            for (const auto& [number, stage] : held.stages) {
                report(held, stage);
            }
        }
    }
}

Time Participant::next_tick() const
{
    Time next = kNever;
    for (const auto& [epoch, held] : held_) {
        if (held.releasing) {
            continue;
        }
        next = std::min(next, held.next_report);
        for (const auto& [number, stage] : held.stages) {
            if (stage.state == HeldView::State::waiting) {
                next = std::min(next, stage.waiting_since + kReleasePatience);
            }
        }
    }
    return next;
}

std::vector<HeldView> Participant::view() const
{
    std::vector<HeldView> all;
    for (const auto& [epoch, held] : held_) {
        for (const auto& [number, stage] : held.stages) {
            all.push_back({epoch, held.coordinator, stage.order.model_name, number, placement(stage.order),
                           held.releasing ? HeldView::State::releasing : stage.state});
        }
    }
    return all;
}

Incarnation Participant::incarnation_of(const NodeId& coordinator) const
{
    const Member* member = membership_.find(coordinator);
    return member == nullptr ? membership_.incarnation() : member->incarnation.value_or(0);
}

void Participant::note_over(const NodeId& coordinator, Over over)
{
    if (over_.size() >= kMostPeers * 4 && !over_.contains(coordinator)) {
        over_.erase(over_.begin());
    }
    Over& known = over_[coordinator];
    if (known.incarnation != over.incarnation || over.up_to >= known.up_to) {
        known = std::move(over);
    }
}

void Participant::refuse(const NodeId& to, const StageOrder& order, const Error& reason)
{
    post_.send(to, StageFailed{order.epoch, order.stage, reason});
}

std::optional<Error> Participant::objection(const NodeId& from, const StageOrder& order) const
{
    const std::string& self = membership_.config().name;
    const auto sound = [&](const StagePlacement& stage) {
        return stage.shard_count > 0 && stage.first_shard + std::uint64_t(stage.shard_count) <= UINT32_MAX &&
               !stage.device.empty() && stage.device.size() <= kLongestDevice;
    };
    if (!is_epoch_of(order.epoch, from) || order.stages.size() > kMostStages || order.stage >= order.stages.size() ||
        placement(order).node != membership_.config().self || !std::ranges::all_of(order.stages, sound)) {
        return failure("{} was sent an order for a stage that makes no sense, from {}. Update Constela on both.", self,
                       membership_.name_of(from))
            .value();
    }
    for (const auto& [epoch, held] : held_) {
        if (held.coordinator == from && epoch > order.epoch) {
            return failure("{} already works at a newer placement of {}.", self, membership_.name_of(from)).value();
        }
        const bool same_epoch = epoch == order.epoch; // of two coordinators, whatever the odds
        if (held.coordinator == from || (held.releasing && !same_epoch)) {
            continue;
        }
        for (const auto& [number, stage] : held.stages) {
            if (placement(stage.order).device == placement(order).device || same_epoch) {
                return failure("{} on {} is in use for {}, which {} loaded. Unload it there, or choose other devices.",
                               placement(order).device, self, stage.order.model_name,
                               membership_.name_of(held.coordinator))
                    .value();
            }
        }
    }
    return std::nullopt;
}

bool Participant::device_being_freed(const std::string& device) const
{
    return std::ranges::any_of(held_, [&](const auto& entry) {
        return entry.second.releasing && std::ranges::any_of(entry.second.stages, [&](const auto& stage) {
                   return placement(stage.second.order).device == device;
               });
    });
}

void Participant::begin(Stage& stage, Held& held, Time now)
{
    stage.state = HeldView::State::loading;
    stage.next_progress = now;
    held.started = true;
    actions_.emplace_back(action::StartStage{stage.order, held.coordinator});
}

void Participant::begin_waiting(Time now)
{
    for (auto& [epoch, held] : held_) {
        for (auto& [number, stage] : held.stages) {
            if (!held.releasing && stage.state == HeldView::State::waiting &&
                !device_being_freed(placement(stage.order).device)) {
                begin(stage, held, now);
            }
        }
    }
}

void Participant::end(Epoch epoch, bool tell, std::optional<Error> reason, Time now)
{
    Held& held = held_.at(epoch);
    held.tell = held.tell || tell;
    note_over(held.coordinator, {held.incarnation, epoch, std::move(reason)});
    if (held.releasing) {
        return;
    }
    held.releasing = true;
    if (held.started) {
        actions_.emplace_back(action::ReleaseStage{epoch});
    } else {
        on_stage_released(epoch, now);
    }
}

void Participant::report(const Held& held, const Stage& stage)
{
    const Epoch epoch = stage.order.epoch;
    switch (stage.state) {
    case HeldView::State::waiting:
    case HeldView::State::loading: post_.send(held.coordinator, stage.progress); break;
    case HeldView::State::ready: post_.send(held.coordinator, stage.ready); break;
    case HeldView::State::failed:
        post_.send(held.coordinator, StageFailed{epoch, stage.order.stage, stage.reason});
        break;
    case HeldView::State::releasing: break;
    }
}

Participant::Stage* Participant::loading(Epoch epoch, std::uint32_t stage)
{
    const auto held = held_.find(epoch);
    if (held == held_.end() || held->second.releasing) {
        return nullptr;
    }
    const auto found = held->second.stages.find(stage);
    return found == held->second.stages.end() || found->second.state != HeldView::State::loading ? nullptr
                                                                                                 : &found->second;
}

} // namespace constela::cluster
