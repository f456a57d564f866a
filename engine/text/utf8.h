// SPDX-License-Identifier: GPL-3.0-or-later
//
// Walks through bytes that should be UTF-8 (RFC 3629) and may be anything.
#pragma once

#include <cstddef>
#include <string_view>

namespace constela::text {

enum class Utf8Kind {
    character,  ///< A whole, well-formed character.
    broken,     ///< Bytes that no further byte can make a character.
    unfinished, ///< The beginning of a character, cut off by the end of the bytes.
};

struct Utf8Step {
    Utf8Kind kind = Utf8Kind::broken;
    std::size_t length = 0; ///< Bytes, at least 1.
};

/// What `bytes`, which are not empty, begin with. Broken bytes are taken in the "maximal subparts" of the Unicode
/// Standard (chapter 3.9), so that each makes one U+FFFD.
[[nodiscard]] Utf8Step next_utf8(std::string_view bytes);

} // namespace constela::text
