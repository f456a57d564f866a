// SPDX-License-Identifier: GPL-3.0-or-later
//
// What methods of str and the filters of the same names share.
#pragma once

#include "engine/text/jinja/value.h"

#include <optional>

namespace constela::text::jinja {

enum class Side : unsigned char { left, right, both };

/// Without the characters of `which` (blanks, if none are given) at its ends.
[[nodiscard]] MarkedText stripped(Budget& budget, const MarkedText& text, Side side,
                                  const std::optional<std::string>& which);
/// Python's split: at blanks where there is no separator; at most `most` cuts, all where it is negative.
[[nodiscard]] Value split(Budget& budget, const MarkedText& text, const std::optional<std::string>& separator,
                          std::int64_t most);
[[nodiscard]] Value split_from_right(Budget& budget, const MarkedText& text,
                                     const std::optional<std::string>& separator, std::int64_t most);
[[nodiscard]] Value split_lines(Budget& budget, const MarkedText& text, bool keep_ends);
/// At most `most` replacements, all where it is negative.
[[nodiscard]] MarkedText replaced(Budget& budget, const MarkedText& text, const MarkedText& from, const MarkedText& to,
                                  std::int64_t most);
[[nodiscard]] MarkedText joined(Budget& budget, const MarkedText& separator, const std::vector<Value>& items,
                                bool only_text);
[[nodiscard]] MarkedText upper(Budget& budget, const MarkedText& text);
[[nodiscard]] MarkedText lower(Budget& budget, const MarkedText& text);
[[nodiscard]] MarkedText capitalized(Budget& budget, const MarkedText& text);
[[nodiscard]] MarkedText titled(Budget& budget, const MarkedText& text);
/// Filled up with `fill` to `width` characters, the text at this side.
[[nodiscard]] MarkedText padded(Budget& budget, const MarkedText& text, std::int64_t width, const MarkedText& fill,
                                Side side);

} // namespace constela::text::jinja
