// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ends an answer at a text, and never shows a part of that text: what may still become a stop string is held back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace constela::runtime {

/// Threads: one.
class StopStrings {
public:
    /// Empty strings are left out.
    explicit StopStrings(std::vector<std::string> stops);

    /// Adds text and returns what may be shown now: nothing of a stop string, nothing after one.
    [[nodiscard]] std::string feed(std::string_view text);
    /// Whether a stop string has come. The one that begins first counts.
    [[nodiscard]] bool matched() const { return matched_; }
    /// What was held back, when the answer has ended otherwise.
    [[nodiscard]] std::string finish();

private:
    std::vector<std::string> stops_;
    std::string held_; ///< Not shown yet.
    bool matched_ = false;
};

} // namespace constela::runtime
