// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/characters.h"

#include "engine/text/utf8.h"

namespace constela::text::jinja {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

bool between(char32_t character, char32_t low, char32_t high)
{
    return character >= low && character <= high;
}

/// Capitals and small letters take turns, the capital on an even (or odd) number.
bool in_pairs_from_even(char32_t c)
{
    return between(c, 0x100, 0x137) || between(c, 0x14A, 0x177) || between(c, 0x1E00, 0x1E95) ||
           between(c, 0x460, 0x481) || between(c, 0x48A, 0x4BF) || between(c, 0x4D0, 0x52F) ||
           between(c, 0x1EA0, 0x1EFF);
}
bool in_pairs_from_odd(char32_t c)
{
    return between(c, 0x139, 0x148) || between(c, 0x179, 0x17E);
}

} // namespace

std::size_t character_length(std::string_view text, std::size_t at)
{
    const Utf8Step step = next_utf8(text.substr(at));
    return step.kind == Utf8Kind::character ? step.length : 1;
}

std::size_t character_count(std::string_view text)
{
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); at += character_length(text, at)) {
        ++count;
    }
    return count;
}

std::size_t byte_of(std::string_view text, std::size_t index)
{
    std::size_t at = 0;
    for (; index > 0 && at < text.size(); --index) {
        at += character_length(text, at);
    }
    return at;
}

char32_t code_point(std::string_view text, std::size_t at)
{
    const Utf8Step step = next_utf8(text.substr(at));
    if (step.kind != Utf8Kind::character) {
        return kReplacement;
    }
    const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[at + i])); };
    switch (step.length) {
    case 1: return byte(0);
    case 2: return ((byte(0) & 0x1FU) << 6U) | (byte(1) & 0x3FU);
    case 3: return ((byte(0) & 0x0FU) << 12U) | ((byte(1) & 0x3FU) << 6U) | (byte(2) & 0x3FU);
    default:
        return ((byte(0) & 0x07U) << 18U) | ((byte(1) & 0x3FU) << 12U) | ((byte(2) & 0x3FU) << 6U) | (byte(3) & 0x3FU);
    }
}

void append_code_point(std::string& text, char32_t c)
{
    const auto add = [&](char32_t byte) { text.push_back(static_cast<char>(static_cast<unsigned char>(byte))); };
    if (c < 0x80) {
        add(c);
    } else if (c < 0x800) {
        add(0xC0U | (c >> 6U));
        add(0x80U | (c & 0x3FU));
    } else if (c < 0x10000) {
        add(0xE0U | (c >> 12U));
        add(0x80U | ((c >> 6U) & 0x3FU));
        add(0x80U | (c & 0x3FU));
    } else {
        add(0xF0U | (c >> 18U));
        add(0x80U | ((c >> 12U) & 0x3FU));
        add(0x80U | ((c >> 6U) & 0x3FU));
        add(0x80U | (c & 0x3FU));
    }
}

MarkedText slice(const MarkedText& text, std::size_t first, std::size_t length)
{
    return {text.text.substr(first, length), text.from_person.substr(first, length)};
}

bool is_blank(char32_t c)
{
    return between(c, 0x09, 0x0D) || between(c, 0x1C, 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           between(c, 0x2000, 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_digit(char32_t c)
{
    return between(c, '0', '9');
}

bool is_letter(char32_t c)
{
    return between(c, 'a', 'z') || between(c, 'A', 'Z') ||
           (c >= 0xAA && c != 0xD7 && c != 0xF7 && c != kReplacement && !between(c, 0xAB, 0xB4) &&
            !between(c, 0xB6, 0xB9) && !between(c, 0xBB, 0xBF) && !between(c, 0x2000, 0x2BFF) &&
            !between(c, 0x3000, 0x3004) && !between(c, 0x1F000, 0x1FAFF) && !is_blank(c));
}

char32_t upper_case(char32_t c)
{
    if (between(c, 'a', 'z') || (between(c, 0xE0, 0xFE) && c != 0xF7) || between(c, 0x3B1, 0x3C1) ||
        between(c, 0x3C3, 0x3CB) || between(c, 0x430, 0x44F)) {
        return c - 0x20;
    }
    if (between(c, 0x450, 0x45F)) {
        return c - 0x50;
    }
    if (c == 0xFF) {
        return 0x178;
    }
    if (in_pairs_from_even(c)) {
        return c & ~char32_t{1};
    }
    return in_pairs_from_odd(c) && c % 2 == 0 ? c - 1 : c;
}

char32_t lower_case(char32_t c)
{
    if (between(c, 'A', 'Z') || (between(c, 0xC0, 0xDE) && c != 0xD7) || between(c, 0x391, 0x3A1) ||
        between(c, 0x3A3, 0x3AB) || between(c, 0x410, 0x42F)) {
        return c + 0x20;
    }
    if (between(c, 0x400, 0x40F)) {
        return c + 0x50;
    }
    if (c == 0x178) {
        return 0xFF;
    }
    if (in_pairs_from_even(c)) {
        return c | char32_t{1};
    }
    return in_pairs_from_odd(c) && c % 2 == 1 ? c + 1 : c;
}

} // namespace constela::text::jinja
