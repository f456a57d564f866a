// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/vocabulary_tokenizer.h"

#include <utility>

namespace constela::text {

VocabularyTokenizer::VocabularyTokenizer(Vocabulary vocabulary, Names names, bool strips_right)
    : vocabulary_(std::move(vocabulary)), model_(std::move(names.model)),
      pre_tokenizer_(std::move(names.pre_tokenizer)), splitter_(vocabulary_, strips_right)
{
}

std::vector<TokenId> VocabularyTokenizer::encode(std::string_view text, const MayBeSpecial& may_be_special) const
{
    std::vector<TokenId> ids;
    bool at_start = true;
    for (const Fragment& fragment : splitter_.split(text, may_be_special)) {
        if (fragment.token) {
            ids.push_back(*fragment.token);
        } else {
            encode_plain(fragment.text, at_start, ids);
        }
        at_start = fragment.token.has_value();
    }
    return ids;
}

std::vector<TokenId> VocabularyTokenizer::encode(std::string_view text, SpecialTokens special) const
{
    const bool as_tokens = special == SpecialTokens::as_tokens;
    return encode(text, [as_tokens](std::size_t) { return as_tokens; });
}

std::vector<TokenId> VocabularyTokenizer::encode(const MarkedText& text) const
{
    // A byte without a mark counts as a person's: that errs on the safe side.
    return encode(text.text,
                  [&text](std::size_t i) { return i < text.from_person.size() && text.from_person[i] == '\0'; });
}

} // namespace constela::text
