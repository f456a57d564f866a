// SPDX-License-Identifier: GPL-3.0-or-later
//
// The network interfaces of this machine that can be used at the moment, and which of several ways to a peer is likely
// to be the best before any was measured.
//
// Threads: any.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/discovery/ip_address.h"
#include "engine/cluster/node_id.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace constela::cluster::discovery {

/// What an interface is; the better ones come first.
enum class InterfaceKind : std::uint8_t {
    wired,
    wireless,
    unknown,
    container, ///< Between containers or virtual machines of one host: docker0, veth..., virbr0.
    tunnel,    ///< VPN and the like: the same wire once more, slower.
    loopback,
};

/// A technical word for logs and JSON: "wired", "wireless", "unknown", "container", "tunnel", "loopback".
[[nodiscard]] std::string_view to_text(InterfaceKind kind);

struct InterfaceAddress {
    IpAddress address;
    unsigned prefix = 0;
    std::optional<IpAddress> broadcast;
    bool operator==(const InterfaceAddress&) const = default;
};

struct Interface {
    std::string name;
    unsigned index = 0;
    InterfaceKind kind = InterfaceKind::unknown;
    bool running = false; ///< It has a carrier: a cable with something at its end.
    bool multicast = false;
    std::vector<InterfaceAddress> addresses;
    bool operator==(const Interface&) const = default;
};

/// What the system tells about an interface.
struct InterfaceFacts {
    std::string name;
    std::string driver;         ///< "e1000e", "veth", "bridge", "tun", "wireguard"; empty: unknown.
    unsigned hardware_type = 1; ///< ARPHRD_* of linux/if_arp.h; 1 is Ethernet.
    bool loopback = false;
    bool point_to_point = false;
    bool wireless = false;
    bool physical = false; ///< It, or one of those below it (bridge, bond, VLAN), belongs to a piece of hardware.
};

[[nodiscard]] InterfaceKind classify(const InterfaceFacts& facts);

/// Those that are up and have an address, the better ones first.
[[nodiscard]] Result<std::vector<Interface>> list_interfaces();

/// The one that has exactly this address.
[[nodiscard]] const Interface* interface_with(std::span<const Interface> interfaces, const IpAddress& address);

/// Whether `address` is in one of the interface's subnets, so that no router is between.
[[nodiscard]] bool on_link(const Interface& interface, const IpAddress& address);

struct RankedAddress {
    Address address;
    InterfaceKind kind =
        InterfaceKind::unknown; ///< Of the own interface through which it is reached, if that is known.
    std::string interface;      ///< Its name; empty: through a router.
};

/// Addresses of a peer, the most promising first: in the subnet of a real interface; beyond a router; in that of a
/// container network; of a tunnel; loopback; last those that this machine has itself (every Docker host has
/// 172.17.0.1). IPv4 before IPv6 before link-local; otherwise the order is kept. What cannot be connected to is left
/// out: no number, port 0, unspecified, multicast, link-local IPv6 without a zone.
[[nodiscard]] std::vector<RankedAddress> rank_addresses(std::span<const Address> addresses,
                                                        std::span<const Interface> interfaces);

} // namespace constela::cluster::discovery
