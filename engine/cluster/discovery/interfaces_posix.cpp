// SPDX-License-Identifier: GPL-3.0-or-later
//
// list_interfaces() on Linux: getifaddrs(3) for addresses and flags, ethtool's driver name, and /sys/class/net for what
// is made of hardware. A /sys that tells of other interfaces, or none, does no harm: names decide first.
#include "engine/base/descriptor.h"
#include "engine/cluster/discovery/interfaces.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <ifaddrs.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <map>
#include <memory>
#include <net/if.h>
#include <netinet/in.h>
#include <netpacket/packet.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <system_error>

namespace constela::cluster::discovery {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSystemFolder = "/sys/class/net";

std::string driver_of(int socket, const std::string& name)
{
    ethtool_drvinfo info{};
    info.cmd = ETHTOOL_GDRVINFO;
    ifreq request{};
    name.copy(request.ifr_name, sizeof request.ifr_name - 1);
    request.ifr_data = reinterpret_cast<char*>(&info); // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
    if (ioctl(socket, SIOCETHTOOL, &request) != 0) {
        return {};
    }
    return {info.driver, strnlen(info.driver, sizeof info.driver)};
}

bool is_physical(const fs::path& folder, int depth)
{
    std::error_code ignored;
    if (fs::exists(folder / "device", ignored)) {
        return true;
    }
    if (depth == 0) {
        return false;
    }
    for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end; entry.increment(ignored)) {
        const std::string name = entry->path().filename().string();
        if (name.starts_with("lower_") && is_physical(folder.parent_path() / name.substr(6), depth - 1)) {
            return true;
        }
    }
    return false;
}

std::optional<IpAddress> address_of(const sockaddr* socket_address)
{
    if (socket_address == nullptr) {
        return std::nullopt;
    }
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
        return address;
    }
    return std::nullopt;
}

unsigned prefix_of(const sockaddr* mask)
{
    unsigned bits = 0;
    if (const auto address = address_of(mask)) {
        for (const std::uint8_t byte : address->bytes) {
            bits += static_cast<unsigned>(__builtin_popcount(byte));
        }
    }
    return bits;
}

struct Found {
    Interface interface;
    InterfaceFacts facts;
};

void add_address(Found& found, const ifaddrs& entry)
{
    const auto address = address_of(entry.ifa_addr);
    if (!address) {
        return;
    }
    InterfaceAddress own{*address, prefix_of(entry.ifa_netmask), std::nullopt};
    if (own.address.v6 && own.address.is_link_local()) {
        own.address.zone = found.interface.name;
    }
    if (!own.address.v6 && (entry.ifa_flags & IFF_BROADCAST) != 0) {
        own.broadcast = address_of(entry.ifa_broadaddr);
    }
    found.interface.addresses.push_back(std::move(own));
}

} // namespace

Result<std::vector<Interface>> list_interfaces()
{
    ifaddrs* list = nullptr;
    if (getifaddrs(&list) != 0) {
        return failure("The network interfaces of this machine could not be listed: {}. Other machines cannot be "
                       "found until that works.",
                       std::generic_category().message(errno));
    }
    const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(list, freeifaddrs);

    std::map<std::string, Found> by_name;
    for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
        if ((entry->ifa_flags & IFF_UP) == 0 || entry->ifa_name == nullptr) {
            continue;
        }
        // An alias such as "eth0:1" belongs to its interface.
        std::string name(entry->ifa_name);
        name.resize(std::min(name.size(), name.find(':')));
        Found& found = by_name[name];
        found.interface.name = name;
        found.interface.running = (entry->ifa_flags & IFF_RUNNING) != 0;
        found.interface.multicast = (entry->ifa_flags & IFF_MULTICAST) != 0;
        found.facts.name = name;
        found.facts.loopback = (entry->ifa_flags & IFF_LOOPBACK) != 0;
        found.facts.point_to_point = (entry->ifa_flags & IFF_POINTOPOINT) != 0;
        if (entry->ifa_addr != nullptr && entry->ifa_addr->sa_family == AF_PACKET) {
            sockaddr_ll link{};
            std::memcpy(&link, entry->ifa_addr, sizeof link);
            found.facts.hardware_type = link.sll_hatype;
        }
        add_address(found, *entry);
    }

    const Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    std::vector<Interface> result;
    for (auto& [name, found] : by_name) {
        found.interface.index = if_nametoindex(name.c_str());
        if (found.interface.addresses.empty() || found.interface.index == 0) {
            continue; // of no use, or gone meanwhile
        }
        const fs::path folder = fs::path(kSystemFolder) / name;
        std::error_code ignored;
        found.facts.driver = driver_of(socket.number(), name);
        found.facts.physical = is_physical(folder, 2);
        found.facts.wireless = fs::exists(folder / "wireless", ignored) || fs::exists(folder / "phy80211", ignored);
        found.interface.kind = classify(found.facts);
        std::sort(found.interface.addresses.begin(), found.interface.addresses.end(),
                  [](const InterfaceAddress& a, const InterfaceAddress& b) { return a.address < b.address; });
        result.push_back(std::move(found.interface));
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const Interface& a, const Interface& b) { return a.kind < b.kind; });
    return result;
}

} // namespace constela::cluster::discovery
