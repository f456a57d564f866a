// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/bpe_tokenizer.h"
#include "engine/text/byte_level.h"
#include "engine/text/merge_queue.h"

#include <utility>

namespace constela::text {

BpeTokenizer::BpeTokenizer(Vocabulary vocabulary, Names names, PreTokenizer pre, BpeMerges merges)
    : VocabularyTokenizer(std::move(vocabulary), std::move(names), false), pre_(std::move(pre)),
      merges_(std::move(merges))
{
}

Result<std::unique_ptr<const Tokenizer>> BpeTokenizer::create(const gguf::Metadata& metadata)
{
    CONSTELA_ASSIGN(auto pre_name, metadata.get_or<std::string>("tokenizer.ggml.pre", {}));
    CONSTELA_ASSIGN(auto pre, PreTokenizer::create(pre_name, metadata.file_name()));
    VocabularyDefaults defaults;
    defaults.adds_bos = pre.adds_bos();
    CONSTELA_ASSIGN(auto vocabulary, Vocabulary::read(metadata, defaults));
    CONSTELA_ASSIGN(auto merges, BpeMerges::read(metadata, vocabulary));
    return std::unique_ptr<const Tokenizer>(
        new BpeTokenizer(std::move(vocabulary), {"gpt2", std::move(pre_name)}, std::move(pre), std::move(merges)));
}

void BpeTokenizer::encode_plain(std::string_view text, bool /*at_start*/, std::vector<TokenId>& ids) const
{
    MergeQueue queue;
    const auto encode = [&](std::string_view word) {
        queue.clear();
        for (const char byte : word) {
            queue.add(merges_.of_byte(static_cast<unsigned char>(byte)), 1);
        }
        queue.merge([&](const MergeQueue::Part& left, const MergeQueue::Part& right) {
            return merges_.find(left.symbol, right.symbol);
        });
        queue.for_each([&](const MergeQueue::Part& part) { merges_.append(part.symbol, ids); });
    };
    for (std::string_view word : pre_.split(text)) {
        // A byte is one or two bytes in the alphabet, so a longer word cannot be a token.
        if (pre_.ignores_merges() && word.size() <= vocabulary().longest_plain()) {
            if (const auto id = vocabulary().find_plain(to_byte_level(word))) {
                ids.push_back(*id);
                continue;
            }
        }
        for (; word.size() > MergeQueue::kMaxBytes; word.remove_prefix(MergeQueue::kMaxBytes)) {
            encode(word.substr(0, MergeQueue::kMaxBytes));
        }
        encode(word);
    }
}

std::string BpeTokenizer::bytes(TokenId id, bool with_special) const
{
    const std::string_view text = token(id);
    if (is_special(id)) {
        return with_special ? std::string(text) : std::string();
    }
    return vocabulary().type(id) == TokenType::user_defined ? std::string(text) : from_byte_level(text);
}

std::string BpeTokenizer::decode(const std::vector<TokenId>& ids, bool with_special) const
{
    std::string text;
    for (const TokenId id : ids) {
        text += bytes(id, with_special);
    }
    return text;
}

} // namespace constela::text
