// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keys against ZeroMQ, which will use them, and ids against values computed elsewhere (Python's hashlib.blake2b).
#include "engine/cluster/identity/crypto.h"
#include "engine/cluster/identity/keys.h"

#include <gtest/gtest.h>
#include <set>
#include <zmq.h>

namespace constela::cluster {
namespace {

/// A key of bytes 0, 1, 2 ...
PublicKey counting_key()
{
    PublicKey key;
    for (std::size_t i = 0; i < key.bytes.size(); ++i) {
        key.bytes[i] = static_cast<std::byte>(i);
    }
    return key;
}

TEST(Keys, AreThoseOfCurve)
{
    std::array<char, 41> public_text{};
    std::array<char, 41> secret_text{};
    ASSERT_EQ(zmq_curve_keypair(public_text.data(), secret_text.data()), 0);
    KeyPair theirs;
    zmq_z85_decode(reinterpret_cast<std::uint8_t*>(theirs.secret_key.bytes.data()), secret_text.data());
    zmq_z85_decode(reinterpret_cast<std::uint8_t*>(theirs.public_key.bytes.data()), public_text.data());
    EXPECT_EQ(public_key_of(theirs.secret_key), theirs.public_key);

    const KeyPair ours = make_key_pair();
    zmq_z85_encode(secret_text.data(), reinterpret_cast<const std::uint8_t*>(ours.secret_key.bytes.data()), 32);
    ASSERT_EQ(zmq_curve_public(public_text.data(), secret_text.data()), 0);
    PublicKey found;
    zmq_z85_decode(reinterpret_cast<std::uint8_t*>(found.bytes.data()), public_text.data());
    EXPECT_EQ(found, ours.public_key);
}

TEST(Keys, AreNewEachTime)
{
    std::set<PublicKey> keys;
    for (int i = 0; i < 50; ++i) {
        keys.insert(make_key_pair().public_key);
    }
    EXPECT_EQ(keys.size(), 50U);
}

TEST(Keys, FromTheSameChanceAreTheSame)
{
    class Sevens final : public Chance {
        void fill(std::span<std::byte> bytes) override { std::fill(bytes.begin(), bytes.end(), std::byte{7}); }
    };
    Sevens chance;
    const KeyPair pair = make_key_pair(chance);
    EXPECT_EQ(pair.public_key, make_key_pair(chance).public_key);
    EXPECT_EQ(pair.public_key, public_key_of(pair.secret_key));
}

TEST(Keys, BothSidesShareASecret)
{
    const KeyPair a = make_key_pair();
    const KeyPair b = make_key_pair();
    const KeyPair c = make_key_pair();
    EXPECT_EQ(shared_secret(a.secret_key, b.public_key), shared_secret(b.secret_key, a.public_key));
    EXPECT_NE(shared_secret(a.secret_key, b.public_key), shared_secret(a.secret_key, c.public_key));
    EXPECT_FALSE(shared_secret(a.secret_key, PublicKey{})) << "zero is a point of low order";
}

TEST(NodeIds, FollowFromTheKey)
{
    EXPECT_EQ(to_text(node_id(counting_key())), "7bc07a3acc801ecaf2644b1459813ddb");
}

TEST(NodeIds, AreReadAsTheyAreWritten)
{
    const PublicKey key = make_key_pair().public_key;
    EXPECT_EQ(public_key_from_text(to_text(key)), key);
    EXPECT_EQ(node_id_from_text(to_text(node_id(key))), node_id(key));
    EXPECT_EQ(to_text(counting_key()), "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
    EXPECT_TRUE(node_id_from_text("00112233445566778899AABBCCDDEEFF"));
    for (const char* bad :
         {"", "00", "00112233445566778899aabbccddeef", "00112233445566778899aabbccddeeffa",
          "0011223344556677 899aabbccddeeff", "0x112233445566778899aabbccddeeff", "00112233445566778899aabbccddeefg"}) {
        EXPECT_FALSE(node_id_from_text(bad)) << bad;
    }
}

TEST(Randomness, IsThere)
{
    SodiumChance chance;
    EXPECT_NE(chance.number(), chance.number());
}

} // namespace
} // namespace constela::cluster
