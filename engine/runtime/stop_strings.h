// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ends an answer at a text, and never shows a part of that text: what may still become a stop string is held back.
// An automaton over all stop strings (Aho and Corasick 1975) looks at each byte once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace constela::runtime {

/// Threads: one.
class StopStrings {
public:
    /// Empty strings are left out.
    explicit StopStrings(const std::vector<std::string>& stops);

    /// Adds text and returns what may be shown now: nothing of a stop string, nothing after one.
    [[nodiscard]] std::string feed(std::string_view text);
    /// Whether a stop string has come. The one that begins first in the text counts, so a whole one waits while one
    /// that began before it may still become whole.
    [[nodiscard]] bool matched() const { return matched_; }
    /// What was held back, when the answer has ended otherwise.
    [[nodiscard]] std::string finish();

private:
    /// A text that begins some stop string.
    struct Node {
        std::map<char, std::uint32_t> next; ///< That text and one byte more.
        std::uint32_t shorter = 0;          ///< Its longest end that begins some stop string too.
        std::size_t length = 0;
        std::size_t whole = 0; ///< Length of the longest stop string at its end; 0: none.
    };

    void add(std::string_view stop);
    void link();
    [[nodiscard]] std::uint32_t after(std::uint32_t node, char byte) const;
    /// The bytes of held_ before `end`, and what is shown of them is forgotten.
    std::string show(std::size_t end);

    std::vector<Node> nodes_; ///< The first: the empty text.
    std::uint32_t node_ = 0;  ///< The longest end of all text so far that begins a stop string.
    std::string held_;        ///< From shown_ on: not shown yet.
    std::size_t shown_ = 0;
    std::size_t begin_ = std::string::npos; ///< In held_: where a stop string that is whole begins.
    bool matched_ = false;
};

} // namespace constela::runtime
