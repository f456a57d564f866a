// SPDX-License-Identifier: GPL-3.0-or-later
//
// list_interfaces() on Windows: GetAdaptersAddresses.
#include "engine/cluster/discovery/interfaces.h"

#define WIN32_LEAN_AND_MEAN // without what makes a macro of "interface"
#define NOMINMAX
#include <winsock2.h> // before the others, which would bring the old one

#include <iphlpapi.h>
#include <ws2tcpip.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <system_error>

namespace constela::cluster::discovery {

namespace {

constexpr unsigned kEthernet = 1;
constexpr unsigned kNoHeader = 65534; // as Linux numbers what has no Ethernet header

std::string utf8(const wchar_t* text)
{
    const int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, nullptr, 0, nullptr, nullptr);
    if (size <= 1) {
        return {};
    }
    std::string result(static_cast<std::size_t>(size), '\0');
    WideCharToMultiByte(CP_UTF8, 0, text, -1, result.data(), size, nullptr, nullptr);
    result.pop_back();
    return result;
}

std::optional<IpAddress> address_of(const sockaddr* socket_address)
{
    IpAddress address;
    if (socket_address->sa_family == AF_INET) {
        sockaddr_in in{};
        std::memcpy(&in, socket_address, sizeof in);
        std::memcpy(address.bytes.data(), &in.sin_addr, 4);
        return address;
    }
    if (socket_address->sa_family == AF_INET6) {
        sockaddr_in6 in{};
        std::memcpy(&in, socket_address, sizeof in);
        address.v6 = true;
        std::memcpy(address.bytes.data(), &in.sin6_addr, 16);
        if (address.is_link_local()) {
            address.zone = std::to_string(in.sin6_scope_id);
        }
        return address;
    }
    return std::nullopt;
}

IpAddress broadcast_address(const IpAddress& address, unsigned prefix)
{
    IpAddress result = address;
    for (unsigned bit = prefix; bit < 32; ++bit) {
        result.bytes.at(bit / 8) |= static_cast<std::uint8_t>(0x80U >> (bit % 8));
    }
    return result;
}

/// VPNs make Ethernet adapters with names that the person chose; the description is the program's.
bool describes_a_tunnel(std::string_view description)
{
    static constexpr std::array<std::string_view, 10> kWords{"TAP-Windows",  "WireGuard", "Wintun", "Tailscale",
                                                             "ZeroTier",     "OpenVPN",   "VPN",    "Hamachi",
                                                             "WAN Miniport", "AnyConnect"};
    return std::any_of(kWords.begin(), kWords.end(), [description](std::string_view word) {
        return description.find(word) != std::string_view::npos;
    });
}

bool describes_virtual_machines(std::string_view description)
{
    static constexpr std::array<std::string_view, 3> kWords{"Hyper-V Virtual", "VirtualBox Host-Only",
                                                            "VMware Virtual Ethernet"};
    return std::any_of(kWords.begin(), kWords.end(), [description](std::string_view word) {
        return description.find(word) != std::string_view::npos;
    });
}

InterfaceKind kind_of(const IP_ADAPTER_ADDRESSES& adapter, const std::string& name)
{
    const std::string description = utf8(adapter.Description);
    if (describes_virtual_machines(description)) {
        return InterfaceKind::container;
    }
    InterfaceFacts facts;
    facts.name = name;
    facts.loopback = adapter.IfType == IF_TYPE_SOFTWARE_LOOPBACK;
    facts.wireless = adapter.IfType == IF_TYPE_IEEE80211;
    facts.physical = adapter.IfType == IF_TYPE_ETHERNET_CSMACD;
    const bool tunnel = adapter.IfType == IF_TYPE_TUNNEL || adapter.IfType == IF_TYPE_PPP ||
                        adapter.IfType == IF_TYPE_PROP_VIRTUAL || describes_a_tunnel(description);
    facts.hardware_type = tunnel ? kNoHeader : kEthernet;
    return classify(facts);
}

} // namespace

Result<std::vector<Interface>> list_interfaces()
{
    constexpr ULONG kFlags = GAA_FLAG_SKIP_ANYCAST | GAA_FLAG_SKIP_MULTICAST | GAA_FLAG_SKIP_DNS_SERVER;
    // The list may grow between two calls.
    ULONG size = 16 * 1024;
    std::vector<IP_ADAPTER_ADDRESSES> room;
    ULONG outcome = ERROR_BUFFER_OVERFLOW;
    for (int attempt = 0; attempt < 4 && outcome == ERROR_BUFFER_OVERFLOW; ++attempt) {
        room.resize(size / sizeof(IP_ADAPTER_ADDRESSES) + 1);
        size = static_cast<ULONG>(room.size() * sizeof(IP_ADAPTER_ADDRESSES));
        outcome = GetAdaptersAddresses(AF_UNSPEC, kFlags, nullptr, room.data(), &size);
    }
    std::vector<Interface> result;
    if (outcome == ERROR_NO_DATA) {
        return result;
    }
    if (outcome != NO_ERROR) {
        return failure("The network interfaces of this machine could not be listed: {}. Other machines cannot be "
                       "found until that works.",
                       std::system_category().message(static_cast<int>(outcome)));
    }
    for (const IP_ADAPTER_ADDRESSES* adapter = room.data(); adapter != nullptr; adapter = adapter->Next) {
        if (adapter->OperStatus != IfOperStatusUp) {
            continue;
        }
        Interface interface;
        interface.name = utf8(adapter->FriendlyName);
        interface.index = adapter->IfIndex != 0 ? adapter->IfIndex : adapter->Ipv6IfIndex;
        interface.kind = kind_of(*adapter, interface.name);
        interface.running = true;
        interface.multicast = (adapter->Flags & IP_ADAPTER_NO_MULTICAST) == 0;
        for (const auto* own = adapter->FirstUnicastAddress; own != nullptr; own = own->Next) {
            const auto address = address_of(own->Address.lpSockaddr);
            if (!address || own->DadState != IpDadStatePreferred) {
                continue;
            }
            InterfaceAddress entry{*address, own->OnLinkPrefixLength, std::nullopt};
            if (!address->v6 && entry.prefix < 31 && interface.kind != InterfaceKind::loopback) {
                entry.broadcast = broadcast_address(*address, entry.prefix);
            }
            interface.addresses.push_back(std::move(entry));
        }
        if (!interface.addresses.empty() && interface.index != 0) {
            std::sort(interface.addresses.begin(), interface.addresses.end(),
                      [](const InterfaceAddress& a, const InterfaceAddress& b) { return a.address < b.address; });
            result.push_back(std::move(interface));
        }
    }
    std::stable_sort(result.begin(), result.end(), [](const Interface& a, const Interface& b) {
        return a.kind != b.kind ? a.kind < b.kind : a.name < b.name;
    });
    return result;
}

} // namespace constela::cluster::discovery
