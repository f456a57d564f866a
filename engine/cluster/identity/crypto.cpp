// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/identity/crypto.h"

#include <cstdio>
#include <cstdlib>
#include <sodium.h>

namespace constela::cluster {
namespace {

const unsigned char* in(std::span<const std::byte> bytes)
{
    return reinterpret_cast<const unsigned char*>(bytes.data());
}

unsigned char* out(std::span<std::byte> bytes)
{
    return reinterpret_cast<unsigned char*>(bytes.data());
}

} // namespace

void start_sodium()
{
    if (sodium_init() < 0) { // no source of randomness: going on would make keys that others can guess
        std::fputs("libsodium could not be started: the system gives no random numbers\n", stderr);
        std::abort();
    }
}

struct Hasher::State {
    crypto_generichash_state state;
};

Hasher::Hasher(std::string_view domain, std::span<const std::byte> key)
{
    start_sodium();
    state_ = std::make_unique<State>();
    crypto_generichash_init(&state_->state, key.empty() ? nullptr : in(key), key.size(), std::tuple_size_v<Hash>);
    add(domain);
}

Hasher::~Hasher()
{
    sodium_memzero(&state_->state, sizeof state_->state);
}

Hasher& Hasher::add(std::span<const std::byte> bytes)
{
    if (!bytes.empty()) {
        crypto_generichash_update(&state_->state, in(bytes), bytes.size());
    }
    return *this;
}

Hash Hasher::finish()
{
    Hash hash{};
    crypto_generichash_final(&state_->state, out(hash), hash.size());
    return hash;
}

std::optional<std::array<std::byte, 32>> shared_secret(const SecretKey& own, const PublicKey& other)
{
    start_sodium();
    std::array<std::byte, 32> secret{};
    if (crypto_scalarmult(out(secret), in(own.bytes), in(other.bytes)) != 0) {
        return std::nullopt;
    }
    return secret;
}

bool equal_in_constant_time(const Hash& a, const Hash& b)
{
    return sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

void wipe(std::span<std::byte> secret)
{
    sodium_memzero(secret.data(), secret.size());
}

} // namespace constela::cluster
