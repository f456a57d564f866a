// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/placement/search.h"

#include <algorithm>
#include <cmath>

namespace constela::placement {

namespace {

/// States of the exact search, of 16 bytes each: enough for 12 devices and 120 blocks, or 13 and 50.
constexpr std::size_t kMostStates = std::size_t{6} << 20U;
/// Sets of devices are bits of a number.
constexpr std::size_t kMostDevices = 16;

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
    const bool few = count <= kMostDevices && (std::size_t{1} << count) * count * cost.shards() <= kMostStates;
    return few ? search_subsets(cost, devices) : search_orders(cost, devices);
}

} // namespace constela::placement
