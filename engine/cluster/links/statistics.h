// SPDX-License-Identifier: GPL-3.0-or-later
//
// Many samples in few numbers. Median and quartiles rather than mean and deviation: a machine that was busy for a
// moment makes single samples very bad, and these are not to move the result.
#pragma once

#include <cstddef>
#include <vector>

namespace constela::cluster {

struct Summary {
    double median = 0;
    double low = 0;  ///< A quarter of the samples is below.
    double high = 0; ///< A quarter is above.
    std::size_t samples = 0;

    /// How far the middle half of the samples spreads, as a part of the median; 0 without samples.
    [[nodiscard]] double spread() const { return median > 0 ? (high - low) / median : 0; }
};

/// Between two samples it is interpolated, as R's type 7 (Hyndman and Fan, Sample Quantiles in Statistical Packages,
/// 1996). Without samples all is 0.
[[nodiscard]] Summary summary_of(std::vector<double> samples);

} // namespace constela::cluster
