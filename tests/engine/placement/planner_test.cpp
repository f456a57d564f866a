// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/placement/planner.h"

#include "engine/placement/fitting.h"
#include "engine/placement/plan_json.h"
#include "tests/engine/placement/cases.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace constela::placement {
namespace {

Plan must_plan(const PlanRequest& request)
{
    auto made = plan(request);
    EXPECT_TRUE(made) << made.error().text();
    return made ? *std::move(made) : Plan{};
}

std::string refusal(const PlanRequest& request)
{
    const auto made = plan(request);
    EXPECT_FALSE(made);
    return made ? "" : made.error().text();
}

bool says(const std::string& sentence, std::string_view part)
{
    return sentence.find(part) != std::string::npos;
}

TEST(Planner, LeavesAModelThatFitsOneDeviceThere)
{
    const Plan made = must_plan(plain_request(4, {plain_device("a", 1000 * kMB), plain_device("b", 1000 * kMB)}));
    EXPECT_EQ(made.placement, (Placement{{{"a", 0, 6}}}));
    ASSERT_EQ(made.left_out.size(), 1U);
    EXPECT_EQ(made.left_out[0].device, "b");
    EXPECT_TRUE(says(made.left_out[0].reason.text(), "instead of 45.1 ms")) << made.left_out[0].reason.text();
    EXPECT_TRUE(says(made.why.text(), "a holds all of Plain, and no split")) << made.why.text();
    EXPECT_NEAR(made.predicted.tokens_per_second, 1000 / 45.06, 0.01);
    ASSERT_EQ(made.predicted.memory.size(), 1U);
    EXPECT_EQ(made.predicted.memory[0].use.weights, 500 * kMB);
    EXPECT_EQ(made.predicted.memory[0].free_after, static_cast<std::int64_t>(500 * kMB));
}

TEST(Planner, SplitsWhereThatIsFaster)
{
    // b is four times as fast but cannot hold all.
    const Plan made = must_plan(plain_request(4, {plain_device("a", 1000 * kMB), plain_device("b", 450 * kMB, 40e9)}));
    EXPECT_EQ(made.placement, (Placement{{{"a", 0, 1}, {"b", 1, 5}}}));
    EXPECT_TRUE(says(made.why.text(), "a alone could hold Plain, but would take 45.1 ms a token; split over 2"))
        << made.why.text();
    ASSERT_FALSE(made.alternatives.empty());
    EXPECT_EQ(made.alternatives[0].placement, (Placement{{{"a", 0, 6}}}));
}

TEST(Planner, SplitsWhatNoDeviceCanHold)
{
    const Plan made = must_plan(plain_request(
        4, {plain_device("a", 300 * kMB), plain_device("b", 300 * kMB), plain_device("c", 300 * kMB, 1e9)}));
    ASSERT_EQ(made.placement.stages.size(), 2U);
    EXPECT_NE(made.placement.stages[0].device, "c");
    EXPECT_NE(made.placement.stages[1].device, "c");
    EXPECT_TRUE(says(made.why.text(), "No device alone can hold Plain")) << made.why.text();
    ASSERT_EQ(made.left_out.size(), 1U);
    EXPECT_EQ(made.left_out[0].device, "c");
    EXPECT_TRUE(says(made.left_out[0].reason.text(), "With it a token would take")) << made.left_out[0].reason.text();
}

TEST(Planner, PutsNeighboursOnTheNetworkSideBySide)
{
    PlanRequest request =
        plain_request(6, {plain_device("a", 250 * kMB), plain_device("b", 250 * kMB), plain_device("c", 250 * kMB)});
    request.links.set(0, 2, {20e-3, 100e6}); // a and c see each other over a slow way only
    for (const std::size_t device : {0U, 1U, 2U}) {
        request.links.set(3, device, {0, 10e9});
    }
    const Plan made = must_plan(request);
    ASSERT_EQ(made.placement.stages.size(), 3U);
    EXPECT_EQ(made.placement.stages[1].device, "b");
}

TEST(Planner, UsesAllWhenAskedTo)
{
    PlanRequest request = plain_request(4, {plain_device("a", 1000 * kMB), plain_device("b", 1000 * kMB)});
    request.use_all = true;
    request.demand.chunk = 128;
    const Plan made = must_plan(request);
    ASSERT_EQ(made.placement.stages.size(), 2U);
    EXPECT_EQ(made.placement.stages[0].shard_count, 3U);
    EXPECT_TRUE(made.left_out.empty());
    ASSERT_FALSE(made.alternatives.empty());
    EXPECT_EQ(made.alternatives[0].placement.stages.size(), 1U);
    EXPECT_LT(made.predicted.ttft_ms, made.alternatives[0].predicted.ttft_ms);
}

TEST(Planner, SaysWhyADeviceCannotBeUsed)
{
    PlanRequest request = plain_request(4, {plain_device("fine", 1000 * kMB), plain_device("new", 1000 * kMB, 0),
                                            plain_device("full", 40 * kMB), plain_device("far", 1000 * kMB)});
    for (std::size_t end = 0; end <= 4; ++end) {
        request.links.set(3, end, {});
    }
    const Plan made = must_plan(request);
    ASSERT_EQ(made.left_out.size(), 3U);
    EXPECT_TRUE(says(made.left_out[0].reason.text(), "not been measured"));
    EXPECT_TRUE(says(made.left_out[1].reason.text(), "40 MB free")) << made.left_out[1].reason.text();
    EXPECT_TRUE(says(made.left_out[2].reason.text(), "No link")) << made.left_out[2].reason.text();
}

TEST(Planner, RefusesInNumbersAndNamesAContextThatFits)
{
    PlanRequest request = plain_request(2, {plain_device("a", 200 * kMB), plain_device("b", 190 * kMB)});
    request.demand.context = 4096;
    request.model.shards[1].kv_bytes_per_position = request.model.shards[2].kv_bytes_per_position = 20'000;
    const std::string sentence = refusal(request);
    EXPECT_TRUE(says(sentence, "needs 300 MB for its weights, 164 MB for a context of 4096 tokens")) << sentence;
    EXPECT_TRUE(says(sentence, "a 200 MB, b 190 MB")) << sentence;
    EXPECT_TRUE(says(sentence, "With a context of 1792 tokens it would fit.")) << sentence;
    request.demand.context = 1792;
    EXPECT_TRUE(plan(request));
    request.demand.context = 2048;
    EXPECT_FALSE(plan(request));
}

TEST(Planner, OffersASmallerKvCache)
{
    PlanRequest request = plain_request(2, {plain_device("a", 200 * kMB), plain_device("b", 190 * kMB)});
    request.demand.context = 3072;
    request.model.shards[1].kv_bytes_per_position = request.model.shards[2].kv_bytes_per_position = 20'000;
    request.smaller_kv = {{"q8_0", 34.0 / 64.0}};
    EXPECT_TRUE(says(refusal(request), "of 1792 tokens it would fit, or with one of 3072 tokens and a KV cache of type "
                                       "q8_0."));
    const std::vector<std::size_t> both{0, 1};
    const WouldFit would = what_would_fit(request, both);
    EXPECT_EQ(would.context, 1792U);
    EXPECT_EQ(would.kv_type, "q8_0");
    EXPECT_EQ(would.kv_context, 3072U);
}

TEST(Planner, NamesTheWeightsThatWouldFit)
{
    const PlanRequest request = plain_request(2, {plain_device("a", 100 * kMB), plain_device("b", 90 * kMB)});
    const std::string sentence = refusal(request);
    EXPECT_TRUE(says(sentence, "Weights of at most 180 MB (60 % of these) would fit")) << sentence;
    PlanRequest smaller = request;
    for (ShardCosts& shard : smaller.model.shards) {
        shard.weight_bytes = shard.weight_bytes * 60 / 100;
    }
    EXPECT_TRUE(plan(smaller));
}

TEST(Planner, RefusesWithoutHopeWhereNothingWouldFit)
{
    PlanRequest request = plain_request(2, {plain_device("a", 1000 * kMB)});
    request.model.workspace = 2000 * kMB;
    EXPECT_TRUE(says(refusal(request), "Choose a smaller model"));
    request.devices.clear();
    request.links = LinkTable(0);
    EXPECT_TRUE(says(refusal(request), "There is no device"));
}

TEST(Planner, SaysThatLinksAreMissing)
{
    PlanRequest request = plain_request(4, {plain_device("a", 300 * kMB), plain_device("b", 300 * kMB)});
    request.links.set(0, 1, {});
    EXPECT_TRUE(says(refusal(request), "measure the links again"));
    request = plain_request(4, {plain_device("a", 1000 * kMB, 0)});
    EXPECT_TRUE(says(refusal(request), "no speed or no link has been measured"));
}

TEST(Planner, FitsToTheLastByte)
{
    PlanRequest request = plain_request(4, {plain_device("a", 500 * kMB)});
    EXPECT_TRUE(plan(request));
    request.devices[0].reserve = 1;
    EXPECT_FALSE(plan(request));
    request.devices[0].memory_free += 1;
    EXPECT_TRUE(plan(request));
}

TEST(Predict, TellsOfAPlacementByHand)
{
    const PlanRequest request = plain_request(4, {plain_device("a", 1000 * kMB), plain_device("b", 250 * kMB)});
    const auto even = predict(request, {{{"a", 0, 3}, {"b", 3, 3}}});
    ASSERT_TRUE(even);
    EXPECT_GT(even->tokens_per_second, 20);
    EXPECT_TRUE(check_fits(request, {{{"a", 0, 3}, {"b", 3, 3}}}));
    const auto heavy = predict(request, {{{"a", 0, 2}, {"b", 2, 4}}});
    ASSERT_TRUE(heavy) << "a preview shows also what does not fit";
    EXPECT_EQ(heavy->memory[1].free_after, -static_cast<std::int64_t>(100 * kMB));
    const auto fits = check_fits(request, {{{"a", 0, 2}, {"b", 2, 4}}});
    ASSERT_FALSE(fits);
    EXPECT_TRUE(says(fits.error().text(), "blocks 1 to 3 and head does not fit b: it needs 350 MB"))
        << fits.error().text();
    EXPECT_FALSE(predict(request, {{{"z", 0, 6}}}));
}

TEST(PlanJson, HasTheFieldsOfTheContract)
{
    const PlanRequest request = plain_request(4, {plain_device("a", 1000 * kMB), plain_device("b", 450 * kMB, 40e9)});
    const nlohmann::ordered_json json = plan_json(must_plan(request), 6);
    EXPECT_EQ(json["placement"]["stages"][0]["device"], "a");
    EXPECT_EQ(json["placement"]["stages"][1]["shards"], "block.0-3,head");
    EXPECT_GT(json["predicted"]["tokens_per_second"], 0);
    EXPECT_GT(json["predicted"]["ttft_ms"], 0);
    for (const char* name : {"device", "weights", "kv", "workspace", "free_after"}) {
        EXPECT_TRUE(json["predicted"]["memory"][0].contains(name)) << name;
    }
    EXPECT_TRUE(json["why"].is_string());
    EXPECT_TRUE(json["left_out"].is_array());
    EXPECT_TRUE(json["alternatives"][0].contains("placement"));
}

} // namespace
} // namespace constela::placement
