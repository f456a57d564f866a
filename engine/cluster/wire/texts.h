// SPDX-License-Identifier: GPL-3.0-or-later
//
// Texts that travel: made to fit by the sender, checked by the receiver. Threads: any; plain functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace constela::cluster {

[[nodiscard]] bool is_utf8(std::string_view text);

/// `text` with U+FFFD for what is not UTF-8, cut between two characters to at most `limit` bytes.
[[nodiscard]] std::string fitted(std::string_view text, std::size_t limit);

/// Whether Error::fill() can fill this pattern: its only braces are "{}", of which there are no more than `arguments`,
/// and the doubled ones that stand for themselves. (A format such as "{:999999999}" would be an attack.)
[[nodiscard]] bool is_fillable(std::string_view pattern, std::size_t arguments);

} // namespace constela::cluster
