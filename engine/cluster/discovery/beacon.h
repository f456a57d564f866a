// SPDX-License-Identifier: GPL-3.0-or-later
//
// The datagram by which nodes find each other. It is a hint from anybody and nothing but a hint: whoever uses one must
// find out by pairing or by CURVE who is really there.
//
// 64 bytes, numbers in network byte order (big endian):
//
//   offset  size
//        0     4  "CSTL"
//        4     1  version of this layout: 1
//        5     1  flags; bit 0: this is an answer and must not be answered. The other bits are 0 and not looked at.
//        6     2  cluster::kProtocol of the sender
//        8    16  node id
//       24     8  incarnation
//       32     2  TCP port of the control plane, not 0
//       34     2  TCP port at which pairing is accepted at the moment; 0: it is not
//       36    28  name in UTF-8, filled up with zeros; nothing that is not shown, such as control characters
//
// It goes to UDP port kPort, by broadcast and by multicast to kGroup4 and kGroup6 (announcer.h). It is sent from a port
// of the sender's own, which takes answers.
//
// Threads: any; plain functions on values.
#pragma once

#include "engine/cluster/messages.h"
#include "engine/cluster/node_id.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace constela::cluster::discovery {

inline constexpr std::uint16_t kPort = 7716;
/// Of the organisation-local scope (RFC 2365), so that routers keep it inside.
inline constexpr std::string_view kGroup4 = "239.255.77.17";
/// Of the link-local scope, not assigned for good (RFC 4291, section 2.7: T is 1).
inline constexpr std::string_view kGroup6 = "ff12::c57e:1a";

inline constexpr std::size_t kBeaconBytes = 64;
inline constexpr std::size_t kBeaconNameBytes = 28;
inline constexpr std::uint8_t kBeaconVersion = 1;

using BeaconBytes = std::array<std::byte, kBeaconBytes>;

struct Beacon {
    NodeId node;
    Incarnation incarnation = 0;
    std::uint16_t protocol = kProtocol;
    std::uint16_t control_port = 0;
    std::uint16_t pairing_port = 0; ///< 0: it does not accept pairing.
    bool answer = false;
    std::string name;
    bool operator==(const Beacon&) const = default;
};

/// The name is cleaned and cut to what fits, at a character's edge.
[[nodiscard]] BeaconBytes encode(const Beacon& beacon);

/// Nothing when the bytes are not wholly such a beacon.
[[nodiscard]] std::optional<Beacon> parse(std::span<const std::byte> bytes);

/// What a beacon can carry of a name: without characters that are not shown or that turn the direction of others, and
/// without broken UTF-8; at most kBeaconNameBytes.
[[nodiscard]] std::string beacon_name(std::string_view name);

} // namespace constela::cluster::discovery
