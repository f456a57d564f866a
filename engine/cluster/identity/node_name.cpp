// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/identity/node_name.h"
#include "engine/gguf/printable.h"

#include <algorithm>
#include <array>

namespace constela::cluster {
namespace {

/// Bytes of the character that begins here, by its lead byte alone.
std::size_t character_bytes(std::string_view text)
{
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t bytes = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : lead >= 0xC0U ? 2 : 1;
    return std::min(bytes, text.size());
}

/// Characters that leave no mark or change how those around them look (Unicode general categories Cf, Zl, Zp, as far as
/// they can make one name look like another).
bool is_invisible(std::string_view character)
{
    struct Range {
        std::string_view first;
        std::string_view last;
    };
    // UTF-8 sorts like code points.
    static constexpr std::array kRanges{
        Range{"\xC2\xAD", "\xC2\xAD"},                 // soft hyphen
        Range{"\xD8\x9C", "\xD8\x9C"},                 // Arabic letter mark
        Range{"\xE1\xA0\x8E", "\xE1\xA0\x8E"},         // Mongolian vowel separator
        Range{"\xE2\x80\x8B", "\xE2\x80\x8F"},         // zero width, left-to-right, right-to-left
        Range{"\xE2\x80\xA8", "\xE2\x80\xAE"},         // separators, embeddings, overrides
        Range{"\xE2\x81\xA0", "\xE2\x81\xAF"},         // word joiner, invisible operators, isolates
        Range{"\xEF\xB8\x80", "\xEF\xB8\x8F"},         // variation selectors
        Range{"\xEF\xBB\xBF", "\xEF\xBB\xBF"},         // byte order mark
        Range{"\xEF\xBF\xB9", "\xEF\xBF\xBF"},         // annotation marks, replacements
        Range{"\xF3\xA0\x80\x80", "\xF3\xA0\x87\xAF"}, // tags, further variation selectors
    };
    return std::any_of(kRanges.begin(), kRanges.end(), [&](const Range& range) {
        return character.size() == range.first.size() && character >= range.first && character <= range.last;
    });
}

bool may_stand_in_name(std::string_view character)
{
    return character != "/" && gguf::is_clean_text(character) && !is_invisible(character);
}

} // namespace

bool is_node_name(std::string_view name)
{
    if (name.empty() || name.size() > kMaxNameBytes || name.front() == ' ' || name.back() == ' ') {
        return false;
    }
    while (!name.empty()) {
        const std::size_t bytes = character_bytes(name);
        if (!may_stand_in_name(name.substr(0, bytes))) {
            return false;
        }
        name.remove_prefix(bytes);
    }
    return true;
}

std::string node_name_from(std::string_view text)
{
    std::string name;
    while (!text.empty()) {
        const std::string_view character = text.substr(0, character_bytes(text));
        if (!may_stand_in_name(character)) {
            text.remove_prefix(1); // what follows may be whole again
            continue;
        }
        text.remove_prefix(character.size());
        if (name.size() + character.size() > kMaxNameBytes) {
            break;
        }
        if (character != " " || !name.empty()) {
            name += character;
        }
    }
    name.erase(name.find_last_not_of(' ') + 1);
    return name.empty() ? "node" : name;
}

} // namespace constela::cluster
