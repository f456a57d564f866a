// SPDX-License-Identifier: GPL-3.0-or-later
//
// bench and perplexity.
#include "tests/app/support/child.h"
#include "tests/support/golden.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace constela::test {
namespace {

TEST(Bench, GivesRatesInJson)
{
    CONSTELA_NEED_GOLDEN(golden);
    const Outcome outcome = constelactl({"bench", "--model", (golden / "logits" / "llama-Q4_0.gguf").string(), "-p",
                                         "12", "-n", "7", "-r", "4", "--threads", "1", "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["threads"], 1);
    EXPECT_EQ(json["backend"].get<std::string>().rfind("cpu/", 0), 0U);
    EXPECT_TRUE(json["model"].is_string());
    EXPECT_EQ(json["pp"]["tokens"], 12);
    EXPECT_EQ(json["tg"]["tokens"], 7);
    for (const char* kind : {"pp", "tg"}) {
        EXPECT_GT(json[kind]["tps_min"], 0.0);
        EXPECT_LE(json[kind]["tps_min"], json[kind]["tps_median"]);
        EXPECT_LE(json[kind]["tps_median"], json[kind]["tps_max"]);
    }
    EXPECT_GT(json["load_ms"], 0.0);
    EXPECT_GT(json["peak_rss_bytes"], 1'000'000);
}

TEST(Bench, ShowsATableToPeople)
{
    CONSTELA_NEED_GOLDEN(golden);
    const Outcome outcome = constelactl({"bench", "--model", (golden / "logits" / "llama-Q4_0.gguf").string(), "-p",
                                         "4", "-n", "2", "-r", "1", "--kernels", "reference"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("generation"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("reference"), std::string::npos) << outcome.out;
}

// 48 random weights know nothing: each of 512 tokens is about as likely as the other, or worse.
TEST(Perplexity, ScoresTheSecondHalfOfEachChunk)
{
    CONSTELA_NEED_GOLDEN(golden);
    const std::string model = (golden / "logits" / "llama.gguf").string();
    const std::string text(300, 'x');
    const Outcome ids = constelactl({"tokenize", "--model", model}, text);
    ASSERT_EQ(ids.exit_code, 0) << ids.err;
    const auto tokens = static_cast<std::size_t>(std::count(ids.out.begin(), ids.out.end(), ' ')) + 1;
    const Outcome outcome = constelactl({"perplexity", "--model", model, "--file", "-", "--ctx", "9", "--json"}, text);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["tokens"], tokens / 9 * 5);
    EXPECT_GT(json["perplexity"], 1.0);
}

TEST(Perplexity, NeedsTextForOneChunk)
{
    CONSTELA_NEED_GOLDEN(golden);
    const Outcome outcome =
        constelactl({"perplexity", "--model", (golden / "logits" / "llama.gguf").string(), "--file", "-"}, "short");
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("512"), std::string::npos) << outcome.err;
}

} // namespace
} // namespace constela::test
