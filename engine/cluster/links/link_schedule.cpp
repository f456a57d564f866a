// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/links/link_schedule.h"

#include <algorithm>

namespace constela::cluster {

LinkSchedule::Pair LinkSchedule::pair_of(const NodeId& one, const NodeId& other)
{
    return one < other ? Pair{one, other} : Pair{other, one};
}

const LinkNode* LinkSchedule::node(const NodeId& id) const
{
    const auto found = std::find_if(nodes_.begin(), nodes_.end(), [&](const LinkNode& node) { return node.id == id; });
    return found == nodes_.end() ? nullptr : &*found;
}

bool LinkSchedule::there(const Pair& pair) const
{
    return node(pair.first) != nullptr && node(pair.second) != nullptr;
}

void LinkSchedule::set_nodes(std::vector<LinkNode> nodes)
{
    nodes_ = std::move(nodes);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        for (std::size_t j = i; j < nodes_.size(); ++j) {
            const Pair pair = pair_of(nodes_[i].id, nodes_[j].id);
            State& state = pairs_[pair];
            const Address& first = node(pair.first)->bulk;
            const Address& second = node(pair.second)->bulk;
            if (pair.first != pair.second && (state.first != first || state.second != second)) {
                state.measured = false; // another way, perhaps another speed
                state.not_before = Time{0};
                state.wait = Time{0};
                state.first = first;
                state.second = second;
            }
        }
    }
    for (auto& [pair, state] : pairs_) {
        state.asked = state.asked && there(pair);
    }
    if (running_ && !there(running_->pair)) {
        running_.reset();
    }
}

void LinkSchedule::forget(const NodeId& node)
{
    std::erase_if(nodes_, [&](const LinkNode& other) { return other.id == node; });
    std::erase_if(pairs_, [&](const auto& pair) { return pair.first.first == node || pair.first.second == node; });
    book_.forget(node);
    if (running_ && (running_->pair.first == node || running_->pair.second == node)) {
        running_.reset();
    }
}

void LinkSchedule::request(std::span<const NodeId> nodes)
{
    const auto wanted = [&](const NodeId& node) {
        return nodes.empty() || std::find(nodes.begin(), nodes.end(), node) != nodes.end();
    };
    for (auto& [pair, state] : pairs_) {
        state.asked = state.asked || (there(pair) && wanted(pair.first) && wanted(pair.second));
    }
}

void LinkSchedule::request_missing(std::span<const NodeId> nodes)
{
    const auto wanted = [&](const NodeId& node) { return std::find(nodes.begin(), nodes.end(), node) != nodes.end(); };
    for (auto& [pair, state] : pairs_) {
        state.asked = state.asked || (!state.measured && there(pair) && wanted(pair.first) && wanted(pair.second));
    }
}

bool LinkSchedule::settled() const
{
    return std::none_of(pairs_.begin(), pairs_.end(), [](const auto& pair) { return pair.second.asked; });
}

bool LinkSchedule::due(const Pair& pair, const State& state) const
{
    return there(pair) && (state.asked || (!state.measured && !busy_));
}

std::optional<LinkTask> LinkSchedule::next(Time now)
{
    if (running_ && now >= running_->until) {
        const LinkNode* prober = node(running_->task.prober);
        fail(failure("{} did not report on its link to {}. It will be tried again.",
                     prober == nullptr ? std::string() : prober->name, running_->task.target_name)
                 .value(),
             now);
    }
    if (running_) {
        return std::nullopt;
    }
    for (const bool asked : {true, false}) { // those that somebody waits for come first
        for (auto& [pair, state] : pairs_) {
            if (due(pair, state) && state.asked == asked && (asked || now >= state.not_before)) {
                return begin(pair, state, now);
            }
        }
    }
    return std::nullopt;
}

LinkTask LinkSchedule::begin(const Pair& pair, State& state, Time now)
{
    // This node measures its own links; of two others the one with the smaller id does.
    const NodeId prober = pair.second == own_ ? pair.second : pair.first;
    const NodeId target = prober == pair.first ? pair.second : pair.first;
    state.asked = true; // until it is done
    const LinkNode& to = *node(target);
    running_ = Running{{++last_task_, prober, target, to.name, to.bulk}, pair, now + kTaskWithin};
    return running_->task;
}

std::optional<Time> LinkSchedule::wake_at() const
{
    if (running_) {
        return running_->until;
    }
    std::optional<Time> earliest;
    for (const auto& [pair, state] : pairs_) {
        if (due(pair, state)) {
            const Time at = state.asked ? Time{0} : state.not_before;
            earliest = earliest ? std::min(*earliest, at) : at;
        }
    }
    return earliest;
}

std::vector<Error> LinkSchedule::measured(std::uint64_t task, std::span<const LinkMeasurement> measurements)
{
    std::vector<Error> alarms;
    if (!running_ || running_->task.number != task) {
        return alarms;
    }
    State& state = pairs_[running_->pair];
    const LinkNode* target = node(running_->task.target);
    state.measured = target != nullptr && target->bulk == running_->task.address; // else it has moved meanwhile
    state.asked = false;
    state.wait = Time{0};
    state.failure.reset();
    const Pair pair = running_->pair;
    running_.reset();
    for (const LinkMeasurement& measurement : measurements) {
        if (pair_of(measurement.from, measurement.to) != pair) {
            continue; // a node speaks of its own links only
        }
        if (auto alarm = book_.add(measurement, node(measurement.from)->name, node(measurement.to)->name)) {
            alarms.push_back(*std::move(alarm));
        }
    }
    return alarms;
}

void LinkSchedule::failed(std::uint64_t task, Error reason, Time now)
{
    if (running_ && running_->task.number == task) {
        fail(std::move(reason), now);
    }
}

void LinkSchedule::fail(Error reason, Time now)
{
    State& state = pairs_[running_->pair];
    running_.reset();
    state.asked = false;
    state.measured = false;
    state.wait = state.wait == Time{0} ? kFirstRetry : std::min(2 * state.wait, kLongestRetry);
    state.not_before = now + state.wait;
    state.failure = std::move(reason);
}

std::vector<LinkFailure> LinkSchedule::failures() const
{
    std::vector<LinkFailure> failures;
    for (const auto& [pair, state] : pairs_) {
        if (state.failure) {
            failures.push_back({pair.first, pair.second, *state.failure});
        }
    }
    return failures;
}

} // namespace constela::cluster
