// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who a node is: a CURVE key pair made once, and an id that follows from its public half. How the id follows, and how
// both are written as text: identity/keys.cpp.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace constela::cluster {

/// A Curve25519 public key, as CURVE (rfc.zeromq.org/spec/26) uses it.
struct PublicKey {
    std::array<std::byte, 32> bytes{};
    auto operator<=>(const PublicKey&) const = default;
};

struct SecretKey {
    std::array<std::byte, 32> bytes{};
};

struct KeyPair {
    PublicKey public_key;
    SecretKey secret_key;
};

/// The first 16 bytes of BLAKE2b-256 over "constela node id 1" and the public key.
struct NodeId {
    std::array<std::byte, 16> bytes{};
    auto operator<=>(const NodeId&) const = default;
};

[[nodiscard]] NodeId node_id(const PublicKey& key);

/// 32 hexadecimal digits, lower case.
[[nodiscard]] std::string to_text(const NodeId& id);
[[nodiscard]] std::optional<NodeId> node_id_from_text(std::string_view text);
/// 64 hexadecimal digits, lower case.
[[nodiscard]] std::string to_text(const PublicKey& key);
[[nodiscard]] std::optional<PublicKey> public_key_from_text(std::string_view text);

/// Where a node may be reached: a numeric IPv4 or IPv6 address (IPv6 without brackets, with its zone where it needs
/// one) and a TCP port.
struct Address {
    std::string host;
    std::uint16_t port = 0;
    auto operator<=>(const Address&) const = default;
};

} // namespace constela::cluster
