// SPDX-License-Identifier: GPL-3.0-or-later
//
// run and chat, with a tiny random model: what it says makes no sense, but always the same.
#include "tests/app/support/child.h"
#include "tests/support/golden.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace constela::test {
namespace {

class Run : public testing::Test {
protected:
    void SetUp() override
    {
        const auto golden = golden_dir();
        if (!golden) {
            GTEST_SKIP() << "the golden answers (../shared/golden) are not beside this checkout";
        }
        model_ = (*golden / "logits" / "llama.gguf").string();
    }

    [[nodiscard]] std::vector<std::string> command(const std::string& name, std::vector<std::string> more) const
    {
        std::vector<std::string> words{name, "--model", model_, "--kernels", "reference", "--kv", "f32", "--temp", "0"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    [[nodiscard]] nlohmann::json run_json(std::vector<std::string> more) const
    {
        more.insert(more.end(), {"--raw", "--json"});
        const Outcome outcome = constelactl(command("run", std::move(more)));
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return nlohmann::json::parse(outcome.out);
    }

    std::string model_;
};

TEST_F(Run, TellsAllInJson)
{
    const auto json = run_json({"-p", "Once upon a time", "-n", "12"});
    EXPECT_TRUE(json["text"].is_string());
    EXPECT_EQ(json["tokens"].size(), 12U);
    EXPECT_GT(json["prompt_tokens"], 1);
    EXPECT_GE(json["prefill_ms"], 0.0);
    EXPECT_GT(json["decode_ms"], 0.0);
    EXPECT_GT(json["tokens_per_second"], 0.0);
    EXPECT_EQ(json["stop_reason"], "max_tokens");
}

// The same tokens come out when the likeliest is taken from the logits by hand.
TEST_F(Run, TakesTheLikeliestTokenWithoutTemperature)
{
    const std::string prompt = "Once upon a time";
    const auto json = run_json({"-p", prompt, "-n", "12"});
    const Outcome ids = constelactl({"tokenize", "--model", model_}, prompt);
    std::string tokens = ids.out.substr(0, ids.out.find('\n'));
    for (const auto& token : json["tokens"]) {
        tokens += " " + token.dump();
    }
    const Outcome logits = constelactl(
        {"logits", "--model", model_, "--kernels", "reference", "--kv", "f32", "--tokens", tokens, "--last", "13"});
    ASSERT_EQ(logits.out.size(), 13 * 512 * sizeof(float)) << logits.err;
    std::vector<float> row(512);
    for (std::size_t i = 0; i < json["tokens"].size(); ++i) {
        std::memcpy(row.data(), logits.out.data() + i * 512 * sizeof(float), 512 * sizeof(float));
        EXPECT_EQ(json["tokens"][i], std::max_element(row.begin(), row.end()) - row.begin()) << i;
    }
}

TEST_F(Run, StreamsExactlyTheText)
{
    const auto json = run_json({"-p", "Hello", "-n", "20"});
    const Outcome plain = constelactl(command("run", {"-p", "Hello", "-n", "20", "--raw"}));
    EXPECT_EQ(plain.exit_code, 0);
    EXPECT_EQ(plain.out, json["text"].get<std::string>());
    EXPECT_EQ(plain.err, "");
}

TEST_F(Run, ReadsThePromptFromAFileOrStandardInput)
{
    const TempDir folder;
    const auto file = folder.path() / "prompt";
    std::ofstream(file) << "Hello";
    const std::string text = run_json({"-p", "Hello", "-n", "8"})["text"];
    EXPECT_EQ(run_json({"-f", file.string(), "-n", "8"})["text"], text);
    EXPECT_EQ(constelactl(command("run", {"-f", "-", "-n", "8", "--raw"}), "Hello").out, text);
}

TEST_F(Run, EndsAtAStopText)
{
    const std::string text = run_json({"-p", "Hello", "-n", "20"})["text"];
    ASSERT_GT(text.size(), 6U);
    const std::string stop = text.substr(text.size() / 2, 2);
    const auto json = run_json({"-p", "Hello", "-n", "20", "--stop", "[not, there]", "--stop", stop});
    EXPECT_EQ(json["stop_reason"], "stop_string");
    EXPECT_EQ(json["text"], text.substr(0, text.find(stop)));
}

TEST_F(Run, GivesTheSameTextForTheSameSeed)
{
    const std::vector<std::string> words{"-p", "Hello", "-n", "16", "--temp", "1.5", "--seed"};
    const auto with_seed = [&](const std::string& seed) {
        auto more = words;
        more.push_back(seed);
        return run_json(more)["tokens"];
    };
    EXPECT_EQ(with_seed("7"), with_seed("7"));
    EXPECT_NE(with_seed("7"), with_seed("8"));
}

TEST_F(Run, SaysWhenThePlainFormatStandsIn)
{
    const Outcome outcome = constelactl(command("run", {"-p", "Hello", "-n", "2"}));
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
    EXPECT_NE(outcome.err.find("template"), std::string::npos) << outcome.err;
}

TEST_F(Run, FailsInOneLine)
{
    for (const std::vector<std::string>& arguments : {
             std::vector<std::string>{"run", "--model", "/nowhere/model.gguf", "-p", "x"},
             {"run", "--model", model_, "-f", "/nowhere/prompt"},
             {"run", "--model", model_, "--ctx", "16", "--raw", "-p", std::string(1000, 'x')},
             {"chat", "--model", "/nowhere/model.gguf"},
         }) {
        const Outcome outcome = constelactl(arguments);
        EXPECT_EQ(outcome.exit_code, 1);
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
    }
}

TEST_F(Run, NeedsExactlyOnePromptAndValuesThatCanBe)
{
    for (const std::vector<std::string>& more : {
             std::vector<std::string>{},
             {"-p", "a", "-f", "b"},
             {"-p", "a", "-n", "0"},
             {"-p", "a", "--temp", "nan"},
             {"-p", "a", "--temp", "-1"},
             {"-p", "a", "--top-p", "1.5"},
             {"-p", "a", "--min-p", "x"},
             {"-p", "a", "--top-k", "-1"},
             {"-p", "a", "--repeat-penalty", "0"},
             {"-p", "a", "--seed", "-1"},
             {"-p", "a", "--stop", ""},
         }) {
        const Outcome outcome = constelactl(command("run", more));
        EXPECT_EQ(outcome.exit_code, 2) << testing::PrintToString(more);
        EXPECT_EQ(outcome.out, "");
        EXPECT_NE(outcome.err.find("--help"), std::string::npos);
    }
}

TEST_F(Run, StopsAtCtrlCAndKeepsTheText)
{
    Child child(constelactl_command(command("run", {"-p", "Hello", "--raw", "--ctx", "4096", "--threads", "1"})));
    ASSERT_TRUE(child.wait_for_output());
    child.send(SIGINT);
    const Outcome outcome = child.finish();
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_EQ(outcome.exit_code, 1) << "half an answer is not a whole one";
    EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
    EXPECT_NE(outcome.err.find("Interrupted"), std::string::npos) << outcome.err;
    EXPECT_FALSE(outcome.out.empty());
}

TEST_F(Run, SaysWhatDoesNoGood)
{
    const Outcome threads = constelactl(command("run", {"-p", "Hello", "-n", "1", "--threads", "1024"}));
    EXPECT_NE(threads.err.find("1024 threads"), std::string::npos) << threads.err;
    const Outcome context = constelactl(command("run", {"-p", "Hello", "-n", "1", "--ctx", "8192"}));
    EXPECT_NE(context.err.find("made for contexts of"), std::string::npos) << context.err;
}

TEST_F(Run, AHugePromptIsRefusedWithNumbers)
{
    const Outcome outcome = constelactl(command("run", {"-f", "-", "--ctx", "100"}), std::string(1U << 20U, 'a'));
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("1048"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("100"), std::string::npos) << outcome.err;
}

TEST_F(Run, ChatFailsWhereAMessageOfAScriptIsNotAnswered)
{
    const Outcome outcome = constelactl(command("chat", {"--ctx", "4"}), "Hello\nHello\n");
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(line_count(outcome.err), 4U) << outcome.err; // the template, each message, the sum
}

TEST_F(Run, ChatReadsLinesThatEndAsOnWindows)
{
    const Outcome outcome = constelactl(command("chat", {"-n", "2"}), "Hello\r\n/quit\r\nnever asked\r\n");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(line_count(outcome.out), 1U) << outcome.out;
}

// Else the model's file would take the place of the closed stream, and be read as text.
TEST_F(Run, AClosedInputIsNotTheModel)
{
    for (const std::string name : {"chat", "tokenize"}) {
        const Outcome outcome = constelactl_with("<&-", {name, "--model", model_});
        EXPECT_EQ(outcome.out, "") << name;
        EXPECT_EQ(outcome.exit_code, name == "chat" ? 0 : 1) << outcome.err;
    }
}

TEST_F(Run, ChatTalksUntilQuit)
{
    const Outcome outcome =
        constelactl(command("chat", {"-n", "6"}), "Hello\n/help\n/clear\n\nHello\n/quit\nnever asked\n");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    ASSERT_EQ(line_count(outcome.out), 2U) << outcome.out;
    const std::string first = outcome.out.substr(0, outcome.out.find('\n') + 1);
    EXPECT_EQ(outcome.out, first + first) << "after /clear the same question gets the same answer";
    EXPECT_NE(outcome.err.find("/quit"), std::string::npos) << outcome.err;
}

TEST_F(Run, ChatGoesOnAfterCtrlC)
{
    Child child(constelactl_command(command("chat", {"--ctx", "4096", "--threads", "1"})), "Hello\n/help\n/quit\n");
    ASSERT_TRUE(child.wait_for_output());
    child.send(SIGINT);
    const Outcome outcome = child.finish();
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("/clear"), std::string::npos) << "the next line was not read: " << outcome.err;
}

TEST_F(Run, ChatSaysWhereTheDemoModelShouldBe)
{
    const TempDir folder;
    const Outcome outcome = constelactl({"chat"}, "", {"XDG_DATA_HOME=" + folder.path().string()});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
    EXPECT_NE(outcome.err.find((folder.path() / "constela" / "models").string()), std::string::npos) << outcome.err;
}

TEST_F(Run, ChatFindsTheDemoModelInTheDataFolder)
{
    const TempDir folder;
    const auto models = folder.path() / "models";
    std::filesystem::create_directories(models);
    std::filesystem::create_symlink(model_, models / "SmolLM2-135M-Instruct.Q4_1.gguf");
    const Outcome outcome = constelactl({"chat", "--data-dir", folder.path().string(), "-n", "2"}, "Hello\n");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(line_count(outcome.out), 1U) << outcome.out;
}

} // namespace
} // namespace constela::test
