// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/pre_tokenizer.h"
#include "engine/gguf/printable.h"
#include "engine/text/pre_tokenizer_table.h"
#include "engine/text/utf8.h"

#include <algorithm>

namespace constela::text {

Result<PreTokenizer> PreTokenizer::create(std::string_view name, std::string_view file_name)
{
    const auto rules = pre_tokenizer_rules();
    const std::string_view wanted = name.empty() ? "default" : name;
    const auto rule =
        std::find_if(rules.begin(), rules.end(), [wanted](const PreTokenizerRule& r) { return r.name == wanted; });
    if (rule == rules.end()) {
        std::string known;
        for (const PreTokenizerRule& r : rules) {
            known += known.empty() ? "" : ", ";
            known += r.name;
        }
        return failure("{}: tokenizer.ggml.pre is \"{}\", a pre-tokenizer that is not known. Known are: {}.", file_name,
                       gguf::printable(name), known);
    }
    PreTokenizer made;
    for (const std::string_view pattern : rule->steps) {
        CONSTELA_ASSIGN(auto step, Regex::compile(pattern));
        made.steps_.push_back(std::move(step));
    }
    made.ignores_merges_ = rule->ignores_merges;
    made.adds_bos_ = rule->adds_bos;
    return made;
}

std::vector<std::string_view> PreTokenizer::split(std::string_view text) const
{
    std::vector<std::string_view> words;
    while (!text.empty()) {
        std::size_t valid = 0;
        std::size_t broken = 0;
        while (valid + broken < text.size()) {
            const Utf8Step step = next_utf8(text.substr(valid + broken));
            if (step.kind != Utf8Kind::character) {
                broken += step.length;
            } else if (broken > 0) {
                break;
            } else {
                valid += step.length;
            }
        }
        split_valid(text.substr(0, valid), words);
        if (broken > 0) {
            words.push_back(text.substr(valid, broken));
        }
        text.remove_prefix(valid + broken);
    }
    return words;
}

void PreTokenizer::split_valid(std::string_view text, std::vector<std::string_view>& words) const
{
    if (text.empty()) {
        return;
    }
    std::vector<std::string_view> pieces{text};
    std::vector<std::string_view> finer;
    for (const Regex& step : steps_) {
        finer.clear();
        step.split(pieces, finer);
        pieces.swap(finer);
    }
    words.insert(words.end(), pieces.begin(), pieces.end());
}

} // namespace constela::text
