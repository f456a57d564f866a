// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/placement/search.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>

namespace constela::placement {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// Sums of the same numbers in another order differ by less: that is no gain.
constexpr double kRounding = 1e-9;

using Mask = std::uint32_t;

/// begun[set][device][shard]: the least time when `set` is in use, the last of it is `device`, and `shard` is the
/// first that it gets. A run's end is chosen by a sliding minimum: run time is a difference of two sums, and the first
/// shard that fits never falls as the end moves on.
class SubsetSearch {
public:
    SubsetSearch(const CostModel& cost, std::span<const std::size_t> devices)
        : cost_(cost), devices_(devices.begin(), devices.end()), shards_(cost.shards()),
          begun_((std::size_t{1} << devices.size()) * devices.size() * shards_, kInfinite), from_(begun_.size()),
          whole_(std::size_t{1} << devices.size())
    {
        for (const std::size_t device : devices_) {
            fitting_.push_back(first_fitting(cost, device));
        }
    }

    Routes run()
    {
        for (std::size_t k = 0; k < devices_.size(); ++k) {
            begun_[state(Mask{1} << k, k, 0)] = cost_.hop_seconds(cost_.coordinator(), devices_[k]);
        }
        for (Mask set = 1; set < whole_.size(); ++set) {
            for (std::size_t k = 0; k < devices_.size(); ++k) {
                if ((set >> k & 1U) != 0) {
                    go_on(set, k);
                }
            }
        }
        Routes routes;
        const Mask all = static_cast<Mask>(whole_.size() - 1);
        routes.best = route(best_of([](Mask) { return true; }));
        for (std::size_t k = 0; k < devices_.size(); ++k) {
            routes.with.push_back(route(best_of([k](Mask set) { return (set >> k & 1U) != 0; })));
        }
        routes.all = route(devices_.empty() ? 0 : all);
        return routes;
    }

private:
    struct From {
        std::uint32_t start = 0; ///< Where the device before began.
        std::uint32_t device = 0;
    };
    struct Whole {
        double seconds = kInfinite;
        From last; ///< Device and start of the last stage.
    };

    [[nodiscard]] std::size_t state(Mask set, std::size_t k, std::size_t shard) const
    {
        return (set * devices_.size() + k) * shards_ + shard;
    }

    void go_on(Mask set, std::size_t k)
    {
        const std::size_t base = state(set, k, 0);
        const auto before = [&](std::size_t start) { // less the time of the shards before, which the end adds again
            return begun_[base + start] - cost_.stage_seconds(devices_[k], 0, start);
        };
        std::deque<std::size_t> starts; // by place, and from the best to the worst
        for (std::size_t end = 1; end <= shards_; ++end) {
            const std::size_t fresh = end - 1;
            if (begun_[base + fresh] < kInfinite) {
                while (!starts.empty() && before(starts.back()) >= before(fresh)) {
                    starts.pop_back();
                }
                starts.push_back(fresh);
            }
            while (!starts.empty() && starts.front() < fitting_[k][end]) {
                starts.pop_front();
            }
            if (!starts.empty()) {
                const std::size_t start = starts.front();
                const double seconds = before(start) + cost_.stage_seconds(devices_[k], 0, end);
                hand_over(set, k, end, seconds, From{static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(k)});
            }
        }
    }

    void hand_over(Mask set, std::size_t k, std::size_t end, double seconds, From from)
    {
        if (end == shards_) {
            const double all = seconds + cost_.hop_seconds(devices_[k], cost_.coordinator());
            if (all < whole_[set].seconds) {
                whole_[set] = {all, from};
            }
            return;
        }
        for (std::size_t next = 0; next < devices_.size(); ++next) {
            if ((set >> next & 1U) == 0) {
                const std::size_t to = state(set | Mask{1} << next, next, end);
                const double there = seconds + cost_.hop_seconds(devices_[k], devices_[next]);
                if (there < begun_[to]) {
                    begun_[to] = there;
                    from_[to] = from;
                }
            }
        }
    }

    /// The fastest set; of those as fast as it the one with the fewest devices. 0: there is none.
    template <class Takes>
    [[nodiscard]] Mask best_of(Takes takes) const
    {
        double least = kInfinite;
        for (Mask set = 1; set < whole_.size(); ++set) {
            least = takes(set) ? std::min(least, whole_[set].seconds) : least;
        }
        Mask best = 0;
        for (Mask set = 1; set < whole_.size(); ++set) {
            const bool good = whole_[set].seconds < kInfinite && whole_[set].seconds <= least * (1 + kRounding);
            if (takes(set) && good && (best == 0 || std::popcount(set) < std::popcount(best))) {
                best = set;
            }
        }
        return best;
    }

    [[nodiscard]] Route route(Mask set) const
    {
        Route route;
        if (set == 0 || whole_[set].seconds == kInfinite) {
            return route;
        }
        route.seconds = whole_[set].seconds;
        From at = whole_[set].last;
        std::size_t end = shards_;
        while (true) {
            route.stages.push_back({devices_[at.device], at.start, end - at.start});
            if (at.start == 0) {
                break;
            }
            end = at.start;
            const From before = from_[state(set, at.device, at.start)];
            set &= ~(Mask{1} << at.device);
            at = before;
        }
        std::reverse(route.stages.begin(), route.stages.end());
        return route;
    }

    const CostModel& cost_;
    std::vector<std::size_t> devices_;
    std::vector<std::vector<std::size_t>> fitting_;
    std::size_t shards_;
    std::vector<double> begun_;
    std::vector<From> from_;
    std::vector<Whole> whole_; ///< By set.
};

} // namespace

Routes search_subsets(const CostModel& cost, std::span<const std::size_t> devices)
{
    return SubsetSearch(cost, devices).run();
}

} // namespace constela::placement
