// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/placement/search.h"

#include <algorithm>
#include <cmath>

namespace constela::placement {

namespace {

/// States of the exact search: 12 devices and a model of 160 blocks; about 100 MB for a moment.
constexpr std::size_t kMostStates = std::size_t{8} << 20U;

} // namespace

std::vector<std::size_t> first_fitting(const CostModel& cost, std::size_t device)
{
    std::vector<std::size_t> first(cost.shards() + 1, 0);
    std::size_t begin = 0;
    for (std::size_t end = 1; end <= cost.shards(); ++end) {
        while (begin < end && !cost.fits(device, begin, end - begin)) {
            ++begin;
        }
        first[end] = begin;
    }
    return first;
}

Routes search(const CostModel& cost, std::span<const std::size_t> devices)
{
    const std::size_t count = devices.size();
    const bool few = count <= 12 && (std::size_t{1} << count) * count * cost.shards() <= kMostStates;
    return few ? search_subsets(cost, devices) : search_orders(cost, devices);
}

} // namespace constela::placement
