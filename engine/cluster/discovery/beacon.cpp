// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/discovery/beacon.h"

#include "engine/text/utf8.h"

#include <algorithm>
#include <cstring>

namespace constela::cluster::discovery {

namespace {

constexpr std::array<char, 4> kMagic{'C', 'S', 'T', 'L'};
constexpr std::uint8_t kAnswerFlag = 1;
constexpr std::size_t kNodeAt = 8;
constexpr std::size_t kIncarnationAt = 24;
constexpr std::size_t kNameAt = kBeaconBytes - kBeaconNameBytes;

template <class Number>
void put(BeaconBytes& bytes, std::size_t at, Number value)
{
    for (std::size_t i = sizeof(Number); i-- > 0;) {
        bytes[at + i] = static_cast<std::byte>(value & 0xFF);
        value = static_cast<Number>(static_cast<std::uint64_t>(value) >> 8U);
    }
}

template <class Number>
Number get(std::span<const std::byte> bytes, std::size_t at)
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(Number); ++i) {
        value = value << 8U | std::to_integer<std::uint64_t>(bytes[at + i]);
    }
    return static_cast<Number>(value);
}

/// The code point of a well-formed character.
char32_t code_point(std::string_view character)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
    if (character.size() == 1) {
        return byte(0);
    }
    char32_t value = byte(0) & (0x7FU >> character.size());
    for (std::size_t i = 1; i < character.size(); ++i) {
        value = value << 6U | (byte(i) & 0x3FU);
    }
    return value;
}

/// Characters that would let a name look like another one, or like more than a name: controls, what has no width, what
/// turns the direction, line separators, private use, what is no character, tags.
bool is_shown(char32_t c)
{
    struct Range {
        char32_t first;
        char32_t last;
    };
    static constexpr std::array<Range, 15> kHidden{{{0x00, 0x1F},
                                                    {0x7F, 0x9F},
                                                    {0xAD, 0xAD},
                                                    {0x34F, 0x34F},
                                                    {0x61C, 0x61C},
                                                    {0x115F, 0x1160},
                                                    {0x180B, 0x180F},
                                                    {0x200B, 0x200F},
                                                    {0x2028, 0x202E},
                                                    {0x2060, 0x206F},
                                                    {0x3164, 0x3164},
                                                    {0xE000, 0xF8FF},
                                                    {0xFE00, 0xFE0F},
                                                    {0xFEFF, 0xFEFF},
                                                    {0xFFA0, 0xFFA0}}};
    if ((c >= 0xFFF0 && c <= 0xFFFB) || (c & 0xFFFEU) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF) || c >= 0xE0000) {
        return false;
    }
    return std::none_of(kHidden.begin(), kHidden.end(),
                        [c](const Range& range) { return c >= range.first && c <= range.last; });
}

bool is_shown_text(std::string_view text)
{
    while (!text.empty()) {
        const text::Utf8Step step = text::next_utf8(text);
        if (step.kind != text::Utf8Kind::character || !is_shown(code_point(text.substr(0, step.length)))) {
            return false;
        }
        text.remove_prefix(step.length);
    }
    return true;
}

} // namespace

std::string beacon_name(std::string_view name)
{
    std::string result;
    while (!name.empty()) {
        const text::Utf8Step step = text::next_utf8(name);
        const std::string_view character = name.substr(0, step.length);
        name.remove_prefix(step.length);
        if (step.kind != text::Utf8Kind::character || !is_shown(code_point(character))) {
            continue;
        }
        if (result.size() + character.size() > kBeaconNameBytes) {
            break;
        }
        result += character;
    }
    return result;
}

BeaconBytes encode(const Beacon& beacon)
{
    BeaconBytes bytes{};
    std::memcpy(bytes.data(), kMagic.data(), kMagic.size());
    put<std::uint8_t>(bytes, 4, kBeaconVersion);
    put<std::uint8_t>(bytes, 5, beacon.answer ? kAnswerFlag : 0);
    put(bytes, 6, beacon.protocol);
    std::copy(beacon.node.bytes.begin(), beacon.node.bytes.end(), bytes.begin() + kNodeAt);
    put(bytes, kIncarnationAt, beacon.incarnation);
    put(bytes, 32, beacon.control_port);
    put(bytes, 34, beacon.pairing_port);
    const std::string name = beacon_name(beacon.name);
    std::memcpy(bytes.data() + kNameAt, name.data(), name.size());
    return bytes;
}

std::optional<Beacon> parse(std::span<const std::byte> bytes)
{
    if (bytes.size() != kBeaconBytes || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0 ||
        get<std::uint8_t>(bytes, 4) != kBeaconVersion) {
        return std::nullopt;
    }
    Beacon beacon;
    beacon.answer = (get<std::uint8_t>(bytes, 5) & kAnswerFlag) != 0;
    beacon.protocol = get<std::uint16_t>(bytes, 6);
    std::copy_n(bytes.begin() + kNodeAt, beacon.node.bytes.size(), beacon.node.bytes.begin());
    beacon.incarnation = get<std::uint64_t>(bytes, kIncarnationAt);
    beacon.control_port = get<std::uint16_t>(bytes, 32);
    beacon.pairing_port = get<std::uint16_t>(bytes, 34);

    std::array<char, kBeaconNameBytes> field{};
    std::memcpy(field.data(), bytes.data() + kNameAt, field.size());
    const auto end = std::find(field.begin(), field.end(), '\0');
    const bool padded = std::all_of(end, field.end(), [](char c) { return c == '\0'; });
    beacon.name.assign(field.begin(), end);
    if (beacon.control_port == 0 || !padded || !is_shown_text(beacon.name)) {
        return std::nullopt;
    }
    return beacon;
}

} // namespace constela::cluster::discovery
