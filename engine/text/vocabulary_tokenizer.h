// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the kinds of tokenizers share: the vocabulary, and the cutting at tokens that stand in the text.
#pragma once

#include "engine/text/special_splitter.h"
#include "engine/text/tokenizer.h"
#include "engine/text/vocabulary.h"

#include <string>
#include <string_view>
#include <vector>

namespace constela::text {

class VocabularyTokenizer : public Tokenizer {
public:
    [[nodiscard]] std::vector<TokenId> encode(std::string_view text, SpecialTokens special) const final;
    [[nodiscard]] std::vector<TokenId> encode(const MarkedText& text) const final;

    [[nodiscard]] std::size_t size() const final { return vocabulary_.size(); }
    [[nodiscard]] std::string_view token(TokenId id) const final { return vocabulary_.token(id); }
    [[nodiscard]] std::optional<TokenId> find(std::string_view token) const final { return vocabulary_.find(token); }
    [[nodiscard]] bool is_special(TokenId id) const final { return vocabulary_.is_special(id); }
    [[nodiscard]] std::optional<TokenId> bos() const final { return vocabulary_.bos(); }
    [[nodiscard]] std::optional<TokenId> eos() const final { return vocabulary_.eos(); }
    [[nodiscard]] bool adds_bos() const final { return vocabulary_.adds_bos(); }
    [[nodiscard]] bool adds_eos() const final { return vocabulary_.adds_eos(); }
    [[nodiscard]] const std::vector<TokenId>& end_tokens() const final { return vocabulary_.end_tokens(); }
    [[nodiscard]] std::string_view model() const final { return model_; }
    [[nodiscard]] std::string_view pre_tokenizer() const final { return pre_tokenizer_; }

protected:
    struct Names {
        std::string model;
        std::string pre_tokenizer;
    };
    VocabularyTokenizer(Vocabulary vocabulary, Names names, bool strips_right);

    [[nodiscard]] const Vocabulary& vocabulary() const { return vocabulary_; }
    /// Whether encode() takes such a token out of a text before everything else.
    [[nodiscard]] bool stands_alone(TokenId id) const
    {
        return vocabulary_.is_special(id) || vocabulary_.type(id) == TokenType::user_defined;
    }

    /// Appends the ids of a text in which no token stands. `at_start`: nothing or a token stands before it.
    virtual void encode_plain(std::string_view text, bool at_start, std::vector<TokenId>& ids) const = 0;

private:
    [[nodiscard]] std::vector<TokenId> encode(std::string_view text, const MayBeSpecial& may_be_special) const;

    Vocabulary vocabulary_;
    std::string model_;
    std::string pre_tokenizer_;
    SpecialSplitter splitter_;
};

} // namespace constela::text
