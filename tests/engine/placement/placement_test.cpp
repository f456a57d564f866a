// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/placement/placement.h"

#include <gtest/gtest.h>

namespace constela::placement {
namespace {

TEST(ShardNames, FollowTheOrderOfATokensWay)
{
    EXPECT_EQ(shard_name(0, 32), "embed");
    EXPECT_EQ(shard_name(1, 32), "block.0");
    EXPECT_EQ(shard_name(30, 32), "block.29");
    EXPECT_EQ(shard_name(31, 32), "head");
}

TEST(ShardNames, OfRunsAreShort)
{
    EXPECT_EQ(shards_text(0, 16, 32), "embed,block.0-14");
    EXPECT_EQ(shards_text(16, 16, 32), "block.15-29,head");
    EXPECT_EQ(shards_text(0, 32, 32), "embed,block.0-29,head");
    EXPECT_EQ(shards_text(0, 1, 32), "embed");
    EXPECT_EQ(shards_text(31, 1, 32), "head");
    EXPECT_EQ(shards_text(4, 1, 32), "block.3");
    EXPECT_EQ(shards_text(4, 0, 32), "");
}

TEST(ShardNames, OfRunsAreSaidInWords)
{
    EXPECT_EQ(describe(0, 16, 32), "embedding and blocks 0 to 14");
    EXPECT_EQ(describe(0, 32, 32), "embedding, blocks 0 to 29 and head");
    EXPECT_EQ(describe(30, 2, 32), "block 29 and head");
    EXPECT_EQ(describe(5, 2, 32), "blocks 4 to 5");
    EXPECT_EQ(describe(0, 1, 32), "embedding");
    EXPECT_EQ(describe(7, 0, 32), "nothing");
}

TEST(ShardNames, AreReadBackAsTheyWereWritten)
{
    constexpr std::size_t kTotal = 7;
    for (std::size_t first = 0; first < kTotal; ++first) {
        for (std::size_t count = 1; first + count <= kTotal; ++count) {
            const auto span = parse_shards(shards_text(first, count, kTotal), kTotal);
            ASSERT_TRUE(span) << span.error().text();
            EXPECT_EQ(*span, (ShardSpan{first, count}));
        }
    }
}

TEST(ShardNames, MayBeListedOneByOneWithSpaces)
{
    const auto span = parse_shards(" embed , block.0,block.1-2, block.3 ,head", 6);
    ASSERT_TRUE(span) << span.error().text();
    EXPECT_EQ(*span, (ShardSpan{0, 6}));
}

struct Wrong {
    const char* text;
    const char* sentence; ///< What it contains.
};

class WrongShards : public testing::TestWithParam<Wrong> {};

TEST_P(WrongShards, AreRefusedInWords)
{
    const auto span = parse_shards(GetParam().text, 6);
    ASSERT_FALSE(span);
    EXPECT_NE(span.error().text().find(GetParam().sentence), std::string::npos) << span.error().text();
}

INSTANTIATE_TEST_SUITE_P(Texts, WrongShards,
                         testing::Values(Wrong{"", "\"\" is no shard"}, Wrong{"embed,", "\"\" is no shard"},
                                         Wrong{"block.4", "the model has 4 blocks"},
                                         Wrong{"block.1-4", "the model has 4 blocks"},
                                         Wrong{"block.99999999999999999999999", "is no shard"},
                                         Wrong{"block.18446744073709551615", "the model has 4 blocks"},
                                         Wrong{"block.2-1", "comes before"}, Wrong{"block.-1", "is no shard"},
                                         Wrong{"block.1-", "is no shard"}, Wrong{"block.+1", "is no shard"},
                                         Wrong{"block.1-2-3", "is no shard"}, Wrong{"Head", "is no shard"},
                                         Wrong{"block.0,block.2", "block.2 cannot follow block.0"},
                                         Wrong{"block.0,block.0", "block.0 cannot follow block.0"},
                                         Wrong{"head,embed", "embed cannot follow head"}));

} // namespace
} // namespace constela::placement
