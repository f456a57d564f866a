// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/kernels.h"
#include "tests/app/support/child.h"
#include "tests/support/golden.h"

#include <cstring>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace constela::test {
namespace {

namespace fs = std::filesystem;

class Logits : public testing::Test {
protected:
    void SetUp() override
    {
        const auto golden = golden_dir();
        if (!golden) {
            GTEST_SKIP() << "the golden answers (../shared/golden) are not beside this checkout";
        }
        folder_ = *golden / "logits";
        cases_ = read_json(folder_ / "cases.json");
        for (const auto& token : cases_["tokens"]) {
            tokens_ += (tokens_.empty() ? "" : ",") + token.dump();
        }
        rows_ = cases_["tokens"].size();
    }

    [[nodiscard]] std::vector<std::string> command(const std::string& name, std::vector<std::string> more) const
    {
        std::vector<std::string> words{"logits", "--model", (folder_ / (name + ".gguf")).string(), "--tokens", tokens_};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }

    static void expect_failure(const Outcome& outcome, const std::vector<std::string>& said)
    {
        EXPECT_EQ(outcome.exit_code, 1);
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
        for (const std::string& part : said) {
            EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
        }
    }

    fs::path folder_;
    nlohmann::ordered_json cases_;
    std::string tokens_;
    std::size_t rows_ = 0;
    TempDir own_;
};

TEST_F(Logits, AreTheGoldenOnes)
{
    const fs::path file = own_.path() / "rows.f32";
    const Outcome outcome = constelactl(command("llama-Q4_K_M", {"--all", "--out", file.string()}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    const auto found = read_floats(file);
    const auto truth = read_floats(folder_ / "llama-Q4_K_M.f32");
    ASSERT_EQ(found.size(), truth.size());
    const double allowed = std::max(1e-6, 1.5 * cases_["cases"]["llama-Q4_K_M"]["nmse_llama_cpp"].get<double>());
    EXPECT_LE(nmse(found.data(), truth.data(), truth.size()), allowed);
}

TEST_F(Logits, OfTheReferenceAreCloser)
{
    const Outcome outcome = constelactl(command("qwen3", {"--all", "--kernels", "reference", "--kv", "f32"}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto truth = read_floats(folder_ / "qwen3.f32");
    ASSERT_EQ(outcome.out.size(), truth.size() * sizeof(float));
    std::vector<float> found(truth.size());
    std::memcpy(found.data(), outcome.out.data(), outcome.out.size());
    EXPECT_LE(nmse(found.data(), truth.data(), truth.size()), 2e-6);
}

TEST_F(Logits, AreTheSameHoweverTheyAreAskedFor)
{
    const Outcome all = constelactl(command("gemma3", {"--all"}));
    ASSERT_EQ(all.exit_code, 0) << all.err;
    const std::size_t row = all.out.size() / rows_;
    const auto end_of = [&](std::size_t count) { return all.out.substr(all.out.size() - count * row); };
    EXPECT_EQ(constelactl(command("gemma3", {})).out, end_of(1));
    EXPECT_EQ(constelactl(command("gemma3", {"--last", "5"})).out, end_of(5));
    EXPECT_EQ(constelactl(command("gemma3", {"--last", "5", "--batch", "3", "--threads", "3"})).out, end_of(5));
}

TEST_F(Logits, NeedTokensOfTheVocabulary)
{
    expect_failure(constelactl({"logits", "--model", (folder_ / "llama.gguf").string(), "--tokens", "1,512"}),
                   {"512", "511"});
}

TEST_F(Logits, NeedAContextThatIsLongEnough)
{
    expect_failure(constelactl(command("llama", {"--ctx", "47"})), {"48", "47"});
    EXPECT_EQ(constelactl(command("llama", {"--ctx", "48"})).exit_code, 0);
}

TEST_F(Logits, RefuseAKvCacheThatDoesNotSuit)
{
    expect_failure(constelactl(command("llama-mha-odd", {"--kv", "q8_0"})), {"q8_0", "48"});
}

TEST_F(Logits, SayWhyKernelsCannotRunHere)
{
    for (const kernels::KernelSetStatus& status : kernels::kernel_sets()) {
        if (status.set == nullptr) {
            expect_failure(constelactl(command("llama", {"--kernels", status.name})), {status.name, status.reason});
            return;
        }
    }
    GTEST_SKIP() << "this machine permits every kernel set";
}

TEST_F(Logits, LeaveNoHalfFile)
{
    const fs::path nowhere = own_.path() / "no" / "such" / "folder" / "rows.f32";
    expect_failure(constelactl(command("llama", {"--out", nowhere.string()})), {nowhere.string()});
    expect_failure(constelactl(command("llama", {"--out", own_.path().string()})), {"folder"});
    // It fails after the file was begun.
    const fs::path file = own_.path() / "rows.f32";
    expect_failure(constelactl(command("llama", {"--ctx", "5", "--out", file.string()})), {"5"});
    EXPECT_TRUE(fs::is_empty(own_.path()));
}

TEST_F(Logits, SayWhenTheDiskIsFull)
{
    if (!fs::exists("/dev/full")) {
        GTEST_SKIP() << "this system has no /dev/full";
    }
    expect_failure(constelactl(command("llama", {"--out", "/dev/full"})), {"/dev/full"});
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(Logits, ReplaceAFileOnlyWhenTheyAreWhole)
{
    const fs::path file = own_.path() / "rows.f32";
    const fs::path link = own_.path() / "link";
    fs::create_symlink(file, link);
    ASSERT_EQ(constelactl(command("llama", {"--out", link.string()})).exit_code, 0);
    const std::string before = read_file(file);
    EXPECT_FALSE(before.empty());
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(constelactl(command("llama", {"--out", link.string(), "--ctx", "5"})).exit_code, 1);
    EXPECT_EQ(read_file(file), before);
}

// The reader has what it wanted and goes away, as head does; the rows are many times what a pipe holds.
TEST_F(Logits, EndQuietlyWhenNobodyReads)
{
    std::string many = tokens_;
    for (int i = 0; i < 40; ++i) {
        many += "," + tokens_;
    }
    Child child(constelactl_command(
        {"logits", "--model", (folder_ / "llama.gguf").string(), "--tokens", many, "--all", "--batch", "1"}));
    ASSERT_TRUE(child.wait_for_output());
    child.stop_reading();
    const Outcome outcome = child.finish();
    EXPECT_EQ(outcome.err, "");
    EXPECT_NE(outcome.exit_code, 0);
}

} // namespace
} // namespace constela::test
