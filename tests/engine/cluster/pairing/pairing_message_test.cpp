// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/identity/node_name.h"
#include "engine/cluster/pairing/pairing_message.h"
#include "tests/engine/cluster/pairing/pairing_fixture.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace constela::cluster {
namespace {

PairingMessage message(PairingKind kind)
{
    PairingMessage made;
    made.kind = kind;
    made.reason = kind == PairingKind::refusal ? PairingReason::busy : PairingReason::none;
    if (kind != PairingKind::refusal) {
        made.value.fill(std::byte{0xA5});
    }
    if (kind == PairingKind::reply || kind == PairingKind::open) {
        made.nonce.fill(std::byte{0x5A});
        made.control_port = 0x1234;
        made.name = "estúdio";
    }
    return made;
}

constexpr std::array kKinds{PairingKind::commit, PairingKind::reply, PairingKind::open, PairingKind::confirm,
                            PairingKind::refusal};

bool malformed(std::span<const std::byte> bytes)
{
    return std::holds_alternative<MalformedPairing>(parse_pairing(bytes));
}

TEST(PairingMessages, AreReadAsTheyAreWritten)
{
    for (const PairingKind kind : kKinds) {
        const PairingMessage wanted = message(kind);
        const auto parsed = parse_pairing(encode(wanted));
        const auto* found = std::get_if<PairingMessage>(&parsed);
        ASSERT_NE(found, nullptr) << static_cast<int>(kind);
        EXPECT_EQ(found->kind, wanted.kind);
        EXPECT_EQ(found->reason, wanted.reason);
        EXPECT_EQ(found->value, wanted.value);
        EXPECT_EQ(found->nonce, wanted.nonce);
        EXPECT_EQ(found->control_port, wanted.control_port);
        EXPECT_EQ(found->name, wanted.name);
    }
}

TEST(PairingMessages, LieAsDescribed)
{
    const PairingBytes bytes = encode(message(PairingKind::open));
    const std::string head(reinterpret_cast<const char*>(bytes.data()), 8);
    EXPECT_EQ(head, std::string("CSTP\x01\x00\x03\x00", 8));
    EXPECT_EQ(bytes[8], std::byte{0xA5});
    EXPECT_EQ(bytes[40], std::byte{0x5A});
    EXPECT_EQ(bytes[72], std::byte{0x34});
    EXPECT_EQ(bytes[73], std::byte{0x12});
    EXPECT_EQ(bytes[74], std::byte{8});
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()) + 75, 8), "estúdio");
}

TEST(PairingMessages, CutShortOrTooLongAreMalformed)
{
    for (const PairingKind kind : kKinds) {
        const PairingBytes bytes = encode(message(kind));
        std::vector<std::byte> longer(bytes.begin(), bytes.end());
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            EXPECT_TRUE(malformed(std::span(bytes).first(size))) << size;
        }
        longer.push_back({});
        EXPECT_TRUE(malformed(longer));
    }
}

TEST(PairingMessages, OfAnotherVersionSayWhich)
{
    PairingBytes bytes = encode(message(PairingKind::refusal));
    bytes[4] = std::byte{2};
    bytes[5] = std::byte{1};
    for (const std::size_t size : {kPairingHeaderBytes, std::size_t{50}, kPairingBytes}) {
        const auto parsed = parse_pairing(std::span(bytes).first(size));
        const auto* other = std::get_if<OtherPairingVersion>(&parsed);
        ASSERT_NE(other, nullptr);
        EXPECT_EQ(other->version, 0x102);
        EXPECT_TRUE(other->refusal);
    }
    bytes[6] = static_cast<std::byte>(PairingKind::commit);
    const auto parsed = parse_pairing(bytes);
    EXPECT_FALSE(std::get<OtherPairingVersion>(parsed).refusal);
}

/// Every bit of a message means something or is zero: what is accepted after a change is another message, and writing
/// it gives the same bytes.
TEST(PairingMessages, HaveOneFormEach)
{
    for (const PairingKind kind : kKinds) {
        const PairingBytes bytes = encode(message(kind));
        for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
            PairingBytes changed = bytes;
            changed[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
            const auto parsed = parse_pairing(changed);
            if (const auto* found = std::get_if<PairingMessage>(&parsed)) {
                EXPECT_EQ(encode(*found), changed) << "kind " << static_cast<int>(kind) << " bit " << bit;
            }
        }
    }
}

TEST(PairingMessages, WithNonsenseAreMalformed)
{
    PairingBytes bytes = encode(message(PairingKind::open));
    const auto with = [&](std::size_t at, unsigned value) {
        PairingBytes changed = bytes;
        changed[at] = static_cast<std::byte>(value);
        return changed;
    };
    EXPECT_TRUE(malformed(with(0, 'X')));
    EXPECT_TRUE(malformed(with(6, 0)));
    EXPECT_TRUE(malformed(with(6, 6)));
    EXPECT_TRUE(malformed(with(7, 1))) << "a reason where nothing is refused";
    EXPECT_TRUE(malformed(with(74, 0))) << "no name";
    EXPECT_TRUE(malformed(with(74, 65))) << "a name beyond its field";
    EXPECT_TRUE(malformed(with(74, 255)));
    EXPECT_TRUE(malformed(with(74, 7))) << "something behind the name";
    EXPECT_TRUE(malformed(with(75, '/'))) << "a name that no node may have";
    EXPECT_TRUE(malformed(with(143, 1)));
    PairingMessage no_port = message(PairingKind::reply);
    no_port.control_port = 0;
    EXPECT_TRUE(malformed(encode(no_port)));
    bytes = encode(message(PairingKind::refusal));
    EXPECT_TRUE(malformed(with(7, 0))) << "a refusal without a reason";
    EXPECT_TRUE(malformed(with(7, 8)));
    EXPECT_TRUE(malformed(with(8, 1))) << "a refusal with a value";
}

TEST(PairingMessages, OfRandomBytesDoNoHarm)
{
    test::SeededChance chance(1);
    for (int i = 0; i < 20'000; ++i) {
        std::vector<std::byte> bytes(chance.below(300));
        chance.fill(bytes);
        EXPECT_TRUE(malformed(bytes));
        PairingBytes with_head = encode(message(kKinds.at(chance.below(kKinds.size()))));
        chance.fill(std::span(with_head).subspan(6 + chance.below(kPairingBytes - 6)));
        const auto parsed = parse_pairing(with_head);
        if (const auto* found = std::get_if<PairingMessage>(&parsed)) {
            EXPECT_TRUE(found->name.empty() || is_node_name(found->name));
            EXPECT_EQ(encode(*found), with_head);
        }
    }
}

} // namespace
} // namespace constela::cluster
