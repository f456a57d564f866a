// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every golden text: the same ids as llama.cpp, from the vocabulary files and from both real models.
#include "tests/engine/text/tokenizer/vocabularies.h"
#include "tests/support/golden.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace constela::text {
namespace {

using constela::test::read_file;
using constela::test::read_json;
using text::test::tokenizer_of;

std::vector<std::vector<TokenId>> read_ids(const std::filesystem::path& path)
{
    std::vector<std::vector<TokenId>> lines;
    std::istringstream file(read_file(path));
    for (std::string line; std::getline(file, line);) {
        std::istringstream numbers(line);
        lines.emplace_back();
        for (TokenId id = 0; numbers >> id;) {
            lines.back().push_back(id);
        }
    }
    return lines;
}

std::vector<std::string> read_texts(const std::filesystem::path& path)
{
    const std::string all = read_file(path);
    const std::string separator = "\n__ggml_vocab_test__\n";
    std::vector<std::string> texts;
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = all.find(separator, begin)) != std::string::npos;) {
        texts.push_back(all.substr(begin, end - begin));
        begin = end + separator.size();
    }
    return texts;
}

struct Source {
    std::string file;    ///< In the golden folder, or a real model's name.
    std::string answers; ///< Without their endings.
    bool is_real = false;
};

void PrintTo(const Source& source, std::ostream* out)
{
    *out << source.answers;
}

class Golden : public testing::TestWithParam<Source> {
protected:
    void SetUp() override
    {
        CONSTELA_NEED_GOLDEN(dir);
        dir_ = dir;
        file_ = dir / GetParam().file;
        if (GetParam().is_real) {
            CONSTELA_NEED_MODEL(model, GetParam().file);
            file_ = model;
        }
    }

    void check_texts(int parse_special)
    {
        const auto texts = read_json(dir_ / "tokenizer/texts.json").get<std::vector<std::string>>();
        const auto answers =
            read_ids(dir_ / (GetParam().answers + ".parse-special-" + std::to_string(parse_special) + ".ids"));
        ASSERT_EQ(texts.size(), answers.size());
        const Tokenizer& tokenizer = tokenizer_of(file_);
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const auto special = parse_special == 0 ? SpecialTokens::as_plain_text : SpecialTokens::as_tokens;
            EXPECT_EQ(tokenizer.encode(texts[i], special), answers[i]) << i << ": " << texts[i];
            const auto marked =
                parse_special == 0 ? MarkedText::by_person(texts[i]) : MarkedText::by_template(texts[i]);
            EXPECT_EQ(tokenizer.encode(marked), answers[i]) << i << ": " << texts[i];
        }
    }

    std::filesystem::path dir_;
    std::filesystem::path file_;
};

TEST_P(Golden, SpecialTokensAsPlainText)
{
    check_texts(0);
}

TEST_P(Golden, SpecialTokensAsTokens)
{
    check_texts(1);
}

class GoldenFile : public Golden {};

TEST_P(GoldenFile, TextsOfLlamaCpp)
{
    const auto texts = read_texts(dir_ / (GetParam().answers + ".inp"));
    const auto answers = read_ids(dir_ / (GetParam().answers + ".out"));
    ASSERT_GT(texts.size(), 40U);
    ASSERT_EQ(texts.size(), answers.size());
    const Tokenizer& tokenizer = tokenizer_of(file_);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        EXPECT_EQ(tokenizer.encode(texts[i], SpecialTokens::as_plain_text), answers[i]) << i << ": " << texts[i];
    }
}

TEST_P(Golden, DecodesWhatItEncoded)
{
    const Tokenizer& tokenizer = tokenizer_of(file_);
    for (const auto& text : read_json(dir_ / "tokenizer/texts.json").get<std::vector<std::string>>()) {
        for (const auto special : {SpecialTokens::as_plain_text, SpecialTokens::as_tokens}) {
            const auto ids = tokenizer.encode(text, special);
            // SmolLM2 has no token for some bytes that no text of a person holds, and Phi-3's special tokens swallow
            // the white space behind them.
            const bool loses = (tokenizer.pre_tokenizer() == "smollm" && text.find('\x04') != std::string::npos) ||
                               (GetParam().answers == "tokenizer/phi-3" && special == SpecialTokens::as_tokens);
            if (!loses) {
                EXPECT_EQ(tokenizer.decode(ids), text);
            }
            std::string one_by_one;
            for (const TokenId id : ids) {
                one_by_one += tokenizer.bytes(id, true);
            }
            if (tokenizer.model() == "gpt2") {
                EXPECT_EQ(one_by_one, tokenizer.decode(ids));
            }
        }
    }
}

const Source kFiles[] = {{"tokenizer/gpt-2.gguf", "tokenizer/gpt-2"},
                         {"tokenizer/llama-bpe.gguf", "tokenizer/llama-bpe"},
                         {"tokenizer/llama-spm.gguf", "tokenizer/llama-spm"},
                         {"tokenizer/phi-3.gguf", "tokenizer/phi-3"},
                         {"tokenizer/qwen2.gguf", "tokenizer/qwen2"}};
const Source kRealModels[] = {{"SmolLM2-135M-Instruct.Q4_1.gguf", "real/smollm2", true},
                              {"gemma-3-270m-q4_k_m.gguf", "real/gemma3", true}};

std::string name_of(const testing::TestParamInfo<Source>& one)
{
    std::string name = one.param.answers.substr(one.param.answers.find('/') + 1);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Vocabularies, Golden, testing::ValuesIn(kFiles), name_of);
INSTANTIATE_TEST_SUITE_P(Vocabularies, GoldenFile, testing::ValuesIn(kFiles), name_of);
INSTANTIATE_TEST_SUITE_P(RealModels, Golden, testing::ValuesIn(kRealModels), name_of);

} // namespace
} // namespace constela::text
