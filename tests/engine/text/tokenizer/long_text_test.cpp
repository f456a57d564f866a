// SPDX-License-Identifier: GPL-3.0-or-later
//
// A megabyte of anything is done in time in proportion: with a quadratic step these would run into ctest's limit.
#include "engine/text/byte_level.h"
#include "engine/text/pre_tokenizer_table.h"
#include "tests/engine/text/tokenizer/vocabularies.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>

namespace constela::text {
namespace {

constexpr std::size_t kBytes = std::size_t{1} << 20U;

std::string repeat(std::string_view piece)
{
    std::string text;
    while (text.size() < kBytes) {
        text += piece;
    }
    return text;
}

struct Long {
    const char* name;
    const char* piece;
    const char* last = "";
};

void PrintTo(const Long& text, std::ostream* out)
{
    *out << text.name;
}

const Long kTexts[] = {
    {"letter", "a"},
    {"capital", "A"},
    {"space", " "},
    {"spaces_then_letter", " ", "a"},
    {"spaces_then_ideograph", " ", "\xE6\xBC\xA2"},
    {"newline", "\n"},
    {"newline_and_spaces", "\n  "},
    {"return_newline", "\r\n"},
    {"tab", "\t"},
    {"digit", "7"},
    {"emoji", "\xF0\x9F\x9A\x80\xF0\x9F\x94\xA5\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7"},
    {"words", "a "},
    {"mixed_case", "aA"},
    {"marks", "\xCC\x81"},
    {"marked_letters", "e\xCC\x81\xCC\x82"},
    {"ideograph", "\xE6\xBC\xA2"},
    {"apostrophe", "'"},
    {"contractions", "I'll "},
    {"punctuation", "!?"},
    {"slash", "/"},
    {"less", "<"},
    {"special", "<|im_end|>"},
    {"half_special", "<|im_end|"},
    {"lower_blocks", "\xE2\x96\x81"},
    {"broken", "\xFF"},
    {"half_characters", "\xE2\x82"},
    {"zero", "\x01\x02"},
    {"prose", "O cora\xC3\xA7\xC3\xA3o do Jo\xC3\xA3o bate \xC3\xA0 toa, 1.234,56 vezes (50%).\n"},
};

class LongText : public testing::TestWithParam<Long> {
protected:
    static std::string text() { return repeat(GetParam().piece) + GetParam().last; }
};

TEST_P(LongText, EveryPreTokenizer)
{
    const std::string input = text();
    std::span<const std::string_view> done;
    for (const PreTokenizerRule& rule : pre_tokenizer_rules()) {
        if (rule.steps.data() == done.data()) {
            continue;
        }
        done = rule.steps;
        const auto tokenizer = test::make(
            test::small_bpe({{"aa"}, {"aaaa"}, {"AA"}, {"77"}, {"<|im_end|>", 3}}, {"a a", "aa aa", "A A", "7 7"})
                .set("tokenizer.ggml.pre", std::string(rule.name)));
        ASSERT_EQ(tokenizer->decode(tokenizer->encode(input, SpecialTokens::as_tokens)), input) << rule.name;
    }
}

TEST_P(LongText, EveryGoldenVocabulary)
{
    CONSTELA_NEED_GOLDEN(dir);
    std::vector<std::filesystem::path> files;
    for (const auto* name : {"gpt-2", "llama-bpe", "llama-spm", "phi-3", "qwen2"}) {
        files.push_back(dir / "tokenizer" / (std::string(name) + ".gguf"));
    }
    for (const auto* name : {"SmolLM2-135M-Instruct.Q4_1.gguf", "gemma-3-270m-q4_k_m.gguf"}) {
        if (const auto model = constela::test::real_model(name)) {
            files.push_back(*model);
        }
    }
    const std::string input = text();
    for (const auto& file : files) {
        const Tokenizer& tokenizer = test::tokenizer_of(file);
        for (const auto special : {SpecialTokens::as_plain_text, SpecialTokens::as_tokens}) {
            const auto ids = tokenizer.encode(input, special);
            // SmolLM2 has no token for some bytes, and SentencePiece cannot tell U+2581 from a space.
            if (tokenizer.pre_tokenizer() != "smollm" && GetParam().name != std::string_view("lower_blocks")) {
                ASSERT_EQ(tokenizer.decode(ids), input) << file;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Megabyte, LongText, testing::ValuesIn(kTexts),
                         [](const auto& one) { return std::string(one.param.name); });

} // namespace
} // namespace constela::text
