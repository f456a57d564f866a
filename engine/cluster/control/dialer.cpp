// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/control/dialer.h"

#include <algorithm>

namespace constela::cluster {
namespace {

constexpr std::size_t kMostKnown = 16;
constexpr std::size_t kMostTold = 8;
constexpr std::size_t kMostHints = 8;
constexpr std::size_t kLongestHost = 64; // an IPv6 address with its zone has fewer

} // namespace

bool plausible(const Address& address)
{
    return address.port != 0 && !address.host.empty() && address.host.size() <= kLongestHost &&
           std::ranges::all_of(address.host, [](char c) { return c > 0x20 && c < 0x7f; });
}

void Dialer::set_known(std::vector<Address> best_first, std::optional<Address> pinned)
{
    known_ = std::move(best_first);
    known_.resize(std::min(known_.size(), kMostKnown));
    pinned_ = std::move(pinned);
    arrange();
}

void Dialer::add_told(const std::vector<Address>& addresses)
{
    for (const Address& address : addresses) {
        if (!plausible(address) || std::ranges::find(told_, address) != told_.end()) {
            continue;
        }
        if (told_.size() == kMostTold) {
            told_.erase(told_.begin());
        }
        told_.push_back(address);
    }
    arrange();
}

void Dialer::add_hint(const Address& address, Time now)
{
    if (!plausible(address)) {
        return;
    }
    const auto same = [&](const Hint& hint) { return hint.address == address; };
    if (const auto found = std::ranges::find_if(hints_, same); found == hints_.end()) {
        if (hints_.size() == kMostHints) {
            const auto old = std::ranges::find_if(hints_, &Hint::tried);
            if (old == hints_.end()) {
                return;
            }
            hints_.erase(old);
        }
        hints_.push_back({address, false});
        arrange();
        // What was just seen is the likeliest to answer.
        const auto place = std::ranges::find(candidates_, address);
        position_ = static_cast<std::size_t>(place - candidates_.begin());
    }
    if (due_ != kNever) {
        due_ = std::min(due_, last_try_ ? std::max(now, *last_try_ + kDialEvery) : now);
    }
}

void Dialer::prefer(const Address& address)
{
    std::erase(known_, address);
    known_.insert(known_.begin(), address);
    known_.resize(std::min(known_.size(), kMostKnown));
    arrange();
}

void Dialer::start(Time first)
{
    position_ = 0;
    round_ = 0;
    due_ = first;
}

std::optional<Address> Dialer::next(Time now, std::uint64_t jitter)
{
    if (candidates_.empty()) {
        return std::nullopt;
    }
    if (position_ >= candidates_.size()) {
        position_ = 0;
        round_ = std::min(round_ + 1, 8U);
    }
    const Address address = candidates_[position_++];
    for (Hint& hint : hints_) {
        hint.tried = hint.tried || hint.address == address;
    }
    const Time pause = std::min(kDialEvery * (1U << round_), kDialAtMost);
    // Between 7/8 and all of it, so that two nodes do not go on missing each other in step.
    due_ = now + pause - Time(static_cast<Time::rep>(jitter % static_cast<std::uint64_t>(pause.count() / 8)));
    last_try_ = now;
    return address;
}

void Dialer::arrange()
{
    const std::optional<Address> upcoming =
        position_ < candidates_.size() ? std::optional(candidates_[position_]) : std::nullopt;
    candidates_.clear();
    const auto add = [&](const Address& address) {
        if (std::ranges::find(candidates_, address) == candidates_.end()) {
            candidates_.push_back(address);
        }
    };
    if (pinned_) {
        add(*pinned_);
    }
    std::ranges::for_each(known_, add);
    std::for_each(told_.rbegin(), told_.rend(), add);
    for (const Hint& hint : hints_) {
        add(hint.address);
    }
    const auto place = upcoming ? std::ranges::find(candidates_, *upcoming) : candidates_.end();
    position_ = upcoming && place != candidates_.end() ? static_cast<std::size_t>(place - candidates_.begin())
                                                       : std::min(position_, candidates_.size());
}

} // namespace constela::cluster
