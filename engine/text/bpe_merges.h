// SPDX-License-Identifier: GPL-3.0-or-later
//
// The merges of a byte-pair encoding: which two neighbouring symbols become one, and which pair goes first.
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf.h"
#include "engine/text/flat_index.h"
#include "engine/text/merge_queue.h"
#include "engine/text/vocabulary.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace constela::text {

class BpeMerges {
public:
    /// Reads tokenizer.ggml.merges.
    [[nodiscard]] static Result<BpeMerges> read(const gguf::Metadata& metadata, const Vocabulary& vocabulary);

    /// Symbols are ids, and numbers above all ids for steps on the way that are no tokens themselves.
    [[nodiscard]] MergeQueue::Pair find(Symbol left, Symbol right) const
    {
        const std::uint32_t rank = ranks_.find(hash(left, right), [&](std::uint32_t other) {
            return merges_[other].left == left && merges_[other].right == right;
        });
        return rank == FlatIndex::kNone ? MergeQueue::Pair() : MergeQueue::Pair{rank, merges_[rank].result};
    }
    [[nodiscard]] Symbol of_byte(unsigned char byte) const { return bytes_[byte]; }

    /// Appends the ids that a symbol is written with. A byte for which the vocabulary has no token leaves nothing.
    void append(Symbol symbol, std::vector<TokenId>& ids) const;

private:
    BpeMerges() = default;

    struct Merge {
        Symbol left = 0;
        Symbol right = 0;
        Symbol result = 0;
    };

    static std::uint64_t hash(Symbol left, Symbol right) { return mix((std::uint64_t{left} << 32U) | right); }
    [[nodiscard]] Symbol intern(std::string_view text, const Vocabulary& vocabulary);

    Symbol tokens_ = 0;         ///< Symbols below are ids.
    std::vector<Merge> merges_; ///< By rank: the lower goes first.
    FlatIndex ranks_;
    std::array<Symbol, 256> bytes_{};
    std::unordered_map<std::string, Symbol> others_;
    std::vector<std::string> other_bytes_; ///< The bytes of symbol tokens_ + i.
};

} // namespace constela::text
