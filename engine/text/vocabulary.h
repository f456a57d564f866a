// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tokens of a model's file with their types and the ids that have a role, read and checked.
// Keys and numbers: the GGUF specification (github.com/ggml-org/ggml, docs/gguf.md, "tokenizer.ggml.*").
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf.h"
#include "engine/text/flat_index.h"
#include "engine/text/tokenizer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace constela::text {

/// tokenizer.ggml.token_type, with the file's numbers.
enum class TokenType : std::uint8_t {
    undefined = 0,
    normal = 1,
    unknown = 2,
    control = 3,
    user_defined = 4, ///< Found in any text before it is cut into other tokens.
    unused = 5,
    byte = 6,
};

/// What holds where the file says nothing.
struct VocabularyDefaults {
    std::optional<TokenId> bos;
    std::optional<TokenId> eos;
    std::optional<TokenId> unknown;
    bool adds_bos = false;
};

class Vocabulary {
public:
    /// Reads and checks; an error names the file, the key and what was found.
    [[nodiscard]] static Result<Vocabulary> read(const gguf::Metadata& metadata, const VocabularyDefaults& defaults);

    [[nodiscard]] std::size_t size() const { return tokens_.size(); }
    [[nodiscard]] bool contains(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < tokens_.size(); }
    /// The token as it stands in the file; "" for an id that does not exist.
    [[nodiscard]] std::string_view token(TokenId id) const;
    [[nodiscard]] TokenType type(TokenId id) const;
    [[nodiscard]] std::optional<TokenId> find(std::string_view token) const;
    /// Like find(), but only tokens that a plain text may become: no control, unknown or byte tokens.
    [[nodiscard]] std::optional<TokenId> find_plain(std::string_view token) const;
    /// Control and unknown tokens, and those whose text is a known end marker whatever type the file gives them.
    [[nodiscard]] bool is_special(TokenId id) const;
    /// Tokens that stand in a text only where a template wrote them: the special ones, and the user-defined ones that
    /// are meant as such ("<|tool|>").
    [[nodiscard]] bool only_by_template(TokenId id) const;
    /// Bytes of the longest token that find_plain() can find.
    [[nodiscard]] std::size_t longest_plain() const { return longest_plain_; }

    [[nodiscard]] std::optional<TokenId> bos() const { return bos_; }
    [[nodiscard]] std::optional<TokenId> eos() const { return eos_; }
    [[nodiscard]] std::optional<TokenId> unknown() const { return unknown_; }
    [[nodiscard]] bool adds_bos() const { return adds_bos_; }
    [[nodiscard]] bool adds_eos() const { return adds_eos_; }
    [[nodiscard]] const std::vector<TokenId>& end_tokens() const { return end_tokens_; } ///< Sorted.

private:
    Vocabulary() = default;

    Result<> read_tokens(const gguf::Metadata& metadata);
    Result<> read_roles(const gguf::Metadata& metadata, const VocabularyDefaults& defaults);
    /// Gemma's "</s>" is the end of HTML's <s>; others use it for the end of a text.
    [[nodiscard]] bool is_strikethrough(TokenId id) const;
    void find_end_tokens(std::optional<TokenId> end_of_turn, std::optional<TokenId> end_of_message);

    std::vector<std::string> tokens_;
    std::vector<TokenType> types_;
    FlatIndex ids_;
    std::size_t longest_plain_ = 0;
    std::optional<TokenId> bos_;
    std::optional<TokenId> eos_;
    std::optional<TokenId> unknown_;
    bool adds_bos_ = false;
    bool adds_eos_ = false;
    std::vector<TokenId> end_tokens_;
};

} // namespace constela::text
