// SPDX-License-Identifier: GPL-3.0-or-later
//
// Key pairs and real randomness. What a node's id is and how it is written: node_id.h.
//
// Threads: any. Errors: none; a system without randomness ends the program (crypto.h).
#pragma once

#include "engine/cluster/node_id.h"
#include "engine/cluster/time.h"

namespace constela::cluster {

/// Curve25519, as CURVE (rfc.zeromq.org/spec/26) uses it; from the system's randomness.
[[nodiscard]] KeyPair make_key_pair();
/// The same from given randomness: for tests that must replay.
[[nodiscard]] KeyPair make_key_pair(Chance& chance);

[[nodiscard]] PublicKey public_key_of(const SecretKey& secret);

/// The system's randomness, fit for keys.
class SodiumChance final : public Chance {
public:
    SodiumChance();
    void fill(std::span<std::byte> bytes) override;
};

/// Who this node is.
struct Identity {
    KeyPair keys;
    NodeId id;
};

/// 2 digits a byte, lower case.
[[nodiscard]] std::string to_hex(std::span<const std::byte> bytes);
/// Fills all of `bytes`; false when `text` is anything but 2 digits, of either case, for each of them.
[[nodiscard]] bool from_hex(std::string_view text, std::span<std::byte> bytes);

} // namespace constela::cluster
