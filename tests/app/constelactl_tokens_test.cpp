// SPDX-License-Identifier: GPL-3.0-or-later
//
// tokenize and detokenize, with a few of the golden texts; the library is tested with all of them elsewhere.
#include "tests/app/support/child.h"
#include "tests/support/golden.h"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace constela::test {
namespace {

std::vector<std::string> lines_of(const std::filesystem::path& path)
{
    std::vector<std::string> lines;
    std::istringstream stream(read_file(path));
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

std::vector<std::string> words_of(const std::string& line)
{
    std::istringstream stream(line);
    return {std::istream_iterator<std::string>(stream), {}};
}

class Tokens : public testing::TestWithParam<const char*> {};

TEST_P(Tokens, AreTheGoldenOnes)
{
    CONSTELA_NEED_GOLDEN(golden);
    const std::string name = GetParam();
    const std::string model = (golden / "tokenizer" / (name + ".gguf")).string();
    const auto texts = read_json(golden / "tokenizer" / "texts.json").get<std::vector<std::string>>();
    const auto plain = lines_of(golden / "tokenizer" / (name + ".parse-special-0.ids"));
    const auto special = lines_of(golden / "tokenizer" / (name + ".parse-special-1.ids"));
    ASSERT_EQ(plain.size(), texts.size());
    for (std::size_t i = 0; i < texts.size(); i += 23) {
        const Outcome outcome = constelactl({"tokenize", "--model", model, "--no-bos"}, texts[i]);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_EQ(words_of(outcome.out), words_of(plain[i])) << texts[i];
        EXPECT_EQ(line_count(outcome.out), 1U);
        const Outcome with_special =
            constelactl({"tokenize", "--model", model, "--no-bos", "--parse-special"}, texts[i]);
        EXPECT_EQ(words_of(with_special.out), words_of(special[i])) << texts[i];
    }
}

INSTANTIATE_TEST_SUITE_P(Constelactl, Tokens, testing::Values("gpt-2", "llama-spm", "qwen2"));

TEST(Tokenize, TakesAFileByteForByteAndAddsBos)
{
    CONSTELA_NEED_GOLDEN(golden);
    const std::string model = (golden / "tokenizer" / "llama-spm.gguf").string();
    const TempDir folder;
    const std::string text = "Hello  world\r\n\n";
    const auto file = folder.path() / "text";
    std::ofstream(file, std::ios::binary) << text;
    const Outcome from_file = constelactl({"tokenize", "--model", model, "--file", file.string()});
    const Outcome from_stdin = constelactl({"tokenize", "--model", model}, text);
    EXPECT_EQ(from_file.out, from_stdin.out);
    auto ids = words_of(from_file.out);
    ASSERT_FALSE(ids.empty());
    EXPECT_EQ(ids.front(), "1");

    ids[0] = model;
    ids.insert(ids.begin(), {"detokenize", "--model"});
    const Outcome back = constelactl(ids);
    EXPECT_EQ(back.exit_code, 0) << back.err;
    EXPECT_EQ(back.out, text);
}

TEST(Tokenize, SaysWhenTheTextIsNotThere)
{
    CONSTELA_NEED_GOLDEN(golden);
    const Outcome outcome = constelactl(
        {"tokenize", "--model", (golden / "tokenizer" / "gpt-2.gguf").string(), "--file", "/nowhere/at/all"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("/nowhere/at/all"), std::string::npos) << outcome.err;
}

TEST(Detokenize, NamesAnIdThatIsNotInTheVocabulary)
{
    CONSTELA_NEED_GOLDEN(golden);
    const Outcome outcome =
        constelactl({"detokenize", "--model", (golden / "tokenizer" / "gpt-2.gguf").string(), "5", "60000"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("60000"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("50257"), std::string::npos) << outcome.err;
}

} // namespace
} // namespace constela::test
