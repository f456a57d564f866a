// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/discovery/beacon.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace constela::cluster::discovery {
namespace {

Beacon sample()
{
    Beacon beacon;
    for (std::size_t i = 0; i < beacon.node.bytes.size(); ++i) {
        beacon.node.bytes[i] = static_cast<std::byte>(0xA0 + i);
    }
    beacon.incarnation = 0x0102030405060708;
    beacon.protocol = 0x0A0B;
    beacon.control_port = 7717;
    beacon.pairing_port = 0x1234;
    beacon.answer = true;
    beacon.name = "studio";
    return beacon;
}

/// The sample with one byte changed.
std::optional<Beacon> parse_with(std::size_t at, std::uint8_t value)
{
    BeaconBytes bytes = encode(sample());
    bytes.at(at) = static_cast<std::byte>(value);
    return parse(bytes);
}

std::optional<Beacon> parse_with_name(std::string_view name)
{
    BeaconBytes bytes = encode(sample());
    for (std::size_t i = 0; i < kBeaconNameBytes; ++i) {
        bytes.at(36 + i) = static_cast<std::byte>(i < name.size() ? name[i] : '\0');
    }
    return parse(bytes);
}

TEST(Beacon, LiesAsTheHeaderSays)
{
    const BeaconBytes bytes = encode(sample());
    std::string hex;
    for (const std::byte byte : bytes) {
        constexpr std::string_view kDigits = "0123456789abcdef";
        hex += kDigits[std::to_integer<unsigned>(byte) >> 4U];
        hex += kDigits[std::to_integer<unsigned>(byte) & 15U];
    }
    EXPECT_EQ(hex, "4353544c"
                   "0101"
                   "0a0b"
                   "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"
                   "0102030405060708"
                   "1e25"
                   "1234"
                   "73747564696f00000000000000000000000000000000000000000000");
}

TEST(Beacon, ComesBackAsItWas)
{
    EXPECT_EQ(parse(encode(sample())), sample());
    Beacon other = sample();
    other.answer = false;
    other.pairing_port = 0;
    other.name = "";
    EXPECT_EQ(parse(encode(other)), other);
}

TEST(Beacon, OfAnotherSizeIsDropped)
{
    const BeaconBytes bytes = encode(sample());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_FALSE(parse(std::span(bytes).first(size))) << size;
    }
    std::vector<std::byte> longer(bytes.begin(), bytes.end());
    longer.push_back(std::byte{0});
    EXPECT_FALSE(parse(longer));
}

TEST(Beacon, OfAnotherMagicOrVersionIsDropped)
{
    EXPECT_TRUE(parse_with(0, 'C'));
    EXPECT_FALSE(parse_with(0, 'c'));
    EXPECT_FALSE(parse_with(3, 'M'));
    EXPECT_FALSE(parse_with(4, 0));
    EXPECT_FALSE(parse_with(4, 2));
}

TEST(Beacon, WithFlagsOfALaterProgramIsUnderstood)
{
    ASSERT_TRUE(parse_with(5, 0xFE));
    EXPECT_FALSE(parse_with(5, 0xFE)->answer);
    EXPECT_TRUE(parse_with(5, 0xFF)->answer);
}

TEST(Beacon, WithoutAControlPortIsDropped)
{
    Beacon beacon = sample();
    beacon.control_port = 0;
    EXPECT_FALSE(parse(encode(beacon)));
}

TEST(Beacon, ANameIsCutAtACharactersEdge)
{
    EXPECT_EQ(beacon_name(std::string(40, 'x')), std::string(28, 'x'));
    EXPECT_EQ(beacon_name(std::string(27, 'x') + "\xC3\xA9" + "y"), std::string(27, 'x'));
    EXPECT_EQ(beacon_name(std::string(26, 'x') + "\xC3\xA9" + "y"), std::string(26, 'x') + "\xC3\xA9");
}

TEST(Beacon, ANameIsCleaned)
{
    EXPECT_EQ(beacon_name("a\tb\nc\x7F"), "abc");
    EXPECT_EQ(beacon_name("a\xFF\xC3"), "a");
    EXPECT_EQ(beacon_name("\xE2\x80\xAE"
                          "drow"),
              "drow"); // right-to-left override
    EXPECT_EQ(beacon_name("B\xC3\xBCro \xF0\x9F\x92\xA1"), "B\xC3\xBCro \xF0\x9F\x92\xA1");
}

TEST(Beacon, ANameThatIsNotCleanIsDropped)
{
    EXPECT_TRUE(parse_with_name("plain"));
    EXPECT_TRUE(parse_with_name("B\xC3\xBCro"));
    EXPECT_FALSE(parse_with_name("\x1B[2J"));
    EXPECT_FALSE(parse_with_name("a\xC3"));
    EXPECT_FALSE(parse_with_name("a\xED\xA0\x80"));     // a surrogate
    EXPECT_FALSE(parse_with_name("a\xE2\x80\x8B"));     // a space without width
    EXPECT_FALSE(parse_with_name("a\xF3\xA0\x80\xA1")); // a tag
    EXPECT_FALSE(parse_with_name(std::string_view("a\0b", 3)));
}

} // namespace
} // namespace constela::cluster::discovery
