// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds the tokens that stand in a text as whole words (control tokens where they are allowed, user-defined tokens
// everywhere) and cuts the text around them. A longer token goes before a shorter one wherever it stands, then the
// smaller id, then the place further left: the order of llama.cpp, which the golden answers follow.
#pragma once

#include "engine/text/vocabulary.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace constela::text {

/// Whether the byte at an index may belong to a special token.
using MayBeSpecial = std::function<bool(std::size_t)>;

struct Fragment {
    std::string_view text;        ///< Plain text, not empty, where there is no token.
    std::optional<TokenId> token; ///< A token that stood in the text.
};

class SpecialSplitter {
public:
    /// `strips_right`: special tokens swallow the white space behind them, as those of Phi-3 do.
    SpecialSplitter(const Vocabulary& vocabulary, bool strips_right);

    /// The fragments from left to right. Time: linear in the text (times the longest such token at worst).
    [[nodiscard]] std::vector<Fragment> split(std::string_view text, const MayBeSpecial& may_be_special) const;

private:
    struct Entry {
        TokenId id = 0;
        std::size_t length = 0;
        bool is_special = false;
        bool strips_right = false;
    };
    struct Match;
    class Claims;

    void insert(std::string_view token, const Entry& entry);
    [[nodiscard]] const Entry* longest(std::string_view text, std::size_t begin, std::size_t limit,
                                       const MayBeSpecial& may_be_special) const;

    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    std::vector<Entry> entries_;
    // A trie: node and byte lead to a node; node 0 is the root.
    std::vector<std::uint32_t> entry_of_node_;
    std::array<std::uint32_t, 256> first_;
    std::unordered_map<std::uint64_t, std::uint32_t> edges_;
};

} // namespace constela::text
