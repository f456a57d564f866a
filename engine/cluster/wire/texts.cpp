// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/wire/texts.h"

#include "engine/text/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace constela::cluster {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::uint64_t kHighBits = 0x8080808080808080U;

/// How many bytes at the beginning are ASCII, eight at a time: long texts are JSON, and mostly that.
std::size_t ascii_prefix(std::string_view text)
{
    std::size_t length = 0;
    std::uint64_t word = 0;
    while (text.size() - length >= sizeof(word)) {
        std::memcpy(&word, text.data() + length, sizeof(word));
        if ((word & kHighBits) != 0) {
            break;
        }
        length += sizeof(word);
    }
    return length;
}

} // namespace

bool is_utf8(std::string_view text)
{
    while (true) {
        text.remove_prefix(ascii_prefix(text));
        if (text.empty()) {
            return true;
        }
        const text::Utf8Step step = text::next_utf8(text);
        if (step.kind != text::Utf8Kind::character) {
            return false;
        }
        text.remove_prefix(step.length);
    }
}

std::string fitted(std::string_view text, std::size_t limit)
{
    if (text.size() <= limit && is_utf8(text)) {
        return std::string(text);
    }
    std::string result;
    while (!text.empty()) {
        const text::Utf8Step step = text::next_utf8(text);
        const std::string_view character =
            step.kind == text::Utf8Kind::character ? text.substr(0, step.length) : kReplacement;
        if (result.size() + character.size() > limit) {
            break;
        }
        result += character;
        text.remove_prefix(step.length);
    }
    return result;
}

bool is_fillable(std::string_view pattern, std::size_t arguments)
{
    std::size_t places = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const std::string_view pair = pattern.substr(i, 2);
        if (pair == "{}") {
            ++places;
        } else if (pair != "{{" && pair != "}}") {
            if (pattern[i] == '{' || pattern[i] == '}') {
                return false;
            }
            continue;
        }
        ++i;
    }
    return places <= arguments;
}

} // namespace constela::cluster
