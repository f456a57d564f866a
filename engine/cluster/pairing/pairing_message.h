// SPDX-License-Identifier: GPL-3.0-or-later
//
// The only bytes that a node reads from machines that it does not know. Every message has the same 144 bytes, numbers
// little-endian:
//       0   4  magic "CSTP"
//       4   2  version
//       6   1  kind
//       7   1  reason                        of a refusal; else 0
//       8  32  commit: the commitment; reply, open: the public key; confirm: the confirmation's code
//      40  32  nonce                         reply, open
//      72   2  port of the control plane     reply, open
//      74   1  length of the name            reply, open
//      75  64  name, then zeros              reply, open
//     139   5  zeros
// What a kind has no use for is zero. The first 8 bytes stay as they are in every version, and so does a refusal for
// another version, whatever follows: so two versions can always tell each other which they are.
//
// Threads: any. Errors: what does not fit is Malformed; nothing is allocated but a name.
#pragma once

#include "engine/cluster/identity/crypto.h"
#include "engine/cluster/node_id.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>

namespace constela::cluster {

inline constexpr std::uint16_t kPairingVersion = 1;
inline constexpr std::size_t kPairingBytes = 144;
/// Enough to tell whose message it is, and of which version.
inline constexpr std::size_t kPairingHeaderBytes = 8;

using PairingBytes = std::array<std::byte, kPairingBytes>;
using PairingNonce = std::array<std::byte, 32>;

enum class PairingKind : std::uint8_t { commit = 1, reply, open, confirm, refusal };

enum class PairingReason : std::uint8_t {
    none = 0,
    other_version, ///< I speak another version; mine is in the header.
    busy,          ///< I am pairing with somebody else.
    locked,        ///< Too many tries have failed here.
    digits_differ, ///< My person says so.
    cancelled,     ///< My person no longer wants it.
    mismatch,      ///< What you sent does not fit what you sent before.
    too_late,      ///< It took too long.
};

struct PairingMessage {
    PairingKind kind = PairingKind::refusal;
    PairingReason reason = PairingReason::none;
    Hash value{}; ///< Commitment, public key or confirmation.
    PairingNonce nonce{};
    std::uint16_t control_port = 0;
    std::string name; ///< is_node_name() in a reply and an open.
};

/// Of another version than this program's.
struct OtherPairingVersion {
    std::uint16_t version = 0;
    bool refusal = false; ///< Not to be answered: the other one knows.
};

/// Not a message of pairing.
struct MalformedPairing {};

[[nodiscard]] PairingBytes encode(const PairingMessage& message);
[[nodiscard]] PairingBytes refusal(PairingReason reason);

/// Whether these are the first bytes of a message of this version; at least kPairingHeaderBytes.
[[nodiscard]] bool begins_own_version(std::span<const std::byte> bytes);
/// Needs all bytes of a message of this version, and no more. Of another version only the header is looked at.
[[nodiscard]] std::variant<PairingMessage, OtherPairingVersion, MalformedPairing>
parse_pairing(std::span<const std::byte> bytes);

} // namespace constela::cluster
