// SPDX-License-Identifier: GPL-3.0-or-later
//
// The search against trying everything, on small random clusters, each replayed from its seed.
#include "engine/placement/search.h"

#include "engine/placement/fitting.h"
#include "tests/engine/placement/cases.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace constela::placement {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Small whole numbers of memory, so that edges are met; random speeds and links, some links missing.
PlanRequest random_request(std::uint32_t seed, std::size_t devices, std::size_t blocks)
{
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
    std::vector<DeviceCosts> all;
    for (std::size_t i = 0; i < devices; ++i) {
        all.push_back(plain_device("d" + std::to_string(i),
                                   (50 + 50 * below(2 * static_cast<std::uint32_t>(blocks))) * kMB,
                                   1e9 * (1 + below(20))));
        all.back().int8_rate = 1e10 * (1 + below(20));
        all.back().reserve = below(2) * 25 * kMB;
    }
    PlanRequest request = plain_request(blocks, std::move(all));
    for (ShardCosts& shard : request.model.shards) {
        shard.weight_bytes = (1 + below(3)) * 50 * kMB;
        shard.read_bytes = shard.weight_bytes / (1 + below(3));
    }
    request.model.shared_bytes = below(2) * 50 * kMB;
    request.model.workspace = below(3) * 10 * kMB;
    request.model.head_workspace = below(3) * 10 * kMB;
    for (std::size_t from = 0; from <= devices; ++from) {
        for (std::size_t to = 0; to <= devices; ++to) {
            if (from != to) {
                request.links.at(from, to) = {1e-4 * below(200), below(6) == 0 ? 0.0 : 1e6 * (1 + below(100))};
            }
        }
    }
    return request;
}

/// Every order of every set, every cut.
class Everything {
public:
    explicit Everything(const CostModel& cost) : cost_(cost), with(cost.devices().size(), kInfinite)
    {
        std::vector<IndexedStage> stages;
        extend(stages, 0);
    }

private:
    const CostModel& cost_;
    void extend(std::vector<IndexedStage>& stages, std::size_t next)
    {
        if (next == cost_.shards()) {
            if (cost_.possible(stages)) {
                take(stages, cost_.token_seconds(stages));
            }
            return;
        }
        for (std::size_t device = 0; device < cost_.devices().size(); ++device) {
            if (std::any_of(stages.begin(), stages.end(), [&](const auto& stage) { return stage.device == device; })) {
                continue;
            }
            for (std::size_t count = 1; next + count <= cost_.shards(); ++count) {
                stages.push_back({device, next, count});
                if (cost_.fits(device, next, count)) {
                    held = std::max(held, next + count);
                    extend(stages, next + count);
                }
                stages.pop_back();
            }
        }
    }
    void take(const std::vector<IndexedStage>& stages, double seconds)
    {
        best = std::min(best, seconds);
        for (const IndexedStage& stage : stages) {
            with[stage.device] = std::min(with[stage.device], seconds);
        }
        if (stages.size() == cost_.devices().size()) {
            all = std::min(all, seconds);
        }
    }

public:
    double best = kInfinite;
    double all = kInfinite;
    std::vector<double> with;
    std::size_t held = 0; ///< The most shards from the first on that devices can hold.
};

void expect_route(const CostModel& cost, const Route& route, double seconds, const char* what)
{
    if (seconds == kInfinite) {
        EXPECT_FALSE(route.found()) << what;
        return;
    }
    ASSERT_TRUE(route.found()) << what;
    EXPECT_NEAR(route.seconds, seconds, seconds * 1e-9) << what;
    EXPECT_TRUE(cost.possible(route.stages)) << what;
    EXPECT_NEAR(cost.token_seconds(route.stages), seconds, seconds * 1e-9) << what;
    std::size_t next = 0;
    for (const IndexedStage& stage : route.stages) {
        EXPECT_EQ(stage.first, next) << what;
        next += stage.count;
    }
    EXPECT_EQ(next, cost.shards()) << what;
}

std::vector<std::size_t> all_of(const CostModel& cost)
{
    std::vector<std::size_t> devices(cost.devices().size());
    std::iota(devices.begin(), devices.end(), std::size_t{0});
    return devices;
}

class RandomCluster : public testing::TestWithParam<std::uint32_t> {};

TEST_P(RandomCluster, HasNoBetterRouteThanTheOneThatIsFound)
{
    for (std::uint32_t seed = GetParam() * 100; seed < GetParam() * 100 + 60; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const CostModel cost = cost_of(random_request(seed, 1 + seed % 4, 1 + seed % 5));
        const Everything everything(cost);
        const Routes routes = search_subsets(cost, all_of(cost));
        expect_route(cost, routes.best, everything.best, "best");
        expect_route(cost, routes.all, everything.all, "all");
        for (std::size_t i = 0; i < cost.devices().size(); ++i) {
            expect_route(cost, routes.with[i], everything.with[i], "with one");
        }
    }
}

