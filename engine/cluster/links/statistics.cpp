// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/links/statistics.h"

#include <algorithm>
#include <cmath>

namespace constela::cluster {

namespace {

double quantile(const std::vector<double>& sorted, double part)
{
    const double place = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

} // namespace

Summary summary_of(std::vector<double> samples)
{
    if (samples.empty()) {
        return {};
    }
    std::sort(samples.begin(), samples.end());
    return {quantile(samples, 0.5), quantile(samples, 0.25), quantile(samples, 0.75), samples.size()};
}

} // namespace constela::cluster
