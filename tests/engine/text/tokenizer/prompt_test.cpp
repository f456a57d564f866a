// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whole prompts: what a template wrote and what persons wrote, and the one BOS.
#include "tests/engine/text/tokenizer/vocabularies.h"
#include "tests/support/golden.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace constela::text {
namespace {

using constela::test::read_json;
using text::test::make;
using text::test::small_bpe;
using text::test::small_spm;
using text::test::tokenizer_of;

/// The prompt with the contents of the messages, which stand in it in order, marked as a person's.
MarkedText mark(const std::string& prompt, const nlohmann::ordered_json& messages)
{
    MarkedText marked = MarkedText::by_template(prompt);
    std::size_t from = 0;
    for (const auto& message : messages) {
        const auto content = message.at("content").get<std::string>();
        const std::size_t found = prompt.find(content, from);
        if (found == std::string::npos) {
            throw std::runtime_error("the prompt does not hold the message " + content);
        }
        std::fill_n(marked.from_person.begin() + static_cast<std::ptrdiff_t>(found), content.size(), '\1');
        from = found + content.size();
    }
    return marked;
}

TEST(Prompt, GoldenConversations)
{
    CONSTELA_NEED_GOLDEN(dir);
    CONSTELA_NEED_MODEL(smollm2, "SmolLM2-135M-Instruct.Q4_1.gguf");
    const Tokenizer& tokenizer = tokenizer_of(smollm2);
    int checked = 0;
    bool saw_special_text = false;
    const auto cases = read_json(dir / "real/cases.json");
    for (const auto& [name, one] : cases.at("cases").items()) {
        if (!one.contains("messages")) {
            continue;
        }
        const MarkedText prompt = mark(one.at("prompt").get<std::string>(), one.at("messages"));
        EXPECT_EQ(tokenizer.encode_prompt(prompt), one.at("prompt_tokens").get<std::vector<TokenId>>()) << name;
        saw_special_text = saw_special_text || name == "smollm2-chat-special-text";
        ++checked;
    }
    EXPECT_GE(checked, 6);
    EXPECT_TRUE(saw_special_text);
}

TEST(Prompt, GoldenTexts)
{
    CONSTELA_NEED_GOLDEN(dir);
    CONSTELA_NEED_MODEL(smollm2, "SmolLM2-135M-Instruct.Q4_1.gguf");
    CONSTELA_NEED_MODEL(gemma3, "gemma-3-270m-q4_k_m.gguf");
    int checked = 0;
    const auto cases = read_json(dir / "real/cases.json");
    for (const auto& [name, one] : cases.at("cases").items()) {
        if (one.contains("messages") || !one.contains("prompt") || !one.contains("prompt_tokens")) {
            continue;
        }
        const Tokenizer& tokenizer = tokenizer_of(one.at("model") == "gemma3" ? gemma3 : smollm2);
        EXPECT_EQ(tokenizer.encode_prompt(MarkedText::by_person(one.at("prompt").get<std::string>())),
                  one.at("prompt_tokens").get<std::vector<TokenId>>())
            << name;
        ++checked;
    }
    EXPECT_GE(checked, 1);
}

TEST(Prompt, EndTokensOfTheRealModels)
{
    CONSTELA_NEED_MODEL(smollm2, "SmolLM2-135M-Instruct.Q4_1.gguf");
    CONSTELA_NEED_MODEL(gemma3, "gemma-3-270m-q4_k_m.gguf");
    EXPECT_EQ(tokenizer_of(smollm2).end_tokens(), (std::vector<TokenId>{0, 2}));
    EXPECT_TRUE(tokenizer_of(smollm2).is_end(2));
    EXPECT_FALSE(tokenizer_of(smollm2).is_end(1));
    EXPECT_TRUE(tokenizer_of(gemma3).is_end(1));
    EXPECT_TRUE(tokenizer_of(gemma3).is_end(106)); // <end_of_turn>
    EXPECT_FALSE(tokenizer_of(gemma3).is_end(105));
    // Its </s> is a tag of HTML.
    EXPECT_FALSE(tokenizer_of(gemma3).is_end(212));
    EXPECT_EQ(tokenizer_of(gemma3).bytes(212), "</s>");
}

TEST(Prompt, OnlyWhatTheTemplateWroteBecomesSpecial)
{
    const auto tokenizer =
        make(small_bpe({{"<|im_start|>", 3}, {"<|im_end|>", 3}, {"<tool>", 4}, {"<|tool|>", 4}}, {}));
    const TokenId end = 257;
    const auto spelled = [&](std::string_view text) { return tokenizer->encode(text, SpecialTokens::as_plain_text); };

    EXPECT_EQ(tokenizer->encode(MarkedText::by_template("<|im_end|>")), std::vector<TokenId>{end});
    EXPECT_EQ(tokenizer->encode(MarkedText::by_person("<|im_end|>")), spelled("<|im_end|>"));
    EXPECT_EQ(spelled("<|im_end|>").size(), 10U);
    // One foreign byte is enough, wherever it stands.
    for (std::size_t i = 0; i < 10; ++i) {
        MarkedText text = MarkedText::by_template("<|im_end|>");
        text.from_person[i] = '\1';
        EXPECT_EQ(tokenizer->encode(text), spelled("<|im_end|>")) << i;
    }
    // A text without marks counts as a person's.
    EXPECT_EQ(tokenizer->encode(MarkedText{"<|im_end|>", ""}), spelled("<|im_end|>"));
    // User-defined tokens belong to any text, unless they look like control tokens.
    EXPECT_EQ(tokenizer->encode(MarkedText::by_person("<tool>")), std::vector<TokenId>{258});
    EXPECT_EQ(tokenizer->encode(MarkedText::by_person("<|tool|>")).size(), 8U);
    EXPECT_EQ(tokenizer->encode(MarkedText::by_template("<|tool|>")), std::vector<TokenId>{259});
}

TEST(Prompt, TextOfTemplateAndPersonIsOneRun)
{
    const auto tokenizer = make(small_bpe({{"ab", 1}, {"<|im_end|>", 3}}, {"a b"}));
    MarkedText text = MarkedText::by_template("a");
    text.append(MarkedText::by_person("b"));
    text.append(MarkedText::by_template("<|im_end|>"));
    EXPECT_EQ(tokenizer->encode(text), (std::vector<TokenId>{256, 257}));
}

TEST(Prompt, ExactlyOneBos)
{
    const auto tokenizer = make(small_spm({{"\xE2\x96\x81", 1, -1}, {"a", 1, -2}}));
    const std::vector<TokenId> expected{1, 259, 260};
    EXPECT_EQ(tokenizer->encode_prompt(MarkedText::by_template("a")), expected);
    EXPECT_EQ(tokenizer->encode_prompt(MarkedText::by_template("<s>a")), expected);
    EXPECT_EQ(tokenizer->encode_prompt(MarkedText::by_template("<s><s>a")), expected);
    EXPECT_EQ(tokenizer->encode_prompt(MarkedText::by_template("")), std::vector<TokenId>{1});
    // A person's "<s>" is text.
    EXPECT_EQ(tokenizer->encode_prompt(MarkedText::by_person("<s>")).size(), 5U);

    const auto without = make(small_spm({}).set("tokenizer.ggml.add_bos_token", false));
    EXPECT_EQ(without->encode_prompt(MarkedText::by_template("<s>")), std::vector<TokenId>{1});
    EXPECT_TRUE(without->encode_prompt(MarkedText::by_template("")).empty());
}

} // namespace
} // namespace constela::text
