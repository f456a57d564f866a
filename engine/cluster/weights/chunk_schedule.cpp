// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/weights/chunk_schedule.h"

#include <algorithm>
#include <utility>

namespace constela::cluster {

ChunkSchedule::ChunkSchedule(std::span<const std::uint32_t> chunks, std::size_t peers)
    : queue_(chunks.begin(), chunks.end()), peers_(peers)
{
    for (const std::uint32_t chunk : chunks) {
        wanted_.emplace(chunk, State{});
    }
}

bool ChunkSchedule::needs(std::uint32_t chunk) const
{
    const auto found = wanted_.find(chunk);
    return found != wanted_.end() && !found->second.arrived;
}

bool ChunkSchedule::has_all(std::size_t peer) const
{
    return std::ranges::all_of(wanted_, [&](const auto& entry) { return has(peer, entry.first); });
}

std::size_t ChunkSchedule::held_by_none(std::span<const std::size_t> peers) const
{
    return static_cast<std::size_t>(std::ranges::count_if(wanted_, [&](const auto& entry) {
        return !entry.second.arrived &&
               std::ranges::none_of(peers, [&](std::size_t peer) { return has(peer, entry.first); });
    }));
}

std::optional<std::uint32_t> ChunkSchedule::take(std::size_t peer, Time now)
{
    const auto first = std::ranges::find_if(queue_, [&](std::uint32_t chunk) { return has(peer, chunk); });
    if (first != queue_.end()) {
        const std::uint32_t chunk = *first;
        queue_.erase(first);
        State& state = wanted_.at(chunk);
        state.queued = false;
        state.asked.emplace(peer, now);
        return chunk;
    }
    const Time slow = std::max(kSlow, 2 * typical_);
    for (auto& [chunk, state] : wanted_) {
        const bool late = std::ranges::all_of(state.asked, [&](const auto& ask) { return now - ask.second > slow; });
        if (!state.arrived && !state.queued && late && state.asked.size() < kCopies && !state.asked.contains(peer) &&
            has(peer, chunk)) {
            state.asked.emplace(peer, now);
            return chunk;
        }
    }
    return std::nullopt;
}

void ChunkSchedule::queue(std::uint32_t chunk, State& state)
{
    if (!state.queued && !state.arrived && state.asked.empty()) {
        state.queued = true;
        queue_.push_front(chunk); // it has waited for longest
    }
}

bool ChunkSchedule::arrived(std::size_t peer, std::uint32_t chunk, Time now)
{
    const auto found = wanted_.find(chunk);
    if (found == wanted_.end()) {
        return false;
    }
    if (const auto ask = found->second.asked.find(peer); ask != found->second.asked.end()) {
        const Time took = now - ask->second;
        typical_ = typical_ == Time{0} ? took : (7 * typical_ + took) / 8;
        found->second.asked.erase(ask);
    }
    return !std::exchange(found->second.arrived, true);
}

void ChunkSchedule::stored(std::uint32_t chunk)
{
    wanted_.erase(chunk);
    std::erase(queue_, chunk);
}

void ChunkSchedule::spoiled(std::uint32_t chunk)
{
    if (const auto found = wanted_.find(chunk); found != wanted_.end()) {
        found->second.arrived = false;
        queue(chunk, found->second);
    }
}

void ChunkSchedule::lacks(std::size_t peer, std::uint32_t chunk)
{
    if (has(peer, chunk)) {
        peers_[peer][chunk] = false;
    }
    if (const auto found = wanted_.find(chunk); found != wanted_.end()) {
        found->second.asked.erase(peer);
        queue(chunk, found->second);
    }
}

void ChunkSchedule::lost(std::size_t peer)
{
    for (auto& [chunk, state] : wanted_) {
        if (state.asked.erase(peer) > 0) {
            queue(chunk, state);
        }
    }
}

} // namespace constela::cluster
