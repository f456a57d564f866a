// SPDX-License-Identifier: GPL-3.0-or-later
//
// A numeric IPv4 or IPv6 address as a value. Plain functions, any thread, no failures but "this is no address".
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace constela::cluster::discovery {

struct IpAddress {
    bool v6 = false;
    std::array<std::uint8_t, 16> bytes{}; ///< Network order; of IPv4 the first four.
    std::string zone;                     ///< Of link-local IPv6 alone: the interface, "eth0" (on Windows its number).
    auto operator<=>(const IpAddress&) const = default;
    bool operator==(const IpAddress&) const = default;

    [[nodiscard]] bool is_unspecified() const { return bytes == std::array<std::uint8_t, 16>{}; }
    [[nodiscard]] bool is_loopback() const; ///< 127.0.0.0/8 or ::1
    [[nodiscard]] bool is_link_local() const;
    [[nodiscard]] bool is_multicast() const;
    /// Of the range that carriers and overlay VPNs share, 100.64.0.0/10 (RFC 6598).
    [[nodiscard]] bool is_shared_range() const;
};

/// "192.0.2.1", "fe80::1%eth0", "::ffff:192.0.2.1" (which is IPv4). No brackets, no names.
[[nodiscard]] std::optional<IpAddress> ip_address(std::string_view text);
[[nodiscard]] std::string to_text(const IpAddress& address);

/// Whether the first `prefix` bits are equal. Zones are not looked at.
[[nodiscard]] bool same_subnet(const IpAddress& a, const IpAddress& b, unsigned prefix);

} // namespace constela::cluster::discovery
