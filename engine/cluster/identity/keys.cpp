// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/identity/keys.h"
#include "engine/cluster/identity/crypto.h"

#include <algorithm>
#include <sodium.h>

namespace constela::cluster {
namespace {

static_assert(sizeof(PublicKey::bytes) == crypto_box_PUBLICKEYBYTES);
static_assert(sizeof(SecretKey::bytes) == crypto_box_SECRETKEYBYTES);

unsigned char* out(std::span<std::byte> bytes)
{
    return reinterpret_cast<unsigned char*>(bytes.data());
}

std::optional<unsigned> hex_digit(char digit)
{
    if (digit >= '0' && digit <= '9') {
        return static_cast<unsigned>(digit - '0');
    }
    if (digit >= 'a' && digit <= 'f') {
        return static_cast<unsigned>(digit - 'a') + 10U;
    }
    if (digit >= 'A' && digit <= 'F') {
        return static_cast<unsigned>(digit - 'A') + 10U;
    }
    return std::nullopt;
}

template <class Value>
std::optional<Value> value_from_hex(std::string_view text)
{
    Value value;
    if (!from_hex(text, value.bytes)) {
        return std::nullopt;
    }
    return value;
}

} // namespace

NodeId node_id(const PublicKey& key)
{
    const Hash hash = Hasher("constela node id 1").add(key.bytes).finish();
    NodeId id;
    std::copy_n(hash.begin(), id.bytes.size(), id.bytes.begin());
    return id;
}

std::string to_text(const NodeId& id)
{
    return to_hex(id.bytes);
}

std::optional<NodeId> node_id_from_text(std::string_view text)
{
    return value_from_hex<NodeId>(text);
}

std::string to_text(const PublicKey& key)
{
    return to_hex(key.bytes);
}

std::optional<PublicKey> public_key_from_text(std::string_view text)
{
    return value_from_hex<PublicKey>(text);
}

KeyPair make_key_pair()
{
    start_sodium();
    KeyPair pair;
    crypto_box_keypair(out(pair.public_key.bytes), out(pair.secret_key.bytes));
    return pair;
}

KeyPair make_key_pair(Chance& chance)
{
    KeyPair pair;
    chance.fill(pair.secret_key.bytes);
    pair.public_key = public_key_of(pair.secret_key);
    return pair;
}

PublicKey public_key_of(const SecretKey& secret)
{
    start_sodium();
    PublicKey key;
    crypto_scalarmult_base(out(key.bytes), reinterpret_cast<const unsigned char*>(secret.bytes.data()));
    return key;
}

SodiumChance::SodiumChance()
{
    start_sodium();
}

void SodiumChance::fill(std::span<std::byte> bytes)
{
    randombytes_buf(bytes.data(), bytes.size());
}

std::string to_hex(std::span<const std::byte> bytes)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * bytes.size());
    for (const std::byte byte : bytes) {
        text += kDigits[std::to_integer<unsigned>(byte) >> 4U];
        text += kDigits[std::to_integer<unsigned>(byte) & 15U];
    }
    return text;
}

bool from_hex(std::string_view text, std::span<std::byte> bytes)
{
    if (text.size() != 2 * bytes.size()) {
        return false;
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const auto high = hex_digit(text[2 * i]);
        const auto low = hex_digit(text[2 * i + 1]);
        if (!high || !low) {
            return false;
        }
        bytes[i] = static_cast<std::byte>((*high << 4U) | *low);
    }
    return true;
}

} // namespace constela::cluster
