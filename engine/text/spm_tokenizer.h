// SPDX-License-Identifier: GPL-3.0-or-later
//
// SentencePiece's byte-pair encoding (tokenizer.ggml.model "llama"): spaces are written as U+2581, neighbours are
// merged into the token with the best score, characters without a token are written as bytes ("<0x0A>").
#pragma once

#include "engine/text/vocabulary_tokenizer.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

namespace constela::text {

class SpmTokenizer final : public VocabularyTokenizer {
public:
    [[nodiscard]] static Result<std::unique_ptr<const Tokenizer>> create(const gguf::Metadata& metadata);

    [[nodiscard]] std::string bytes(TokenId id, bool with_special) const override;
    [[nodiscard]] std::string decode(const std::vector<TokenId>& ids, bool with_special) const override;

private:
    struct Settings {
        bool adds_space = true; ///< Before a text and behind each special token in it.
        bool strips_right = false;
    };

    SpmTokenizer(Vocabulary vocabulary, Names names, const std::vector<float>& scores, const Settings& settings);

    /// Appends the ids of a text whose spaces are U+2581.
    void encode_written(std::string_view text, std::vector<TokenId>& ids) const;
    void encode_plain(std::string_view text, bool at_start, std::vector<TokenId>& ids) const override;

    std::vector<std::uint32_t> ranks_; ///< Of each token: 0 for the best score.
    bool adds_space_;
    std::array<std::optional<TokenId>, 256> byte_tokens_; ///< How a byte without a better token is written.
};

} // namespace constela::text
