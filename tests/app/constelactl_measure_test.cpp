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
    EXPECT_EQ(json["sequences"], 1);
    EXPECT_GT(json["read_bandwidth_bytes_per_s"], 0.0);
    EXPECT_GT(json["tg"]["bandwidth_part"], 0.0);
    if (json["backend"] == "cpu/reference") {
        EXPECT_TRUE(json["int8_ops_per_s"].is_null());
        EXPECT_TRUE(json["pp"]["int8_rate_part"].is_null());
    } else {
        EXPECT_GT(json["int8_ops_per_s"], 0.0);
        EXPECT_GT(json["pp"]["int8_rate_part"], 0.0);
        EXPECT_LT(json["pp"]["int8_rate_part"], 1.0);
    }
}

TEST(Bench, CountsWhatAllSequencesGenerate)
{
    CONSTELA_NEED_GOLDEN(golden);
    const std::string model = (golden / "logits" / "llama-Q4_0.gguf").string();
    const Outcome outcome = constelactl(
        {"bench", "--model", model, "-p", "3", "-n", "5", "-d", "4", "--sequences", "3", "-r", "1", "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["sequences"], 3);
    EXPECT_EQ(json["depth"], 4);
    EXPECT_EQ(json["tg"]["tokens"], 15);
    EXPECT_GT(json["tg"]["bandwidth_part"], 0.0);
}

TEST(Bench, SaysThatMoreSequencesThanAStepHoldsCannotBe)
{
    CONSTELA_NEED_GOLDEN(golden);
    const std::string model = (golden / "logits" / "llama-Q4_0.gguf").string();
    const Outcome outcome = constelactl({"bench", "--model", model, "--sequences", "3", "--batch", "2"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("--batch"), std::string::npos) << outcome.err;
}

TEST(Bench, ShowsATableToPeople)
{
    CONSTELA_NEED_GOLDEN(golden);
    const Outcome outcome = constelactl({"bench", "--model", (golden / "logits" / "llama-Q4_0.gguf").string(), "-p",
                                         "4", "-n", "2", "-r", "1", "--kernels", "reference"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("generation"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("reference"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("% of the read bandwidth"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("int8"), std::string::npos) << outcome.out; // these kernels multiply float32
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
