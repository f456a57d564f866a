// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/byte_level.h"

#include <optional>

namespace constela::text {

namespace {

constexpr unsigned kOthersFrom = 0x100;
constexpr std::size_t kOthers = 68;

struct Alphabet {
    std::array<std::string, 256> characters;
    std::array<unsigned char, kOthers> others{}; ///< The bytes written as U+0100 and on.

    Alphabet()
    {
        std::size_t other = 0;
        for (unsigned byte = 0; byte < 256; ++byte) {
            const bool as_itself =
                (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || (byte >= 0xAE && byte <= 0xFF);
            unsigned code = byte;
            if (!as_itself) {
                others.at(other) = static_cast<unsigned char>(byte);
                code = kOthersFrom + static_cast<unsigned>(other++);
            }
            std::string& character = characters.at(byte);
            if (code < 0x80) {
                character = static_cast<char>(code);
            } else {
                character = {static_cast<char>(0xC0U | (code >> 6U)), static_cast<char>(0x80U | (code & 0x3FU))};
            }
        }
    }

    /// The byte that the character U+`code` stands for.
    [[nodiscard]] std::optional<char> byte(unsigned code) const
    {
        if (code >= kOthersFrom && code < kOthersFrom + kOthers) {
            return static_cast<char>(others.at(code - kOthersFrom));
        }
        const bool as_itself =
            (code >= 0x21 && code <= 0x7E) || (code >= 0xA1 && code <= 0xAC) || (code >= 0xAE && code <= 0xFF);
        return as_itself ? std::optional(static_cast<char>(code)) : std::nullopt;
    }
};

const Alphabet& alphabet()
{
    static const Alphabet made;
    return made;
}

} // namespace

const std::array<std::string, 256>& byte_characters()
{
    return alphabet().characters;
}

std::string to_byte_level(std::string_view bytes)
{
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const char byte : bytes) {
        text += byte_characters()[static_cast<unsigned char>(byte)];
    }
    return text;
}

std::string from_byte_level(std::string_view text)
{
    std::string bytes;
    bytes.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto first = static_cast<unsigned char>(text[i]);
        // The alphabet needs one or two bytes a character.
        const bool two = (first & 0xE0U) == 0xC0U && i + 1 < text.size();
        const unsigned code =
            two ? ((first & 0x1FU) << 6U) | (static_cast<unsigned char>(text[i + 1]) & 0x3FU) : unsigned{first};
        const auto byte = two || first < 0x80 ? alphabet().byte(code) : std::nullopt;
        if (byte) {
            bytes += *byte;
        } else {
            bytes += text.substr(i, two ? 2 : 1);
        }
        i += two ? 1 : 0;
    }
    return bytes;
}

} // namespace constela::text
