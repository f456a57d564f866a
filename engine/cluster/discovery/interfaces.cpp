// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part that is the same on all systems; list_interfaces() is in interfaces_posix.cpp and interfaces_windows.cpp.
#include "engine/cluster/discovery/interfaces.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace constela::cluster::discovery {

namespace {

// ARPHRD_* of what has no Ethernet header: PPP, IP in IP, SIT, GRE, and "none" (tun, WireGuard).
constexpr std::array<unsigned, 8> kTunnelTypes{512, 768, 769, 776, 778, 823, 65534, 65535};

// Beginnings of names, as the programs that make these interfaces call them. Names in parts are of Windows.
constexpr std::array<std::string_view, 24> kTunnelNames{
    "tun",    "tap",     "wg",      "tailscale", "zt",      "ppp",    "vpn",  "nebula",
    "utun",   "ipsec",   "gre",     "sit",       "vti",     "ham",    "xfrm", "nordlynx",
    "proton", "mullvad", "cscotun", "gpd",       "outline", "ip6tnl", "l2tp", "netbird"};
constexpr std::array<std::string_view, 12> kTunnelDrivers{"tun", "wireguard", "ipip", "ip_gre", "gre", "gretap",
                                                          "sit", "vti",       "xfrm", "l2tp",   "ppp", "ip6tnl"};
constexpr std::array<std::string_view, 21> kContainerNames{
    "docker", "veth", "br-",   "virbr", "vnet",    "lxcbr", "lxdbr", "incusbr", "podman", "cni",      "flannel",
    "cali",   "kube", "dummy", "vmnet", "vboxnet", "ifb",   "vxlan", "cilium",  "weave",  "vEthernet"};
constexpr std::array<std::string_view, 7> kContainerDrivers{"dummy", "ifb",       "vxlan",      "geneve",
                                                            "veth",  "netdevsim", "openvswitch"};

template <std::size_t N>
bool begins_with_one_of(std::string_view name, const std::array<std::string_view, N>& beginnings)
{
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [name](std::string_view beginning) { return name.starts_with(beginning); });
}

template <class T, std::size_t N>
bool is_one_of(const T& value, const std::array<T, N>& values)
{
    return std::find(values.begin(), values.end(), value) != values.end();
}

/// Smaller is better; see rank_addresses().
int order(const RankedAddress& ranked, bool own)
{
    if (own && ranked.kind != InterfaceKind::loopback) {
        return 10;
    }
    switch (ranked.kind) {
    case InterfaceKind::wired: return 0;
    case InterfaceKind::wireless: return 1;
    case InterfaceKind::unknown: return ranked.interface.empty() ? 3 : 2;
    case InterfaceKind::container: return 4;
    case InterfaceKind::tunnel: return 5;
    case InterfaceKind::loopback: break;
    }
    return 6;
}

int family_order(const IpAddress& address)
{
    if (address.is_link_local()) {
        return 2;
    }
    return address.v6 ? 1 : 0;
}

/// The own interface through which the address is reached without a router.
const Interface* interface_to(std::span<const Interface> interfaces, const IpAddress& address)
{
    const Interface* best = nullptr;
    for (const Interface& interface : interfaces) {
        const bool fits = address.zone.empty() ? on_link(interface, address) : interface.name == address.zone;
        if (fits && (best == nullptr || interface.kind < best->kind)) {
            best = &interface;
        }
    }
    return best;
}

} // namespace

std::string_view to_text(InterfaceKind kind)
{
    switch (kind) {
    case InterfaceKind::wired: return "wired";
    case InterfaceKind::wireless: return "wireless";
    case InterfaceKind::unknown: break;
    case InterfaceKind::container: return "container";
    case InterfaceKind::tunnel: return "tunnel";
    case InterfaceKind::loopback: return "loopback";
    }
    return "unknown";
}

InterfaceKind classify(const InterfaceFacts& facts)
{
    const std::string_view name = facts.name;
    if (facts.loopback) {
        return InterfaceKind::loopback;
    }
    if (facts.point_to_point || is_one_of(facts.hardware_type, kTunnelTypes) ||
        begins_with_one_of(name, kTunnelNames) || is_one_of(std::string_view(facts.driver), kTunnelDrivers)) {
        return InterfaceKind::tunnel;
    }
    if (begins_with_one_of(name, kContainerNames)) {
        return InterfaceKind::container;
    }
    // A host of virtual machines has its own address on a bridge over its network card.
    if (facts.driver == "bridge" && !facts.physical) {
        return InterfaceKind::container;
    }
    if (facts.wireless || name.starts_with("wl")) {
        return InterfaceKind::wireless;
    }
    // Inside a container a veth is the way out, and bears the name of a real card.
    if (facts.physical || name.starts_with("en") || name.starts_with("eth")) {
        return InterfaceKind::wired;
    }
    return is_one_of(std::string_view(facts.driver), kContainerDrivers) ? InterfaceKind::container
                                                                        : InterfaceKind::unknown;
}

const Interface* interface_with(std::span<const Interface> interfaces, const IpAddress& address)
{
    for (const Interface& interface : interfaces) {
        for (const InterfaceAddress& own : interface.addresses) {
            if (own.address.v6 == address.v6 && own.address.bytes == address.bytes &&
                (address.zone.empty() || address.zone == interface.name)) {
                return &interface;
            }
        }
    }
    return nullptr;
}

bool on_link(const Interface& interface, const IpAddress& address)
{
    return std::any_of(interface.addresses.begin(), interface.addresses.end(),
                       [&](const InterfaceAddress& own) { return same_subnet(own.address, address, own.prefix); });
}

std::vector<RankedAddress> rank_addresses(std::span<const Address> addresses, std::span<const Interface> interfaces)
{
    struct Keyed {
        RankedAddress ranked;
        int order = 0;
        int family = 0;
    };
    std::vector<Keyed> found;
    for (const Address& address : addresses) {
        const std::optional<IpAddress> ip = ip_address(address.host);
        if (!ip || address.port == 0 || ip->is_unspecified() || ip->is_multicast() ||
            (ip->v6 && ip->is_link_local() && ip->zone.empty())) {
            continue;
        }
        Keyed keyed{{address, InterfaceKind::unknown, {}}, 0, family_order(*ip)};
        if (ip->is_loopback()) {
            keyed.ranked.kind = InterfaceKind::loopback;
        } else if (const Interface* interface = interface_to(interfaces, *ip)) {
            keyed.ranked.kind = interface->kind;
            keyed.ranked.interface = interface->name;
        } else if (ip->is_shared_range()) {
            keyed.ranked.kind = InterfaceKind::tunnel;
        }
        keyed.order = order(keyed.ranked, interface_with(interfaces, *ip) != nullptr);
        found.push_back(std::move(keyed));
    }
    std::stable_sort(found.begin(), found.end(), [](const Keyed& a, const Keyed& b) {
        return a.order != b.order ? a.order < b.order : a.family < b.family;
    });
    std::vector<RankedAddress> result;
    result.reserve(found.size());
    for (Keyed& keyed : found) {
        result.push_back(std::move(keyed.ranked));
    }
    return result;
}

} // namespace constela::cluster::discovery
