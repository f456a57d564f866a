// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/prefix_cache.h"

#include <algorithm>

namespace constela::runtime {

namespace {

/// Below this a shared prefix is not worth a copy of a page.
constexpr std::size_t kWorthwhile = 8;
constexpr std::size_t kMostKept = 64;

} // namespace

std::size_t common_prefix(std::span<const std::int32_t> a, std::span<const std::int32_t> b)
{
    const std::size_t length = std::min(a.size(), b.size());
    const auto end = a.begin() + static_cast<std::ptrdiff_t>(length);
    return static_cast<std::size_t>(std::mismatch(a.begin(), end, b.begin()).first - a.begin());
}

void PrefixCache::keep(SequenceId sequence, std::span<const std::int32_t> tokens)
{
    if (tokens.size() < kWorthwhile) {
        executor_.close(sequence);
        return;
    }
    // What the new one begins with is of no further use.
    std::erase_if(kept_, [&](const Kept& old) {
        const bool covered = common_prefix(old.tokens, tokens) == old.tokens.size();
        if (covered) {
            executor_.close(old.sequence);
        }
        return covered;
    });
    if (kept_.size() == kMostKept) {
        evict();
    }
    kept_.push_back({sequence, {tokens.begin(), tokens.end()}, ++counter_});
}

std::optional<SequenceId> PrefixCache::take(std::span<const std::int32_t> prompt)
{
    Kept* best = nullptr;
    std::size_t most = kWorthwhile - 1;
    for (Kept& one : kept_) {
        const std::size_t length = std::min(common_prefix(one.tokens, prompt), prompt.size() - 1);
        if (length > most && executor_.can_continue_at(one.sequence, length)) {
            most = length;
            best = &one;
        }
    }
    if (best == nullptr) {
        return std::nullopt;
    }
    best->used = ++counter_;
    if (most < best->tokens.size()) {
        return executor_.fork(best->sequence, most); // the rest may be asked for again
    }
    const SequenceId sequence = best->sequence;
    kept_.erase(kept_.begin() + (best - kept_.data()));
    return sequence;
}

bool PrefixCache::evict()
{
    if (kept_.empty()) {
        return false;
    }
    const auto oldest =
        std::min_element(kept_.begin(), kept_.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
    executor_.close(oldest->sequence);
    kept_.erase(oldest);
    return true;
}

void PrefixCache::clear()
{
    while (evict()) {
    }
}

} // namespace constela::runtime
