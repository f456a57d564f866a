// SPDX-License-Identifier: GPL-3.0-or-later
//
// The merges of a byte-pair encoding: which two neighbouring symbols become one, and which pair goes first.
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf.h"
#include "engine/text/vocabulary.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace constela::text {

/// A token's id, or a number above all ids for a step on the way of merges that is no token itself.
using Symbol = std::uint32_t;

class BpeMerges {
public:
    struct Merge {
        std::uint32_t rank = 0; ///< Lower goes first.
        Symbol result = 0;
    };

    /// Reads tokenizer.ggml.merges.
    [[nodiscard]] static Result<BpeMerges> read(const gguf::Metadata& metadata, const Vocabulary& vocabulary);

    [[nodiscard]] const Merge* find(Symbol left, Symbol right) const
    {
        const auto found = merges_.find(pair(left, right));
        return found == merges_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] Symbol of_byte(unsigned char byte) const { return bytes_[byte]; }

    /// Appends the ids that a symbol is written with. A byte for which the vocabulary has no token leaves nothing.
    void append(Symbol symbol, std::vector<TokenId>& ids) const;

private:
    BpeMerges() = default;

    static std::uint64_t pair(Symbol left, Symbol right) { return (std::uint64_t{left} << 32U) | right; }
    [[nodiscard]] Symbol intern(std::string_view text, const Vocabulary& vocabulary);

    Symbol tokens_ = 0; ///< Symbols below are ids.
    std::unordered_map<std::uint64_t, Merge> merges_;
    std::array<Symbol, 256> bytes_{};
    std::unordered_map<std::string, Symbol> others_;
    std::vector<std::string> other_bytes_; ///< The bytes of symbol tokens_ + i.
};

} // namespace constela::text
