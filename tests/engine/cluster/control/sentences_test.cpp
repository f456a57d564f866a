// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is said of a loss, and what is done about the words of others.
#include "engine/cluster/control/sentences.h"

#include <gtest/gtest.h>

namespace constela::cluster {
namespace {

std::string lost(std::vector<StagePlacement> stages, std::uint32_t shards = 32)
{
    return loss_sentence("studio", "llama", stages, shards).text();
}

TEST(Sentences, NameWhatANodeHad)
{
    const auto has = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find("studio has left the cluster while it held " + part + " of llama. Load it again"),
                  std::string::npos)
            << text;
    };
    has(lost({{{}, "cpu0", 15, 17}}), "blocks 14 to 29 and the head"); // shard 31 is the head
    has(lost({{{}, "cpu0", 15, 16}}), "blocks 14 to 29");
    has(lost({{{}, "cpu0", 0, 1}}), "the embedding");
    has(lost({{{}, "cpu0", 31, 1}}), "the head");
    has(lost({{{}, "cpu0", 0, 2}}), "the embedding and block 0");
    has(lost({{{}, "cpu0", 0, 3}}), "the embedding and blocks 0 to 1");
    has(lost({{{}, "cpu0", 30, 2}}), "block 29 and the head");
    has(lost({{{}, "cpu0", 5, 1}}), "block 4");
    has(lost({{{}, "cpu0", 0, 32}}), "the embedding, blocks 0 to 29 and the head");
    has(lost({{{}, "cpu0", 0, 3}}, 3), "the embedding, block 0 and the head");
    has(lost({{{}, "cpu0", 1, 4}, {{}, "cpu1", 5, 4}}), "blocks 0 to 7");
    has(lost({}), "a part");
}

TEST(Sentences, OfOthersAreMadeSafe)
{
    EXPECT_EQ(checked({"{} is full.", {"disk"}, {}}).text(), "disk is full.");
    EXPECT_EQ(checked({"{:>100000000}", {"x"}, {}}).text(), "{:>100000000}");
    EXPECT_EQ(checked({"{} and {}", {"x"}, {}}).text(), "{} and {}");
    EXPECT_EQ(checked({"{", {}, {}}).text(), "{");
    EXPECT_EQ(checked({"}", {}, {}}).text(), "}");
    EXPECT_EQ(checked({"{0}", {"x"}, {}}).text(), "{0}");
    EXPECT_EQ(checked({"{{}}", {}, {}}).text(), "{}");
    EXPECT_LE(checked({std::string(1'000'000, 'x'), {}, {}}).text().size(), 1024U);
    EXPECT_EQ(checked({"a\x1b[31mb{}", {"c\nd"}, {}}).text(), "a[31mbcd");
}

TEST(Sentences, CutTextsBetweenCharacters)
{
    EXPECT_EQ(checked_text("caf\xc3\xa9", 4), "caf");
    EXPECT_EQ(checked_text("caf\xc3\xa9", 5), "caf\xc3\xa9");
}

TEST(Sentences, TellTheOlderOneToUpdate)
{
    const std::string newer = version_sentence("here", "0.1.0", "studio", "0.2.0", kProtocol + 1).text();
    EXPECT_NE(newer.find("Update Constela on here"), std::string::npos) << newer;
    const std::string older = version_sentence("here", "0.1.0", "studio", "0.0.9", kProtocol - 1).text();
    EXPECT_NE(older.find("Update Constela on studio"), std::string::npos) << older;
}

} // namespace
} // namespace constela::cluster