TEST_P(RandomCluster, HoldsAsManyShardsAsIsSaid)
{
    for (std::uint32_t seed = GetParam() * 100; seed < GetParam() * 100 + 60; ++seed) {
        const CostModel cost = cost_of(random_request(seed, 1 + seed % 4, 1 + seed % 5));
        EXPECT_EQ(shards_held(cost, all_of(cost)), Everything(cost).held) << "seed " << seed;
    }
}

TEST_P(RandomCluster, IsServedNearlyAsWellByImprovedOrders)
{
    std::size_t as_good = 0;
    std::size_t possible = 0;
    for (std::uint32_t seed = GetParam() * 100; seed < GetParam() * 100 + 20; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const CostModel cost = cost_of(random_request(seed, 6, 8));
        const Routes exact = search_subsets(cost, all_of(cost));
        const Routes improved = search_orders(cost, all_of(cost));
        if (improved.best.found()) {
            expect_route(cost, improved.best, improved.best.seconds, "best");
            EXPECT_GE(improved.best.seconds, exact.best.seconds * (1 - 1e-9));
        }
        possible += exact.best.found() ? 1U : 0U;
        as_good += improved.best.found() && improved.best.seconds <= exact.best.seconds * 1.001 ? 1U : 0U;
    }
    EXPECT_GE(as_good * 10, possible * 9);
}

TEST_P(RandomCluster, InAGivenOrderIsCutBest)
{
    for (std::uint32_t seed = GetParam() * 100; seed < GetParam() * 100 + 40; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const CostModel cost = cost_of(random_request(seed, 3, 1 + seed % 4));
        const std::vector<std::size_t> order = all_of(cost);
        std::vector<bool> required{(seed & 1U) != 0, (seed & 2U) != 0, (seed & 4U) != 0};
        double best = kInfinite;
        double slowest = kInfinite;
        for (std::size_t a = 0; a <= cost.shards(); ++a) {
            for (std::size_t b = a; b <= cost.shards(); ++b) {
                const std::vector<IndexedStage> cut{{0, 0, a}, {1, a, b - a}, {2, b, cost.shards() - b}};
                std::vector<IndexedStage> stages;
                bool good = true;
                for (const IndexedStage& stage : cut) {
                    good = good && (stage.count > 0 || !required[stage.device]);
                    if (stage.count > 0) {
                        stages.push_back(stage);
                    }
                }
                if (good && cost.possible(stages)) {
                    best = std::min(best, cost.token_seconds(stages));
                }
                if (stages.size() == 3 && cost.possible(stages)) {
                    double worst = 0;
                    for (const IndexedStage& stage : stages) {
                        worst = std::max(worst, cost.chunk_seconds(stage.device, stage.first, stage.count));
                    }
                    slowest = std::min(slowest, worst);
                }
            }
        }
        expect_route(cost, best_in_order(cost, order, required), best, "in order");
        const Route balanced = balanced_in_order(cost, order);
        ASSERT_EQ(balanced.found(), slowest < kInfinite);
        double worst = 0;
        for (const IndexedStage& stage : balanced.stages) {
            EXPECT_TRUE(cost.fits(stage.device, stage.first, stage.count));
            worst = std::max(worst, cost.chunk_seconds(stage.device, stage.first, stage.count));
        }
        if (balanced.found()) {
            EXPECT_NEAR(worst, slowest, slowest * 1e-6);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomCluster, testing::Range(1U, 6U));

TEST(Search, ManagesSixteenDevicesAndEightyBlocks)
{
    const CostModel cost = cost_of(random_request(7, 16, 80));
    const Routes routes = search(cost, all_of(cost));
    ASSERT_TRUE(routes.best.found());
    EXPECT_TRUE(cost.possible(routes.best.stages));
}

TEST(Search, TakesFewerDevicesWhereMoreWouldNotBeFaster)
{
    PlanRequest request = plain_request(4, {plain_device("a", 1000 * kMB), plain_device("b", 1000 * kMB)});
    request.demand.hop_overhead_s = 0;
    for (std::size_t from = 0; from < 3; ++from) {
        for (std::size_t to = 0; to < 3; ++to) {
            request.links.at(from, to) = {0, kInfinite};
        }
    }
    const CostModel cost = cost_of(request);
    EXPECT_EQ(search(cost, all_of(cost)).best.stages.size(), 1U);
}

} // namespace
} // namespace constela::placement
