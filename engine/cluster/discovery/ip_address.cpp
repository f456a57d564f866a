// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/discovery/ip_address.h"

#include <algorithm>
#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#endif

namespace constela::cluster::discovery {

bool IpAddress::is_loopback() const
{
    if (!v6) {
        return bytes[0] == 127;
    }
    return bytes[15] == 1 && std::all_of(bytes.begin(), bytes.end() - 1, [](std::uint8_t b) { return b == 0; });
}

bool IpAddress::is_link_local() const
{
    return v6 ? bytes[0] == 0xFE && (bytes[1] & 0xC0U) == 0x80 : bytes[0] == 169 && bytes[1] == 254;
}

bool IpAddress::is_multicast() const
{
    return v6 ? bytes[0] == 0xFF : (bytes[0] & 0xF0U) == 0xE0;
}

bool IpAddress::is_shared_range() const
{
    return !v6 && bytes[0] == 100 && (bytes[1] & 0xC0U) == 64;
}

std::optional<IpAddress> ip_address(std::string_view text)
{
    constexpr std::size_t kLongest = 64; // more than any address with the longest name of an interface
    if (text.size() > kLongest || text.find('\0') != std::string_view::npos) {
        return std::nullopt;
    }
    IpAddress address;
    const std::size_t percent = text.find('%');
    const std::string digits(text.substr(0, percent));
    if (percent == std::string_view::npos && inet_pton(AF_INET, digits.c_str(), address.bytes.data()) == 1) {
        return address;
    }
    if (inet_pton(AF_INET6, digits.c_str(), address.bytes.data()) != 1) {
        return std::nullopt;
    }
    static constexpr std::array<std::uint8_t, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    if (std::equal(kMapped.begin(), kMapped.end(), address.bytes.begin())) {
        IpAddress mapped;
        std::copy(address.bytes.begin() + 12, address.bytes.end(), mapped.bytes.begin());
        return mapped;
    }
    address.v6 = true;
    if (percent != std::string_view::npos) {
        if (!address.is_link_local() || percent + 1 == text.size()) {
            return std::nullopt;
        }
        address.zone = text.substr(percent + 1);
    }
    return address;
}

std::string to_text(const IpAddress& address)
{
    std::array<char, INET6_ADDRSTRLEN> text{};
    inet_ntop(address.v6 ? AF_INET6 : AF_INET, address.bytes.data(), text.data(), text.size());
    std::string result(text.data());
    if (!address.zone.empty()) {
        result += '%';
        result += address.zone;
    }
    return result;
}

bool same_subnet(const IpAddress& a, const IpAddress& b, unsigned prefix)
{
    if (a.v6 != b.v6 || prefix > (a.v6 ? 128U : 32U)) {
        return false;
    }
    const std::size_t whole = prefix / 8;
    if (!std::equal(a.bytes.begin(), a.bytes.begin() + static_cast<std::ptrdiff_t>(whole), b.bytes.begin())) {
        return false;
    }
    const unsigned rest = prefix % 8;
    return rest == 0 || (a.bytes[whole] ^ b.bytes[whole]) >> (8 - rest) == 0;
}

} // namespace constela::cluster::discovery
