// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cost model against sums made by hand.
#include "engine/placement/cost_model.h"

#include "tests/engine/placement/cases.h"

#include <gtest/gtest.h>
#include <limits>

namespace constela::placement {
namespace {

constexpr double kOverhead = 30e-6;

TEST(CostModel, ReadsEachWeightOnceATokenWhereReadingIsSlower)
{
    const CostModel cost = cost_of(plain_request(4, {plain_device("a", 1000 * kMB)}));
    // 4 blocks and a head at 10 GB/s, a row of the embedding; two hops within the node.
    const double reading = (450e6 + 1000) / 10e9;
    const double hops = 2 * (kOverhead + 256 / 10e9);
    const IndexedStage whole{0, 0, 6};
    EXPECT_NEAR(cost.token_seconds({&whole, 1}), reading + hops, 1e-12);
}

TEST(CostModel, CountsOperationsWhereComputingIsSlower)
{
    PlanRequest request = plain_request(4, {plain_device("a", 1000 * kMB)});
    request.devices[0].int8_rate = 1e9; // 0.2 s a block, against 10 ms of reading
    const CostModel cost = cost_of(request);
    EXPECT_NEAR(cost.stage_seconds(0, 1, 4), 0.8, 1e-12);
    EXPECT_NEAR(cost.stage_seconds(0, 5, 1), 0.1, 1e-12);
}

TEST(CostModel, ReadsKeysAndValuesOfWhatIsHeld)
{
    PlanRequest request = plain_request(2, {plain_device("a", 1000 * kMB)});
    request.demand.context = 1000;
    request.demand.depth = 500;
    request.model.shards[1].kv_bytes_per_position = 20'000;
    request.model.shards[2].kv_bytes_per_position = 20'000;
    request.model.shards[2].kv_window = 100;
    const CostModel cost = cost_of(request);
    EXPECT_NEAR(cost.stage_seconds(0, 1, 1), (100e6 + 500 * 20e3) / 10e9, 1e-12);
    EXPECT_NEAR(cost.stage_seconds(0, 2, 1), (100e6 + 100 * 20e3) / 10e9, 1e-12);
}

TEST(CostModel, SumsHopsOverTheLinksThatAreTaken)
{
    PlanRequest request = plain_request(2, {plain_device("a", 1000 * kMB), plain_device("b", 1000 * kMB)});
    request.links.at(0, 1) = {1e-3, 1e6};
    request.links.at(1, 2) = {2e-3, 1e6};
    const CostModel cost = cost_of(request);
    const std::vector<IndexedStage> stages{{0, 0, 2}, {1, 2, 2}};
    const double computing = (250e6 + 1000) / 10e9;
    const double hops = (kOverhead + 256 / 10e9) + (1e-3 + kOverhead + 4096 / 1e6) + (2e-3 + kOverhead + 256 / 1e6);
    EXPECT_NEAR(cost.token_seconds(stages), computing + hops, 1e-12);
}

TEST(CostModel, HasNoWayOverALinkThatWasNotMeasured)
{
    PlanRequest request = plain_request(2, {plain_device("a", 1000 * kMB), plain_device("b", 1000 * kMB)});
    request.links.at(0, 1) = {};
    const CostModel cost = cost_of(request);
    EXPECT_EQ(cost.token_seconds(std::vector<IndexedStage>{{0, 0, 2}, {1, 2, 2}}),
              std::numeric_limits<double>::infinity());
    EXPECT_LT(cost.token_seconds(std::vector<IndexedStage>{{1, 0, 2}, {0, 2, 2}}), 1.0);
}

TEST(CostModel, CountsMemoryToTheByte)
{
    PlanRequest request = plain_request(2, {plain_device("a", 0)});
    request.demand.context = 100;
    request.model.kv_extra_positions = 10;
    for (ShardCosts& shard : request.model.shards) {
        shard.kv_bytes_per_position = 1000;
    }
    request.model.shards[2].kv_held_most = 50;
    request.model.workspace = 7;
    request.model.head_workspace = 11;
    request.model.shared_bytes = 50 * kMB;
    const CostModel cost = cost_of(request);
    EXPECT_EQ(cost.memory(1, 2).weights, 200 * kMB);
    EXPECT_EQ(cost.memory(1, 2).kv, 110'000U + 60'000U);
    EXPECT_EQ(cost.memory(1, 2).workspace, 7U);
    EXPECT_EQ(cost.memory(2, 2).workspace, 18U);
    EXPECT_EQ(cost.memory(0, 4).weights, 250 * kMB) << "embedding and head share their weights";
    EXPECT_EQ(cost.memory(1, 3).weights, 250 * kMB) << "without the embedding the head has them alone";
}

TEST(CostModel, FitsUpToTheLastByteBesideTheReserve)
{
    PlanRequest request = plain_request(2, {plain_device("a", 0)});
    request.model.workspace = 1000;
    request.devices[0].reserve = 5000;
    request.devices[0].memory_free = 200 * kMB + 1000 + 5000;
    EXPECT_TRUE(cost_of(request).fits(0, 1, 2));
    request.devices[0].memory_free -= 1;
    EXPECT_FALSE(cost_of(request).fits(0, 1, 2));
    request.devices[0].memory_free = 4999; // less than the reserve
    EXPECT_FALSE(cost_of(request).fits(0, 1, 0));
}

TEST(CostModel, OverlapsTheChunksOfAPromptOverItsStages)
{
    PlanRequest request = plain_request(4, {plain_device("a", 1000 * kMB), plain_device("b", 1000 * kMB)});
    request.demand = {.context = 4096, .prompt = 2048, .chunk = 256};
    for (std::size_t end = 0; end < 3; ++end) {
        for (std::size_t other = 0; other < 3; ++other) {
            request.links.at(end, other) = {0, 1e15};
        }
    }
    request.demand.hop_overhead_s = 0;
    request.devices[0].int8_rate = request.devices[1].int8_rate = 1e12;
    const CostModel cost = cost_of(request);
    // A block takes 256 x 2e8 / 1e12 s = 51.2 ms a chunk; the embedding reads 256 rows; the head has one token.
    const double block = 256 * 2e8 / 1e12;
    const double embed = 256 * 1000 / 10e9;
    const double head = 50e6 / 10e9;
    const IndexedStage whole{0, 0, 6};
    EXPECT_NEAR(cost.first_token_seconds({&whole, 1}), 8 * (4 * block + embed) + head, 1e-9);
    const std::vector<IndexedStage> halves{{0, 0, 3}, {1, 3, 3}};
    EXPECT_NEAR(cost.first_token_seconds(halves), 8 * (2 * block + embed) + 2 * block + head, 1e-6);
}

TEST(CostModel, ReadsNoMoreExpertsThanThereAre)
{
    PlanRequest request = plain_request(1, {plain_device("a", 1000 * kMB)});
    request.model.shards[1].read_bytes = 10 * kMB; // a tenth of the experts is chosen
    request.model.shards[1].operations_per_token = 0;
    request.demand.chunk = request.demand.prompt = 512;
    const CostModel cost = cost_of(request);
    EXPECT_NEAR(cost.stage_seconds(0, 1, 1), 10e6 / 10e9, 1e-12);
    EXPECT_NEAR(cost.chunk_seconds(0, 1, 1), 100e6 / 10e9, 1e-12);
}

} // namespace
} // namespace constela::placement
