// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/string_literal.h"

#include "engine/text/jinja/characters.h"

#include <charconv>
#include <cstdint>
#include <optional>

namespace constela::text::jinja {

namespace {

std::optional<std::uint32_t> digits(std::string_view text, std::size_t count, int base)
{
    if (text.size() < count) {
        return std::nullopt;
    }
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + count, value, base);
    const bool whole = error == std::errc() && end == text.data() + count;
    return whole && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF) ? std::optional(value) : std::nullopt;
}

/// The one-character escapes.
std::optional<char> simple(char letter)
{
    switch (letter) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'v': return '\v';
    case '\\': return '\\';
    case '\'': return '\'';
    case '"': return '"';
    default: return std::nullopt;
    }
}

std::size_t octal_digits(std::string_view text)
{
    std::size_t count = 0;
    while (count < 3 && count < text.size() && text[count] >= '0' && text[count] <= '7') {
        ++count;
    }
    return count;
}

} // namespace

std::string resolve_escapes(std::string_view text)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            result += text[i];
            continue;
        }
        const std::string_view rest = text.substr(i + 1);
        const std::size_t wide = rest[0] == 'x' ? 2 : (rest[0] == 'u' ? 4 : (rest[0] == 'U' ? 8 : 0));
        if (const auto character = simple(rest[0])) {
            result += *character;
            i += 1;
        } else if (const auto code = wide > 0 ? digits(rest.substr(1), wide, 16) : std::nullopt) {
            append_code_point(result, *code);
            i += 1 + wide;
        } else if (const std::size_t octal = octal_digits(rest); octal > 0) {
            append_code_point(result, digits(rest, octal, 8).value_or(0));
            i += octal;
        } else if (rest[0] == '\n') {
            i += 1; // a line that goes on
        } else {
            result += '\\';
        }
    }
    return result;
}

} // namespace constela::text::jinja
