// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a bandwidth is measured, without the network: how many blocks of which size may be under way, and what rate the
// arrivals show. It begins with one small block, so that a slow link is not filled for long after the end, and takes
// more and larger ones for as long as each comes back soon.
//
// Threads: one.
#pragma once

#include "engine/cluster/links/statistics.h"
#include "engine/cluster/time.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace constela::cluster {

class BulkPace {
public:
    /// `round_trip`: of a small message. `duration`: after it nothing is asked for.
    BulkPace(Time begin, Time duration, Time round_trip);

    [[nodiscard]] Time end() const { return end_; }
    [[nodiscard]] bool may_ask(Time now) const { return now < end_ && open_ < credit_; }
    [[nodiscard]] std::uint32_t block() const { return block_; }
    [[nodiscard]] std::size_t open() const { return open_; }

    void asked() { ++open_; }
    /// A block came (or was confirmed) that was asked for at `asked_at`.
    void arrived(Time now, Time asked_at, std::uint32_t bytes);

    /// Bytes a second. From groups of arrivals of some length each, without the first, in which the sender still warms
    /// up; without samples where nothing arrived.
    [[nodiscard]] Summary rate() const;

private:
    struct Arrival {
        Time when;
        std::uint32_t bytes;
    };

    Time begin_;
    Time end_;
    Time soon_; ///< A block that takes no longer shows that the link can take more.
    std::uint32_t block_;
    std::size_t credit_ = 1;
    std::size_t open_ = 0;
    std::size_t soon_in_a_row_ = 0;
    std::vector<Arrival> arrivals_;
};

} // namespace constela::cluster
