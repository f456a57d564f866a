// SPDX-License-Identifier: GPL-3.0-or-later
//
// A vocabulary for tiny random models, which have none that means anything: each id is a letter.
#pragma once

#include "engine/text/tokenizer.h"

namespace constela::test {

class LetterTokenizer final : public text::Tokenizer {
public:
    explicit LetterTokenizer(std::vector<text::TokenId> ends = {}) : ends_(std::move(ends)) {}

    static char letter(text::TokenId id) { return static_cast<char>('a' + id % 26); }

    [[nodiscard]] std::vector<text::TokenId> encode(std::string_view text,
                                                    text::SpecialTokens /*special*/) const override
    {
        return {text.begin(), text.end()};
    }
    [[nodiscard]] std::vector<text::TokenId> encode(const text::MarkedText& text) const override
    {
        return {text.text.begin(), text.text.end()};
    }
    [[nodiscard]] std::string bytes(text::TokenId id, bool /*with_special*/) const override { return {letter(id)}; }
    [[nodiscard]] std::string decode(const std::vector<text::TokenId>& ids, bool /*with_special*/) const override
    {
        std::string text;
        for (const text::TokenId id : ids) {
            text += letter(id);
        }
        return text;
    }
    [[nodiscard]] std::size_t size() const override { return 512; }
    [[nodiscard]] std::string_view token(text::TokenId /*id*/) const override { return "?"; }
    [[nodiscard]] std::optional<text::TokenId> find(std::string_view /*token*/) const override { return std::nullopt; }
    [[nodiscard]] bool is_special(text::TokenId /*id*/) const override { return false; }
    [[nodiscard]] std::optional<text::TokenId> bos() const override { return std::nullopt; }
    [[nodiscard]] std::optional<text::TokenId> eos() const override { return std::nullopt; }
    [[nodiscard]] bool adds_bos() const override { return false; }
    [[nodiscard]] bool adds_eos() const override { return false; }
    [[nodiscard]] const std::vector<text::TokenId>& end_tokens() const override { return ends_; }
    [[nodiscard]] std::string_view model() const override { return "letters"; }
    [[nodiscard]] std::string_view pre_tokenizer() const override { return ""; }

private:
    std::vector<text::TokenId> ends_;
};

} // namespace constela::test
