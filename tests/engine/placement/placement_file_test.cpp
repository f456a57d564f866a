// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/placement/placement_file.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace constela::placement {
namespace {

const std::vector<std::string> kDevices{"studio/cpu0", "attic/cpu0", "attic/cpu1"};
constexpr std::size_t kTotal = 6; ///< Four blocks.

std::string sentence_of(std::string_view text)
{
    const auto placement = parse_placement(text, kTotal, kDevices);
    return placement ? "" : placement.error().text();
}

TEST(PlacementFile, IsReadInTheOrderOfATokensWay)
{
    const auto placement = parse_placement(R"({"stages": [{"device": "attic/cpu0", "shards": "embed,block.0-1"},
                                                          {"device": "studio/cpu0", "shards": "block.2-3,head"}]})",
                                           kTotal, kDevices);
    ASSERT_TRUE(placement) << placement.error().text();
    EXPECT_EQ(*placement, (Placement{{{"attic/cpu0", 0, 3}, {"studio/cpu0", 3, 3}}}));
}

TEST(PlacementFile, IsReadBackAsItWasWritten)
{
    const Placement placement{{{"attic/cpu1", 0, 1}, {"studio/cpu0", 1, 4}, {"attic/cpu0", 5, 1}}};
    const std::string text = placement_text(placement, kTotal);
    EXPECT_EQ(text, "{\"stages\": [\n    {\"device\":\"attic/cpu1\",\"shards\":\"embed\"},\n"
                    "    {\"device\":\"studio/cpu0\",\"shards\":\"block.0-3\"},\n"
                    "    {\"device\":\"attic/cpu0\",\"shards\":\"head\"}\n]}\n");
    const auto read = parse_placement(text, kTotal, kDevices);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(*read, placement);
}

struct Wrong {
    const char* text;
    const char* sentence; ///< What it contains.
};

class WrongFile : public testing::TestWithParam<Wrong> {};

TEST_P(WrongFile, IsRefusedInWords)
{
    const std::string sentence = sentence_of(GetParam().text);
    EXPECT_NE(sentence.find(GetParam().sentence), std::string::npos) << sentence;
}

INSTANTIATE_TEST_SUITE_P(
    Texts, WrongFile,
    testing::Values(
        Wrong{"", "line 1, column 1"}, Wrong{"{\"stages\": [\n  {\"device\" \"studio\"}]}", "line 2, column 20"},
        Wrong{"[]", "nothing beside \"stages\""}, Wrong{"{}", "nothing beside \"stages\""},
        Wrong{R"({"stages": {}})", "nothing beside \"stages\""},
        Wrong{R"({"stages": [], "more": 1})", "nothing beside \"stages\""}, Wrong{R"({"stages": []})", "has no stages"},
        Wrong{R"({"stages": [1]})", "Stage 1 of the placement is number"},
        Wrong{R"({"stages": [{"shards": "embed"}]})", "Stage 1 of the placement has no \"device\""},
        Wrong{R"({"stages": [{"device": "studio/cpu0"}]})", "has no \"shards\""},
        Wrong{R"({"stages": [{"device": 3, "shards": "embed"}]})", "\"device\" of stage 1 of the placement is number"},
        Wrong{R"({"stages": [{"device": "studio/cpu0", "shard": "embed"}]})", "\"shard\", which means nothing"},
        Wrong{R"({"stages": [{"device": "studio/cpu0", "device": "attic/cpu0", "shards": "embed"}]})",
              "\"device\" twice"},
        Wrong{R"({"stages": [{"device": "cellar/cpu0", "shards": "embed,block.0-3,head"}]})",
              "cellar/cpu0, which is not there. There are: studio/cpu0, attic/cpu0, attic/cpu1."},
        Wrong{R"({"stages": [{"device": "studio/cpu0", "shards": "embed,block.0-9"}]})",
              "Stage 1 of the placement (studio/cpu0): block.0-9: the model has 4 blocks"},
        Wrong{R"({"stages": [{"device": "studio/cpu0", "shards": "embed,block.0-3"}]})",
              "No stage of the placement has head"},
        Wrong{R"({"stages": [{"device": "studio/cpu0", "shards": "block.1-3,head"}]})",
              "No stage of the placement has embed,block.0; stage 1"},
        Wrong{R"({"stages": [{"device": "studio/cpu0", "shards": "embed,block.0-1"},
                             {"device": "attic/cpu0", "shards": "block.1-3,head"}]})",
              "begins with block.1, but block.2 comes next"},
        Wrong{R"({"stages": [{"device": "studio/cpu0", "shards": "embed,block.0-3,head"},
                             {"device": "attic/cpu0", "shards": "head"}]})",
              "begins with head, but nothing comes next"},
        Wrong{R"({"stages": [{"device": "studio/cpu0", "shards": "embed,block.0-1"},
                             {"device": "studio/cpu0", "shards": "block.2-3,head"}]})",
              "studio/cpu0 a second time"}));

TEST(PlacementFile, OfAMegabyteIsAnotherFile)
{
    EXPECT_NE(sentence_of(std::string(kLargestPlacementFile + 1, ' ')).find("another file"), std::string::npos);
}

TEST(PlacementFile, DeeplyNestedDoesNoHarm)
{
    EXPECT_NE(sentence_of(std::string(500'000, '[')), "");
}

TEST(CheckPlacement, ChecksWhatCameFromElsewhere)
{
    EXPECT_TRUE(check_placement({{{"studio/cpu0", 0, kTotal}}}, kTotal, kDevices));
    EXPECT_FALSE(check_placement({{{"studio/cpu0", 0, 0}, {"attic/cpu0", 0, kTotal}}}, kTotal, kDevices));
    EXPECT_FALSE(check_placement({{{"studio/cpu0", 0, static_cast<std::size_t>(-1)}}}, kTotal, kDevices));
    EXPECT_FALSE(check_placement({{{"studio/cpu0", static_cast<std::size_t>(-1), 1}}}, kTotal, kDevices));
}

} // namespace
} // namespace constela::placement
