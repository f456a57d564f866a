// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/child.h"
#include "tests/support/golden.h"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace constela::test {
namespace {

TEST(Inspect, TellsAModelInJson)
{
    CONSTELA_NEED_GOLDEN(golden);
    const auto file = golden / "logits" / "llama-Q4_K_M.gguf";
    const Outcome outcome = constelactl({"inspect", file.string(), "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["architecture"], "llama");
    EXPECT_EQ(json["vocabulary_size"], 512);
    EXPECT_EQ(json["embedding_length"], 256);
    EXPECT_EQ(json["block_count"], 2);
    EXPECT_EQ(json["bytes"], std::filesystem::file_size(file));
    EXPECT_EQ(json["has_chat_template"], false);
    std::uint64_t sum = 0;
    for (const auto& bytes : json["bytes_by_type"]) {
        sum += bytes.get<std::uint64_t>();
    }
    EXPECT_GT(sum, 0U);
    EXPECT_LT(sum, std::filesystem::file_size(file));
    EXPECT_TRUE(json["bytes_by_type"].contains("Q4_K"));
}

TEST(Inspect, ShowsTheSameToPeople)
{
    CONSTELA_NEED_GOLDEN(golden);
    const Outcome outcome = constelactl({"inspect", (golden / "logits" / "qwen3.gguf").string()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("qwen3"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find('\033'), std::string::npos) << "colours where there is no terminal";
}

TEST(Inspect, TakesAFileThatIsOnlyAVocabulary)
{
    CONSTELA_NEED_GOLDEN(golden);
    const Outcome outcome = constelactl({"inspect", (golden / "tokenizer" / "gpt-2.gguf").string(), "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["tensor_count"], 0);
    EXPECT_EQ(json["vocabulary_size"], 50257);
    EXPECT_EQ(json["tokenizer_model"], "gpt2");
    EXPECT_EQ(json["pre_tokenizer"], "gpt-2");
}

void expect_failure(const Outcome& outcome, const std::string& said)
{
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
    EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
}

TEST(Inspect, SaysInOneLineWhatIsWrongWithAFile)
{
    const TempDir folder;
    const auto file = folder.path() / "broken\nname.gguf";
    std::ofstream(file) << "this is no model";
    expect_failure(constelactl({"inspect", file.string()}), "broken");
    expect_failure(constelactl({"inspect", (folder.path() / "missing.gguf").string()}), "missing.gguf");
    expect_failure(constelactl({"inspect", folder.path().string()}), folder.path().filename().string());
}

TEST(Inspect, SaysWhenItsOutputCannotBeWritten)
{
    CONSTELA_NEED_GOLDEN(golden);
    if (!std::filesystem::exists("/dev/full")) {
        GTEST_SKIP() << "this system has no /dev/full";
    }
    const Outcome outcome = constelactl_with(">/dev/full", {"inspect", (golden / "logits" / "llama.gguf").string()});
    expect_failure(outcome, "standard output");
}

} // namespace
} // namespace constela::test
