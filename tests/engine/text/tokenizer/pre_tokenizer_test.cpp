// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/pre_tokenizer.h"
#include "engine/text/pre_tokenizer_table.h"

#include <gtest/gtest.h>
#include <set>

namespace constela::text {
namespace {

using Words = std::vector<std::string>;

Words words(std::string_view name, std::string_view text)
{
    const auto pre = PreTokenizer::create(name, "small.gguf");
    if (!pre) {
        throw std::runtime_error(pre.error().text());
    }
    const auto split = pre->split(text);
    return {split.begin(), split.end()};
}

TEST(PreTokenizer, EachCompilesAndKeepsEveryByte)
{
    std::set<std::string_view> names;
    const std::string text =
        "It's 12345 x\xC3\xA9\xCC\x81 \xE6\xBC\xA2\xE5\xAD\x97\xE3\x81\x8B\xE3\x81\xAA  \t\n\r\n  !? "
        "\xF0\x9F\x9A\x80\xFF\xC3 a\xC2\xA0\xE1\xA0\x8E\xC2\x85 \xEF\xBC\x81 end  ";
    for (const PreTokenizerRule& rule : pre_tokenizer_rules()) {
        EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
        std::string joined;
        for (const std::string& word : words(rule.name, text)) {
            EXPECT_FALSE(word.empty());
            joined += word;
        }
        EXPECT_EQ(joined, text) << rule.name;
    }
    EXPECT_TRUE(words("qwen2", "").empty());
}

TEST(PreTokenizer, Gpt2)
{
    EXPECT_EQ(words("gpt-2", "I'm  here, 12345!\n\n x"),
              (Words{"I", "'m", " ", " here", ",", " 12345", "!", "\n\n", " x"}));
    EXPECT_EQ(words("gpt-2", "I'M"), (Words{"I", "'", "M"}));
    EXPECT_EQ(words("gpt-2", "a  "), (Words{"a", "  "}));
}

TEST(PreTokenizer, Llama3)
{
    EXPECT_EQ(words("llama-bpe", "I'M  here,\n\n12345 (x"),
              (Words{"I", "'M", " ", " here", ",\n\n", "123", "45", " (", "x"}));
    EXPECT_EQ(words("llama-bpe", "a \n \n b"), (Words{"a", " \n \n", " b"}));
}

TEST(PreTokenizer, Qwen)
{
    EXPECT_EQ(words("qwen2", "x12 .y"), (Words{"x", "1", "2", " .", "y"}));
    // Marks belong to letters in Qwen 3.5 only.
    EXPECT_EQ(words("qwen2", "e\xCC\x81z"), (Words{"e", "\xCC\x81z"}));
    EXPECT_EQ(words("qwen35", "e\xCC\x81z"), (Words{"e\xCC\x81z"}));
}

TEST(PreTokenizer, SmolLm)
{
    EXPECT_EQ(words("smollm", "a 12 b"), (Words{"a", " ", "1", "2", " b"}));
}

TEST(PreTokenizer, TekkenAndGpt4oCutAtCapitals)
{
    EXPECT_EQ(words("tekken", "camelCase HTTPServer it's 12 a/\n"),
              (Words{"camel", "Case", " HTTPServer", " it", "'s", " ", "1", "2", " a", "/\n"}));
    EXPECT_EQ(words("gpt-4o", "camelCase it'S 1234"), (Words{"camel", "Case", " it'S", " ", "123", "4"}));
    EXPECT_EQ(words("gpt-4o", "\xE6\xBC\xA2\xE5\xAD\x97"
                              "Abc"),
              (Words{"\xE6\xBC\xA2\xE5\xAD\x97"
                     "Abc"}));
}

TEST(PreTokenizer, DeepSeek)
{
    EXPECT_EQ(words("deepseek-llm", "ab \xE6\xBC\xA2"
                                    "12\n  "),
              (Words{"ab", " ", "\xE6\xBC\xA2", "12", "\n", "  "}));
    EXPECT_EQ(words("deepseek-coder", "if (x)\n12"), (Words{"if", " (", "x", ")", "\n", "1", "2"}));
    EXPECT_EQ(words("deepseek-v3", "a_b 1234 \xE3\x81\x8B!\n"),
              (Words{"a", "_b", " ", "123", "4", " ", "\xE3\x81\x8B", "!\n"}));
}

TEST(PreTokenizer, WhiteSpaceIsUnicodes)
{
    // U+180E is a format character, U+0085 and U+00A0 are white space.
    EXPECT_EQ(words("gpt-2", "\xE1\xA0\x8E\xE1\xA0\x8E"), (Words{"\xE1\xA0\x8E\xE1\xA0\x8E"}));
    EXPECT_EQ(words("gpt-2", "!\xE1\xA0\x8E!"), (Words{"!\xE1\xA0\x8E!"}));
    EXPECT_EQ(words("gpt-2", "!\xC2\x85!"), (Words{"!", "\xC2\x85", "!"}));
    EXPECT_EQ(words("gpt-2", "!\xC2\xA0!"), (Words{"!", "\xC2\xA0", "!"}));
}

TEST(PreTokenizer, BrokenBytesStandApart)
{
    EXPECT_EQ(words("gpt-2", "ab\xFF\xC3 c"), (Words{"ab", "\xFF\xC3", " c"}));
    EXPECT_EQ(words("gpt-2", "\xE2\x82"), (Words{"\xE2\x82"}));
}

} // namespace
} // namespace constela::text
