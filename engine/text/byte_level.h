// SPDX-License-Identifier: GPL-3.0-or-later
//
// The alphabet of byte-level BPE: each byte is written as one printable character. Bytes 21-7E, A1-AC and AE-FF stand
// for the character of the same number, the other 68, in order, for U+0100 and on (GPT-2's bytes_to_unicode).
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace constela::text {

/// The character (UTF-8) of each byte.
[[nodiscard]] const std::array<std::string, 256>& byte_characters();

/// `bytes` in the alphabet.
[[nodiscard]] std::string to_byte_level(std::string_view bytes);

/// The bytes that `text` stands for; characters outside the alphabet stand for themselves.
[[nodiscard]] std::string from_byte_level(std::string_view text);

} // namespace constela::text
