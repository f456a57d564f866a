// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the two kinds of tokenizers work, on vocabularies small enough to follow by hand.
#include "engine/text/byte_level.h"
#include "tests/engine/text/tokenizer/vocabularies.h"

#include <gtest/gtest.h>

namespace constela::text {
namespace {

using Ids = std::vector<TokenId>;
using text::test::make;
using text::test::small_bpe;
using text::test::small_spm;

const std::string kSpace = "\xE2\x96\x81";

Ids plain(const Tokenizer& tokenizer, std::string_view text)
{
    return tokenizer.encode(text, SpecialTokens::as_plain_text);
}

TEST(Spm, MergesTheBestScoreFirst)
{
    const auto low =
        small_spm({{"a"}, {"b"}, {"c"}, {"ab", 1, -2}, {"bc", 1, -1}}).set("tokenizer.ggml.add_space_prefix", false);
    EXPECT_EQ(plain(*make(low), "abc"), (Ids{259, 263}));
    const auto equal =
        small_spm({{"a"}, {"b"}, {"c"}, {"ab", 1, -1}, {"bc", 1, -1}}).set("tokenizer.ggml.add_space_prefix", false);
    EXPECT_EQ(plain(*make(equal), "abc"), (Ids{262, 261})); // the left one where scores are equal
}

TEST(Spm, AddsASpaceAtTheStartAndBehindSpecialTokens)
{
    const auto keys = small_spm({{kSpace, 1, -1}, {"a", 1, -1}, {kSpace + "a", 1, -1}});
    const auto tokenizer = make(keys);
    EXPECT_EQ(plain(*tokenizer, ""), Ids{});
    EXPECT_EQ(plain(*tokenizer, "a"), Ids{261});
    EXPECT_EQ(plain(*tokenizer, " a"), (Ids{259, 261}));
    EXPECT_EQ(tokenizer->encode("a</s>a", SpecialTokens::as_tokens), (Ids{261, 2, 261}));
    EXPECT_EQ(tokenizer->decode({261, 2, 261}), "a</s>a");
    EXPECT_EQ(tokenizer->decode({261, 2, 261}, false), "aa");
    EXPECT_EQ(tokenizer->decode({259, 261}), " a");
    EXPECT_EQ(tokenizer->bytes(261), " a");

    auto off = keys;
    off.set("tokenizer.ggml.add_space_prefix", false);
    EXPECT_EQ(plain(*make(off), "a"), Ids{260});
    EXPECT_EQ(make(off)->decode({261}), " a");
}

TEST(Spm, WritesUnknownCharactersAsBytes)
{
    const auto tokenizer = make(small_spm({{"a"}}).set("tokenizer.ggml.add_space_prefix", false));
    EXPECT_EQ(plain(*tokenizer, "\xC3\xA9"), (Ids{3 + 0xC3, 3 + 0xA9}));
    EXPECT_EQ(plain(*tokenizer, "\xC3"), Ids{3 + 0xC3});
    EXPECT_EQ(plain(*tokenizer, "\xE2"
                                "a"),
              (Ids{3 + 0xE2, 259}));
    EXPECT_EQ(tokenizer->bytes(3 + 0xC3), "\xC3");
    EXPECT_EQ(tokenizer->decode(plain(*tokenizer, "\xFF\xC3\xA9\n")), "\xFF\xC3\xA9\n");
}

TEST(Spm, UsesTheUnknownTokenWhereThereAreNoBytes)
{
    test::Keys keys;
    keys.set("tokenizer.ggml.model", std::string("llama"));
    keys.set("tokenizer.ggml.tokens", gguf::Array(std::vector<std::string>{"<unk>", "<s>", "</s>", "a"}));
    keys.set("tokenizer.ggml.scores", gguf::Array(std::vector<double>{0, 0, 0, 0}));
    keys.set("tokenizer.ggml.token_type", gguf::Array(std::vector<std::int64_t>{2, 3, 3, 1}));
    keys.set("tokenizer.ggml.add_space_prefix", false);
    EXPECT_EQ(plain(*make(keys), "ab"), (Ids{3, 0}));
}

TEST(Spm, PlainTextNeverMergesIntoASpecialToken)
{
    const auto tokenizer = make(small_spm({{"<"}, {"s"}, {">"}, {"<s"}, {"0x4"}, {"<0x4"}, {"1>"}})
                                    .set("tokenizer.ggml.add_space_prefix", false));
    EXPECT_EQ(plain(*tokenizer, "<s>"), (Ids{262, 261}));
    EXPECT_EQ(tokenizer->decode(plain(*tokenizer, "<0x41>")), "<0x41>");
}

TEST(Spm, UserDefinedTokensGoFirst)
{
    const auto tokenizer =
        make(small_spm({{"\n\n", 4}, {"\n", 4}, {"a"}}).set("tokenizer.ggml.add_space_prefix", false));
    EXPECT_EQ(plain(*tokenizer, "a\n\n\na"), (Ids{261, 259, 260, 261}));
}

TEST(Spm, Phi3SpecialTokensSwallowWhiteSpace)
{
    const auto keys =
        small_spm({{"<|end|>", 3}, {"a"}, {"\n"}, {kSpace}}).set("tokenizer.ggml.add_space_prefix", false);
    EXPECT_EQ(make(keys)->encode("<|end|>\n a", SpecialTokens::as_tokens), (Ids{259, 261, 262, 260}));
    auto phi = keys;
    phi.set("general.architecture", std::string("phi3"));
    EXPECT_EQ(make(phi)->encode("<|end|>\n a", SpecialTokens::as_tokens), (Ids{259, 260}));
    EXPECT_EQ(make(phi)->encode("<s>\na", SpecialTokens::as_tokens), (Ids{1, 261, 260}));
    EXPECT_EQ(make(phi)->encode("<|end|>\n ", SpecialTokens::as_tokens), Ids{259});
}

TEST(Bpe, MergesByRank)
{
    const auto tokenizer = make(small_bpe({{"ab"}, {"bc"}, {"abc"}}, {"b c", "a b", "ab c"}));
    EXPECT_EQ(plain(*tokenizer, "abc"), (Ids{'a', 257}));
    EXPECT_EQ(plain(*tokenizer, "ab"), Ids{256});
    EXPECT_EQ(plain(*tokenizer, "abab"), (Ids{256, 256}));
}

TEST(Bpe, TakesWholeWordsWhereMergesAreIgnored)
{
    const auto keys = small_bpe({{"abc"}}, {});
    EXPECT_EQ(plain(*make(keys), "abc"), (Ids{'a', 'b', 'c'}));
    auto llama3 = keys;
    llama3.set("tokenizer.ggml.pre", std::string("llama-bpe"));
    EXPECT_EQ(plain(*make(llama3), "abc"), Ids{256});
    EXPECT_EQ(plain(*make(llama3), "abcd"), (Ids{'a', 'b', 'c', 'd'}));
}

TEST(Bpe, StepsThatAreNoTokensComeApartAgain)
{
    // "ab" is no token, but leads to "abc".
    const auto tokenizer = make(small_bpe({{"abc"}}, {"a b", "ab c"}));
    EXPECT_EQ(plain(*tokenizer, "abc"), Ids{256});
    EXPECT_EQ(plain(*tokenizer, "ab"), (Ids{'a', 'b'}));
}

TEST(Bpe, EveryByteComesBack)
{
    const auto tokenizer = make(small_bpe({{"\xC4\xA0"
                                            "a"}},
                                          {"\xC4\xA0 a"})); // U+0120 is the space
    std::string all;
    for (int byte = 0; byte < 256; ++byte) {
        all += static_cast<char>(byte);
    }
    EXPECT_EQ(tokenizer->decode(plain(*tokenizer, all)), all);
    EXPECT_EQ(plain(*tokenizer, " a"), Ids{256});
    EXPECT_EQ(tokenizer->bytes(256), " a");
}

TEST(Bpe, SpecialTokensGiveTheirNamesOnlyWhenAsked)
{
    const auto tokenizer = make(small_bpe({{"<|x|>", 3}, {" raw ", 4}}, {}));
    EXPECT_EQ(tokenizer->bytes(256), "");
    EXPECT_EQ(tokenizer->bytes(256, true), "<|x|>");
    EXPECT_EQ(tokenizer->bytes(257), " raw ");
    EXPECT_EQ(tokenizer->bytes(-1), "");
    EXPECT_EQ(tokenizer->bytes(258), "");
    EXPECT_EQ(tokenizer->decode({'a', 256, 'b'}), "a<|x|>b");
    EXPECT_EQ(tokenizer->decode({'a', 256, 'b'}, false), "ab");
}

TEST(Bpe, TheAlphabetIsThatOfGpt2)
{
    EXPECT_EQ(to_byte_level(" \n\xAD\x7F"
                            "A"),
              "\xC4\xA0\xC4\x8A\xC5\x83\xC4\xA1"
              "A");
    EXPECT_EQ(from_byte_level("\xC4\xA0\xC4\x8A\xC5\x83\xC4\xA1"
                              "A"),
              " \n\xAD\x7F"
              "A");
    EXPECT_EQ(from_byte_level("\xE2\x96\x81 \xC4"), "\xE2\x96\x81 \xC4"); // outside the alphabet
}

TEST(Tokenizer, SaysWhatItIs)
{
    const auto tokenizer = make(small_spm({{"<end_of_turn>", 1}, {"a"}})
                                    .set("tokenizer.ggml.pre", std::string("default"))
                                    .set("tokenizer.ggml.eot_token_id", std::uint64_t{260}));
    EXPECT_EQ(tokenizer->model(), "llama");
    EXPECT_EQ(tokenizer->pre_tokenizer(), "default");
    EXPECT_EQ(tokenizer->size(), 261U);
    EXPECT_EQ(tokenizer->token(1), "<s>");
    EXPECT_EQ(tokenizer->token(261), "");
    EXPECT_EQ(tokenizer->find("<s>"), 1);
    EXPECT_EQ(tokenizer->find("nothing"), std::nullopt);
    EXPECT_EQ(tokenizer->bos(), 1);
    EXPECT_EQ(tokenizer->eos(), 2);
    EXPECT_TRUE(tokenizer->adds_bos());
    EXPECT_FALSE(tokenizer->adds_eos());
    // eos, the marker (whatever its type says), and the eot of the file.
    EXPECT_EQ(tokenizer->end_tokens(), (Ids{2, 259, 260}));
    EXPECT_TRUE(tokenizer->is_special(259));
    EXPECT_FALSE(tokenizer->is_special(260));
    EXPECT_FALSE(tokenizer->is_special(-1));
}

TEST(Tokenizer, InGptOssEndClosesAMessageNotTheAnswer)
{
    const auto tokenizer = make(small_bpe({{"<|end|>", 3}, {"<|return|>", 3}, {"<|call|>", 3}}, {}));
    EXPECT_EQ(tokenizer->end_tokens(), (Ids{257, 258}));
    EXPECT_TRUE(tokenizer->is_special(256));
}

} // namespace
} // namespace constela::text
