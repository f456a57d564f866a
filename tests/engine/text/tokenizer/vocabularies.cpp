// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/text/tokenizer/vocabularies.h"
#include "engine/text/byte_level.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdexcept>

namespace constela::text::test {

const Tokenizer& tokenizer_of(const std::filesystem::path& file)
{
    static std::map<std::filesystem::path, std::unique_ptr<const Tokenizer>> made;
    auto& tokenizer = made[file];
    if (!tokenizer) {
        const auto opened = gguf::File::open(file);
        if (!opened) {
            throw std::runtime_error(opened.error().text());
        }
        auto created = Tokenizer::create((*opened)->metadata());
        if (!created) {
            throw std::runtime_error(created.error().text());
        }
        tokenizer = *std::move(created);
    }
    return *tokenizer;
}

Keys& Keys::without(std::string_view key)
{
    values.erase(std::string(key));
    return *this;
}

namespace {

void set_tokens(Keys& keys, const std::vector<SmallToken>& tokens)
{
    std::vector<std::string> texts;
    std::vector<std::int64_t> types;
    std::vector<double> scores;
    for (const SmallToken& token : tokens) {
        texts.push_back(token.text);
        types.push_back(token.type);
        scores.push_back(token.score);
    }
    keys.set("tokenizer.ggml.tokens", gguf::Array(texts));
    keys.set("tokenizer.ggml.token_type", gguf::Array(types));
    keys.set("tokenizer.ggml.scores", gguf::Array(scores));
}

} // namespace

Keys small_spm(const std::vector<SmallToken>& more)
{
    std::vector<SmallToken> tokens{{"<unk>", 2}, {"<s>", 3}, {"</s>", 3}};
    for (unsigned byte = 0; byte < 256; ++byte) {
        tokens.push_back({fmt::format("<0x{:02X}>", byte), 6});
    }
    tokens.insert(tokens.end(), more.begin(), more.end());
    Keys keys;
    keys.set("tokenizer.ggml.model", std::string("llama"));
    set_tokens(keys, tokens);
    return keys;
}

Keys small_bpe(const std::vector<SmallToken>& more, const std::vector<std::string>& merges)
{
    std::vector<SmallToken> tokens;
    for (const std::string& character : byte_characters()) {
        tokens.push_back({character});
    }
    tokens.insert(tokens.end(), more.begin(), more.end());
    Keys keys;
    keys.set("tokenizer.ggml.model", std::string("gpt2"));
    keys.set("tokenizer.ggml.pre", std::string("gpt-2"));
    set_tokens(keys, tokens);
    keys.without("tokenizer.ggml.scores");
    keys.set("tokenizer.ggml.merges", gguf::Array(merges));
    return keys;
}

std::unique_ptr<const Tokenizer> make(const Keys& keys)
{
    auto created = Tokenizer::create(keys.metadata());
    if (!created) {
        throw std::runtime_error(created.error().text());
    }
    return *std::move(created);
}

} // namespace constela::text::test
