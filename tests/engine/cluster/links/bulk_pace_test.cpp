// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pace over links that are simulated in virtual time: a queue of a given rate and a delay.
#include "engine/cluster/links/bulk_pace.h"

#include "engine/cluster/links/probe_protocol.h"

#include <deque>
#include <gtest/gtest.h>

namespace constela::cluster {
namespace {

using namespace std::chrono_literals;

struct Outcome {
    Summary rate;
    Time drained{0};         ///< How long after the end the last block came.
    std::uint32_t block = 0; ///< Of the last request.
};

Outcome simulate(double bytes_per_s, Time delay, Time duration = 1500ms)
{
    struct Block {
        Time asked;
        Time comes;
        std::uint32_t bytes;
    };
    BulkPace pace(0ns, duration, 2 * delay);
    std::deque<Block> under_way;
    Time now{0};
    Time link_free{0};
    Outcome outcome;
    while (true) {
        while (pace.may_ask(now)) {
            const auto sending =
                std::chrono::duration_cast<Time>(std::chrono::duration<double>(pace.block() / bytes_per_s));
            link_free = std::max(link_free, now + delay) + sending;
            under_way.push_back({now, link_free + delay, pace.block()});
            outcome.block = pace.block();
            pace.asked();
        }
        if (under_way.empty()) {
            break;
        }
        const Block block = under_way.front();
        under_way.pop_front();
        now = block.comes;
        if (now >= pace.end()) { // what comes later is in no result
            outcome.drained = (under_way.empty() ? block.comes : under_way.back().comes) - pace.end();
            break;
        }
        pace.arrived(now, block.asked, block.bytes);
    }
    outcome.rate = pace.rate();
    return outcome;
}

TEST(BulkPace, FindsTheRateOfAnyLink)
{
    struct Link {
        double bytes_per_s;
        Time delay;
    };
    for (const Link& link : {Link{125e3, 1ms}, Link{1.25e6, 5ms}, Link{12.5e6, 200us}, Link{125e6, 100us},
                             Link{125e6, 2ms}, Link{1.25e9, 50us}, Link{5e9, 20us}}) {
        const Outcome outcome = simulate(link.bytes_per_s, link.delay);
        EXPECT_NEAR(outcome.rate.median, link.bytes_per_s, link.bytes_per_s * 0.05) << link.bytes_per_s;
        EXPECT_LT(outcome.rate.spread(), 0.15) << link.bytes_per_s;
    }
}

TEST(BulkPace, LeavesLittleOnASlowLink)
{
    EXPECT_LT(simulate(125e3, 1ms).drained, 400ms); // 1 Mbit/s
    EXPECT_LT(simulate(12.5e6, 1ms).drained, 150ms);
}

TEST(BulkPace, TakesLargeBlocksWhereTheLinkIsFast)
{
    EXPECT_EQ(simulate(125e3, 1ms).block, kSmallBlock);
    EXPECT_EQ(simulate(125e6, 100us).block, kLargeBlock);
}

TEST(BulkPace, SaysNothingWhereNothingCame)
{
    const BulkPace pace(0ns, 1s, 1ms);
    EXPECT_EQ(pace.rate().samples, 0U);
    EXPECT_TRUE(pace.may_ask(0ns));
    EXPECT_FALSE(pace.may_ask(1s));
}

TEST(BulkPace, KeepsToItsCredit)
{
    BulkPace pace(0ns, 1s, 1ms);
    pace.asked();
    EXPECT_FALSE(pace.may_ask(1ms));
    pace.arrived(2ms, 0ns, kSmallBlock);
    pace.asked();
    EXPECT_TRUE(pace.may_ask(2ms));
    pace.asked();
    EXPECT_FALSE(pace.may_ask(2ms));
}

} // namespace
} // namespace constela::cluster
