// SPDX-License-Identifier: GPL-3.0-or-later
//
// Text to token ids and back, as the model's file describes it.
// Threads: immutable after creation, may be used from any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf.h"
#include "engine/text/marked_text.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace constela::text {

using TokenId = std::int32_t;

/// How special tokens that stand in a text are taken.
enum class SpecialTokens { as_plain_text, as_tokens };

class Tokenizer {
public:
    /// Reads the tokenizer.* keys. An unknown model or pre-tokenizer is an error that names it.
    [[nodiscard]] static Result<std::unique_ptr<const Tokenizer>> create(const gguf::Metadata& metadata);

    virtual ~Tokenizer() = default;
    Tokenizer(const Tokenizer&) = delete;
    Tokenizer& operator=(const Tokenizer&) = delete;

    /// Ids of a text, byte for byte (invalid UTF-8 included); no BOS or EOS is added. The space prefix is as the file
    /// says. Time is linear in the length, up to a logarithm.
    [[nodiscard]] virtual std::vector<TokenId> encode(std::string_view text, SpecialTokens special) const = 0;
    /// Special tokens only where every byte of them was written by the template.
    [[nodiscard]] virtual std::vector<TokenId> encode(const MarkedText& text) const = 0;
    /// A whole prompt: encode(text), with BOS first where the model adds one and exactly one BOS even if the template
    /// wrote one too.
    [[nodiscard]] std::vector<TokenId> encode_prompt(const MarkedText& text) const;

    /// The bytes that a token stands for; special (control) tokens give nothing unless asked for.
    [[nodiscard]] virtual std::string bytes(TokenId id, bool with_special = false) const = 0;
    /// The text of several ids, special tokens included as their names; the leading space that encode() added is taken
    /// off.
    [[nodiscard]] virtual std::string decode(const std::vector<TokenId>& ids, bool with_special = true) const = 0;

    [[nodiscard]] virtual std::size_t size() const = 0;
    /// The token as it stands in the file.
    [[nodiscard]] virtual std::string_view token(TokenId id) const = 0;
    [[nodiscard]] virtual std::optional<TokenId> find(std::string_view token) const = 0;
    [[nodiscard]] virtual bool is_special(TokenId id) const = 0;

    [[nodiscard]] virtual std::optional<TokenId> bos() const = 0;
    [[nodiscard]] virtual std::optional<TokenId> eos() const = 0;
    [[nodiscard]] virtual bool adds_bos() const = 0;
    [[nodiscard]] virtual bool adds_eos() const = 0;
    /// The set of tokens that end a generation: eos, eot and all whose text is a known end marker.
    [[nodiscard]] virtual const std::vector<TokenId>& end_tokens() const = 0;
    [[nodiscard]] bool is_end(TokenId id) const;

    [[nodiscard]] virtual std::string_view model() const = 0;         ///< tokenizer.ggml.model: "llama", "gpt2", ...
    [[nodiscard]] virtual std::string_view pre_tokenizer() const = 0; ///< tokenizer.ggml.pre, "" where none is named.

protected:
    Tokenizer() = default;
};

} // namespace constela::text
