// SPDX-License-Identifier: GPL-3.0-or-later
//
// Text as Python sees it: a row of characters, not of bytes. Broken bytes count as a character each.
#pragma once

#include "engine/text/marked_text.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace constela::text::jinja {

/// Bytes of the character that begins at `at`.
[[nodiscard]] std::size_t character_length(std::string_view text, std::size_t at);
[[nodiscard]] std::size_t character_count(std::string_view text);
/// The byte at which character `index` begins; the text's size beyond its end.
[[nodiscard]] std::size_t byte_of(std::string_view text, std::size_t index);
/// The code point at `at`; broken bytes give U+FFFD.
[[nodiscard]] char32_t code_point(std::string_view text, std::size_t at);
void append_code_point(std::string& text, char32_t character);

/// A part with its marks, in bytes.
[[nodiscard]] MarkedText slice(const MarkedText& text, std::size_t first, std::size_t length);

/// Python's str.isspace, isdigit and isalpha for one character. Beyond Latin letters and the blanks of Unicode, every
/// character above U+00AA counts as a letter, which is what templates ask about.
[[nodiscard]] bool is_blank(char32_t character);
[[nodiscard]] bool is_digit(char32_t character);
[[nodiscard]] bool is_letter(char32_t character);

/// Upper and lower case of Latin, Greek and Cyrillic letters (Unicode's simple mappings); others stay.
[[nodiscard]] char32_t upper_case(char32_t character);
[[nodiscard]] char32_t lower_case(char32_t character);

/// Every character changed by `change(code point, is first of a word)`, marks kept.
template <class Change>
[[nodiscard]] MarkedText each_character(const MarkedText& text, const Change& change)
{
    MarkedText result;
    bool word_begins = true;
    for (std::size_t at = 0; at < text.text.size();) {
        const std::size_t length = character_length(text.text, at);
        const char32_t before = code_point(text.text, at);
        const char32_t after = change(before, word_begins);
        if (after == before) {
            result.text.append(text.text, at, length);
        } else {
            append_code_point(result.text, after);
        }
        result.from_person.resize(result.text.size(), text.from_person[at]);
        word_begins = !is_letter(before);
        at += length;
    }
    return result;
}

} // namespace constela::text::jinja
