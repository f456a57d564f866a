// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/tokenizer/vocabularies.h"
#include "engine/text/byte_level.h"
#include "engine/text/pre_tokenizer_table.h"

#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <string>

namespace constela::text::fuzz {

namespace {

using Values = std::map<std::string, gguf::Value, std::less<>>;

struct Tokens {
    std::vector<std::string> texts;
    std::vector<std::int64_t> types;
    std::vector<double> scores;

    void add(std::string text, std::int64_t type = 1, double score = 0)
    {
        texts.push_back(std::move(text));
        types.push_back(type);
        scores.push_back(score);
    }
    void put_into(Values& values) const
    {
        values["tokenizer.ggml.tokens"] = gguf::Array(texts);
        values["tokenizer.ggml.token_type"] = gguf::Array(types);
        values["tokenizer.ggml.scores"] = gguf::Array(scores);
    }
};

std::unique_ptr<const Tokenizer> make(const Values& values)
{
    auto made = Tokenizer::create({"good.gguf", values});
    if (!made) {
        std::abort();
    }
    return *std::move(made);
}

std::unique_ptr<const Tokenizer> bpe(std::string_view pre)
{
    Tokens tokens;
    for (const std::string& character : byte_characters()) {
        tokens.add(character);
    }
    // U+0120 is the space, U+010A the newline.
    const std::vector<std::string> merges{"a b",
                                          "b c",
                                          "ab c",
                                          "\xC4\xA0 a",
                                          "\xC4\xA0 \xC4\xA0",
                                          "1 2",
                                          "\xC4\x8A \xC4\x8A",
                                          "\xC3\x83 \xC2\xA9",
                                          "< |",
                                          "| >",
                                          "a a",
                                          "aa aa",
                                          "x y",
                                          "xy z"};
    for (const std::string& merge : merges) {
        const std::size_t space = merge.find(' ');
        const std::string joined = merge.substr(0, space) + merge.substr(space + 1);
        // "xy" is a step that is no token.
        if (joined != "xy") {
            tokens.add(joined);
        }
    }
    tokens.add("hello"); // for those that ignore merges
    tokens.add("<|im_start|>", 3);
    tokens.add("<|im_end|>", 3);
    tokens.add("<|im_end|>\n", 3);
    tokens.add("<tool>", 4);
    tokens.add("  ", 4);
    Values values;
    values["tokenizer.ggml.model"] = std::string("gpt2");
    values["tokenizer.ggml.pre"] = std::string(pre);
    tokens.put_into(values);
    values["tokenizer.ggml.merges"] = gguf::Array(merges);
    values["tokenizer.ggml.bos_token_id"] = std::uint64_t{tokens.texts.size() - 5};
    return make(values);
}

std::unique_ptr<const Tokenizer> spm(bool adds_space)
{
    const std::string space = "\xE2\x96\x81";
    Tokens tokens;
    tokens.add("<unk>", 2);
    tokens.add("<s>", 3);
    tokens.add("</s>", 3);
    for (unsigned byte = 0; byte < 256; ++byte) {
        tokens.add(fmt::format("<0x{:02X}>", byte), 6);
    }
    double score = 0;
    for (const std::string& text :
         {space, space + space, space + "a", std::string("ab"), std::string("abc"), std::string("bc"),
          std::string("<s"), std::string("a"), std::string("b"), std::string("c"), std::string("s"), std::string("<"),
          std::string("\xC3\xA9"), std::string("aa"), std::string("aaaa"), std::string("\n")}) {
        tokens.add(text, 1, score);
        score -= 0.5;
    }
    tokens.add("\n\n", 4);
    tokens.add("<tool>", 4);
    Values values;
    values["tokenizer.ggml.model"] = std::string("llama");
    values["tokenizer.ggml.add_space_prefix"] = adds_space;
    tokens.put_into(values);
    return make(values);
}

} // namespace

const std::vector<std::unique_ptr<const Tokenizer>>& good_tokenizers()
{
    static const auto made = [] {
        std::vector<std::unique_ptr<const Tokenizer>> tokenizers;
        const std::string_view* last = nullptr;
        for (const PreTokenizerRule& rule : pre_tokenizer_rules()) {
            if (rule.steps.data() != last) {
                tokenizers.push_back(bpe(rule.name));
            }
            last = rule.steps.data();
        }
        tokenizers.push_back(spm(true));
        tokenizers.push_back(spm(false));
        return tokenizers;
    }();
    return made;
}

gguf::Metadata wild_metadata(std::string_view bytes)
{
    const auto next = [&bytes] {
        const unsigned byte = bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]);
        bytes.remove_prefix(bytes.empty() ? 0 : 1);
        return byte;
    };
    const auto text = [&] {
        const std::size_t length = std::min<std::size_t>(next() % 8, bytes.size());
        std::string taken(bytes.substr(0, length));
        bytes.remove_prefix(length);
        return taken;
    };
    Values values;
    const unsigned kind = next();
    values["tokenizer.ggml.model"] = std::string((kind & 1U) != 0 ? "gpt2" : "llama");
    if ((kind & 2U) != 0) {
        const auto rules = pre_tokenizer_rules();
        values["tokenizer.ggml.pre"] = std::string(rules[next() % rules.size()].name);
    }
    if ((kind & 4U) != 0) {
        values["general.architecture"] = std::string("phi3");
    }
    values["tokenizer.ggml.add_space_prefix"] = (kind & 8U) != 0;
    for (const auto* key : {"tokenizer.ggml.bos_token_id", "tokenizer.ggml.eot_token_id"}) {
        if ((kind & 16U) != 0) {
            values[key] = std::uint64_t{next()};
        }
    }
    Tokens tokens;
    for (unsigned count = next() % 64; count > 0; --count) {
        tokens.add(text(), next() % 8, static_cast<double>(next()) - 128);
    }
    tokens.put_into(values);
    if ((kind & 32U) != 0) {
        values["tokenizer.ggml.token_type"] = gguf::Array(std::vector<std::int64_t>(tokens.types.size() / 2, 1));
    }
    std::vector<std::string> merges;
    for (unsigned count = next() % 32; count > 0; --count) {
        merges.push_back((kind & 64U) != 0 ? text() : text() + ' ' + text());
    }
    values["tokenizer.ggml.merges"] = gguf::Array(merges);
    return {"wild.gguf", values};
}

} // namespace constela::text::fuzz
