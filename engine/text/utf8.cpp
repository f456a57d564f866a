// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/utf8.h"

namespace constela::text {

namespace {

struct Lead {
    std::size_t length = 0; ///< Bytes of the character; 0: no character begins so.
    unsigned char second_from = 0x80;
    unsigned char second_to = 0xBF;
};

// Table 3-7 of the Unicode Standard: the second byte's range keeps out overlong forms, surrogates and what lies above
// U+10FFFF.
Lead classify(unsigned char byte)
{
    if (byte < 0x80) {
        return {1};
    }
    if (byte >= 0xC2 && byte <= 0xDF) {
        return {2};
    }
    switch (byte) {
    case 0xE0: return {3, 0xA0};
    case 0xED: return {3, 0x80, 0x9F};
    case 0xF0: return {4, 0x90};
    case 0xF4: return {4, 0x80, 0x8F};
    default: break;
    }
    if (byte >= 0xE1 && byte <= 0xEF) {
        return {3};
    }
    if (byte >= 0xF1 && byte <= 0xF3) {
        return {4};
    }
    return {};
}

} // namespace

Utf8Step next_utf8(std::string_view bytes)
{
    const Lead lead = classify(static_cast<unsigned char>(bytes[0]));
    if (lead.length == 0) {
        return {Utf8Kind::broken, 1};
    }
    for (std::size_t i = 1; i < lead.length; ++i) {
        if (i == bytes.size()) {
            return {Utf8Kind::unfinished, i};
        }
        const auto byte = static_cast<unsigned char>(bytes[i]);
        const unsigned char from = i == 1 ? lead.second_from : 0x80;
        const unsigned char to = i == 1 ? lead.second_to : 0xBF;
        if (byte < from || byte > to) {
            return {Utf8Kind::broken, i};
        }
    }
    return {Utf8Kind::character, lead.length};
}

} // namespace constela::text
