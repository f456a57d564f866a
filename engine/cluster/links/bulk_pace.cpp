// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/links/bulk_pace.h"

#include "engine/cluster/links/probe_protocol.h"

#include <algorithm>

namespace constela::cluster {

namespace {

using namespace std::chrono_literals;

/// Blocks under way; with the large ones 4 MiB, which keeps 10 Gbit/s busy over 3 ms.
constexpr std::size_t kMostCredit = 16;
/// How long blocks may queue up on the link.
constexpr Time kQueue = 50ms;
/// So many small blocks in a row that come soon, and large ones follow.
constexpr std::size_t kSmallBlocks = 8;
/// The samples that a whole measurement gives.
constexpr int kGroups = 15;

double seconds(Time time)
{
    return std::chrono::duration<double>(time).count();
}

} // namespace

BulkPace::BulkPace(Time begin, Time duration, Time round_trip)
    : begin_(begin), end_(begin + duration), soon_(kQueue + 4 * round_trip), block_(kSmallBlock)
{
}

void BulkPace::arrived(Time now, Time asked_at, std::uint32_t bytes)
{
    open_ -= std::min<std::size_t>(open_, 1);
    arrivals_.push_back({now, bytes});
    if (now - asked_at > soon_) {
        soon_in_a_row_ = 0;
        credit_ = std::max<std::size_t>(credit_ - 1, 1);
        return;
    }
    ++soon_in_a_row_;
    credit_ = std::min(credit_ + 1, kMostCredit);
    // A large block is 16 small ones: it must still come soon.
    if (block_ == kSmallBlock && soon_in_a_row_ >= kSmallBlocks &&
        (now - asked_at) / static_cast<int>(credit_) < soon_ / 16) {
        block_ = kLargeBlock;
        credit_ = std::max<std::size_t>(credit_ / 4, 1);
    }
}

Summary BulkPace::rate() const
{
    const Time group = (end_ - begin_) / kGroups;
    std::vector<double> rates;
    Time from = begin_;
    double bytes = 0;
    for (const Arrival& arrival : arrivals_) {
        bytes += arrival.bytes;
        if (arrival.when - from >= group && arrival.when > from) {
            rates.push_back(bytes / seconds(arrival.when - from));
            from = arrival.when;
            bytes = 0;
        }
    }
    if (rates.size() > 3) {
        rates.erase(rates.begin());
    }
    if (rates.empty() && !arrivals_.empty() && arrivals_.back().when > begin_) { // all came within a moment
        rates.push_back(bytes / seconds(arrivals_.back().when - begin_));
    }
    return summary_of(std::move(rates));
}

} // namespace constela::cluster
