// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which devices, in which order, cut where: the route with the least time a token. Each device holds at most one run of
// shards; a stage must fit and a hop must have its link.
//
// Of up to about 12 devices the optimum is found exactly, by dynamic programming over sets of devices (as Held and Karp
// do for the travelling salesman, with the next shard in the state). Of more, orders are improved step by step, and
// for each order the best choice of devices and cuts is found exactly.
//
// Threads: functions of their arguments. The same arguments give the same route.
#pragma once

#include "engine/placement/cost_model.h"

#include <limits>
#include <span>
#include <vector>

namespace constela::placement {

struct Route {
    double seconds = std::numeric_limits<double>::infinity(); ///< A token; infinite: there is no such route.
    std::vector<IndexedStage> stages;
    [[nodiscard]] bool found() const { return !stages.empty(); }
};

struct Routes {
    Route best;
    std::vector<Route> with; ///< The best one that uses devices[i], for each i.
    Route all;               ///< The best one that uses all.
};

/// Of `devices` (their places in the cost model's list, each once). Exact where few enough.
[[nodiscard]] Routes search(const CostModel& cost, std::span<const std::size_t> devices);

/// Exact. Memory and time grow with 2 to the power of the devices: at most 16.
[[nodiscard]] Routes search_subsets(const CostModel& cost, std::span<const std::size_t> devices);
/// Orders improved step by step.
[[nodiscard]] Routes search_orders(const CostModel& cost, std::span<const std::size_t> devices);

/// The best route whose devices come in this order; exact. Those that are not required may be left out.
[[nodiscard]] Route best_in_order(const CostModel& cost, std::span<const std::size_t> order,
                                  const std::vector<bool>& required);
/// All devices in this order, cut so that the slowest stage of a prompt's chunks is as fast as can be: what makes
/// prompts, and many sequences at once, go fastest.
[[nodiscard]] Route balanced_in_order(const CostModel& cost, std::span<const std::size_t> order);

/// For each end, the first shard from which a run up to there fits the device; the end itself where none does. Never
/// falls, since a longer run needs no less memory.
[[nodiscard]] std::vector<std::size_t> first_fitting(const CostModel& cost, std::size_t device);

} // namespace constela::placement
