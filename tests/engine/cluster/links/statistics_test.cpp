// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/links/statistics.h"

#include <gtest/gtest.h>

namespace constela::cluster {
namespace {

TEST(Summary, HasMedianAndQuartiles)
{
    const Summary odd = summary_of({5, 1, 4, 2, 3});
    EXPECT_DOUBLE_EQ(odd.median, 3);
    EXPECT_DOUBLE_EQ(odd.low, 2);
    EXPECT_DOUBLE_EQ(odd.high, 4);
    EXPECT_EQ(odd.samples, 5U);
    EXPECT_DOUBLE_EQ(odd.spread(), 2.0 / 3.0);
    const Summary even = summary_of({1, 2, 3, 4});
    EXPECT_DOUBLE_EQ(even.median, 2.5);
    EXPECT_DOUBLE_EQ(even.low, 1.75);
    EXPECT_DOUBLE_EQ(even.high, 3.25);
}

TEST(Summary, IsNotMovedByOneBadSample)
{
    const Summary summary = summary_of({10, 10, 10, 10, 10, 10, 10, 1'000'000});
    EXPECT_DOUBLE_EQ(summary.median, 10);
    EXPECT_DOUBLE_EQ(summary.spread(), 0);
}

TEST(Summary, OfLittleIsStillOne)
{
    EXPECT_EQ(summary_of({}).samples, 0U);
    EXPECT_DOUBLE_EQ(summary_of({}).spread(), 0);
    EXPECT_DOUBLE_EQ(summary_of({7}).median, 7);
    EXPECT_DOUBLE_EQ(summary_of({7}).high, 7);
}

} // namespace
} // namespace constela::cluster
