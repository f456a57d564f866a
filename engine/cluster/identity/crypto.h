// SPDX-License-Identifier: GPL-3.0-or-later
//
// The few cryptographic words in which identity and pairing are written; all work is libsodium's.
// BLAKE2b: RFC 7693. X25519: RFC 7748.
//
// Threads: any. Errors: none, unless said; a libsodium that cannot start ends the program.
#pragma once

#include "engine/cluster/node_id.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace constela::cluster {

using Hash = std::array<std::byte, 32>;

/// Makes libsodium ready; every function here and in keys.h does so by itself.
void start_sodium();

/// BLAKE2b-256 over what is added. `domain` comes first, so that a hash made for one purpose fits no other.
class Hasher {
public:
    explicit Hasher(std::string_view domain) : Hasher(domain, {}) {}
    /// With a key of 16 to 64 bytes it authenticates.
    Hasher(std::string_view domain, std::span<const std::byte> key);
    ~Hasher();
    Hasher(const Hasher&) = delete;
    Hasher& operator=(const Hasher&) = delete;

    Hasher& add(std::span<const std::byte> bytes);
    Hasher& add(std::string_view text) { return add(std::as_bytes(std::span(text))); }
    [[nodiscard]] Hash finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// X25519 of the two. Nothing for a public key that would make it the same for everyone (a point of low order).
[[nodiscard]] std::optional<std::array<std::byte, 32>> shared_secret(const SecretKey& own, const PublicKey& other);

/// Takes the same time wherever they differ.
[[nodiscard]] bool equal_in_constant_time(const Hash& a, const Hash& b);

/// Overwrites in a way that is not optimised away.
void wipe(std::span<std::byte> secret);

} // namespace constela::cluster
