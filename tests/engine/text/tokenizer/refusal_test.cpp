// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is wrong in a file is told with the file and the key.
#include "tests/engine/text/tokenizer/vocabularies.h"

#include <gtest/gtest.h>
#include <limits>

namespace constela::text {
namespace {

using gguf::Array;
using text::test::Keys;
using text::test::small_bpe;
using text::test::small_spm;
using Texts = std::vector<std::string>;
using Whole = std::vector<std::int64_t>;

void expect_refused(const Keys& keys, std::string_view key, std::string_view found)
{
    const auto made = Tokenizer::create(keys.metadata());
    ASSERT_FALSE(made) << key;
    const std::string sentence = made.error().text();
    EXPECT_EQ(sentence.rfind("small.gguf: ", 0), 0U) << sentence;
    EXPECT_NE(sentence.find(key), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(found), std::string::npos) << sentence;
}

Keys spm()
{
    return small_spm({{"a"}});
}
Keys bpe()
{
    return small_bpe({{"ab"}}, {"a b"});
}

TEST(Refusal, UnknownKinds)
{
    expect_refused(Keys{}, "tokenizer.ggml.model", "missing");
    expect_refused(spm().set("tokenizer.ggml.model", std::string("bert")), "tokenizer.ggml.model", "\"bert\"");
    expect_refused(bpe().set("tokenizer.ggml.pre", std::string("jamba\n")), "tokenizer.ggml.pre", R"("jamba\x0a")");
    expect_refused(bpe().set("tokenizer.ggml.pre", std::string("jamba")), "tokenizer.ggml.pre", "qwen2, ");
    expect_refused(bpe().set("tokenizer.ggml.pre", std::uint64_t{3}), "tokenizer.ggml.pre", "3");
}

TEST(Refusal, Tokens)
{
    expect_refused(spm().without("tokenizer.ggml.tokens"), "tokenizer.ggml.tokens", "missing");
    expect_refused(spm().set("tokenizer.ggml.tokens", Array(Texts{})), "tokenizer.ggml.tokens", "0 tokens");
    expect_refused(spm().set("tokenizer.ggml.tokens", Array(Whole{1})), "tokenizer.ggml.tokens", "[1]");
    expect_refused(small_spm({{"a"}, {"a"}}), "tokenizer.ggml.tokens", "\"a\" twice, as 259 and as 260");
    expect_refused(small_spm({{"<0xGG>", 6}}), "tokenizer.ggml.tokens[259]", "<0xGG>");
}

TEST(Refusal, SizesThatDoNotFit)
{
    expect_refused(spm().set("tokenizer.ggml.token_type", Array(Whole{1, 1})), "tokenizer.ggml.token_type",
                   "2 entries");
    expect_refused(spm().set("tokenizer.ggml.scores", Array(std::vector<double>{1})), "tokenizer.ggml.scores",
                   "1 entries");
    expect_refused(spm().without("tokenizer.ggml.scores"), "tokenizer.ggml.scores", "missing");
    expect_refused(small_spm({{"a", 7}}), "tokenizer.ggml.token_type", "token 259 the type 7");
    expect_refused(small_spm({{"a", -1}}), "tokenizer.ggml.token_type", "type -1");
    expect_refused(small_spm({{"a", 1, std::numeric_limits<double>::quiet_NaN()}}), "tokenizer.ggml.scores[259]",
                   "not a number");
}

TEST(Refusal, IdsOutOfRange)
{
    for (const auto* key : {"tokenizer.ggml.bos_token_id", "tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id",
                            "tokenizer.ggml.eom_token_id", "tokenizer.ggml.unknown_token_id"}) {
        expect_refused(spm().set(key, std::uint64_t{260}), key, "260");
        expect_refused(spm().set(key, std::int64_t{-1}), key, "-1");
        EXPECT_TRUE(Tokenizer::create(spm().set(key, std::uint64_t{259}).metadata())) << key;
    }
    expect_refused(bpe().set("tokenizer.ggml.add_bos_token", true), "tokenizer.ggml.bos_token_id", "missing");
    expect_refused(bpe().set("tokenizer.ggml.add_eos_token", true), "tokenizer.ggml.eos_token_id", "missing");
    expect_refused(bpe().set("tokenizer.ggml.add_eos_token", std::string("yes")), "tokenizer.ggml.add_eos_token",
                   "\"yes\"");
}

TEST(Refusal, Merges)
{
    expect_refused(bpe().without("tokenizer.ggml.merges"), "tokenizer.ggml.merges", "missing");
    for (const std::string line : {"", " ", "ab", " a", "a "}) {
        expect_refused(bpe().set("tokenizer.ggml.merges", Array(Texts{"a b", line})), "tokenizer.ggml.merges[1]",
                       '"' + line + '"');
    }
}

TEST(Refusal, EmptyTokensAreNoHarm)
{
    const auto made = Tokenizer::create(small_bpe({{""}, {""}, {"ab"}}, {"a b"}).metadata());
    ASSERT_TRUE(made);
    EXPECT_EQ((*made)->encode("ab", SpecialTokens::as_tokens), std::vector<TokenId>{258});
    EXPECT_EQ((*made)->bytes(256), "");
}

} // namespace
} // namespace constela::text
