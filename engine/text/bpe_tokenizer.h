// SPDX-License-Identifier: GPL-3.0-or-later
//
// Byte-level byte-pair encoding (tokenizer.ggml.model "gpt2"): words cut by regular expressions, their bytes merged
// pair by pair in the order of the file's merges.
#pragma once

#include "engine/text/bpe_merges.h"
#include "engine/text/pre_tokenizer.h"
#include "engine/text/vocabulary_tokenizer.h"

#include <memory>

namespace constela::text {

class BpeTokenizer final : public VocabularyTokenizer {
public:
    [[nodiscard]] static Result<std::unique_ptr<const Tokenizer>> create(const gguf::Metadata& metadata);

    [[nodiscard]] std::string bytes(TokenId id, bool with_special) const override;
    [[nodiscard]] std::string decode(const std::vector<TokenId>& ids, bool with_special) const override;

private:
    BpeTokenizer(Vocabulary vocabulary, Names names, PreTokenizer pre, BpeMerges merges);

    void encode_plain(std::string_view text, bool at_start, std::vector<TokenId>& ids) const override;

    PreTokenizer pre_;
    BpeMerges merges_;
};

} // namespace constela::text
