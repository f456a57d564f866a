// SPDX-License-Identifier: GPL-3.0-or-later
//
// Virtual time: what happens when. Events of one moment happen in the order in which they were planned.
#pragma once

#include "engine/cluster/time.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace constela::simulation {

using cluster::Time;

class EventQueue {
public:
    [[nodiscard]] Time now() const { return now_; }
    [[nodiscard]] std::uint64_t steps() const { return steps_; }

    void at(Time when, std::function<void()> what)
    {
        events_.push_back({std::max(when, now_), next_++, std::move(what)});
        std::push_heap(events_.begin(), events_.end(), later);
    }
    void after(Time delay, std::function<void()> what) { at(now_ + delay, std::move(what)); }

    /// One event; false: none is left before `end`.
    bool step(Time end)
    {
        if (events_.empty() || events_.front().when > end) {
            now_ = end;
            return false;
        }
        std::pop_heap(events_.begin(), events_.end(), later);
        const Event event = std::move(events_.back());
        events_.pop_back();
        now_ = event.when;
        ++steps_;
        event.what();
        return true;
    }

private:
    struct Event {
        Time when;
        std::uint64_t number;
        std::function<void()> what;
    };
    static bool later(const Event& a, const Event& b)
    {
        return a.when != b.when ? a.when > b.when : a.number > b.number;
    }

    Time now_{0};
    std::uint64_t next_ = 0;
    std::uint64_t steps_ = 0;
    std::vector<Event> events_;
};

} // namespace constela::simulation
