// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/wire/numeric_host.h"

#include <algorithm>
#include <cstddef>

namespace constela::cluster {
namespace {

/// Names of network interfaces have at most 15 bytes on Linux; Windows numbers them.
constexpr std::size_t kZone = 15;
constexpr std::size_t kGroups = 8;

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool is_hexadecimal(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_ipv4(std::string_view text)
{
    for (int part = 0; part < 4; ++part) {
        const std::size_t length = std::min(text.find('.'), text.size());
        const std::string_view digits = text.substr(0, length);
        if (digits.empty() || digits.size() > 3 || !std::ranges::all_of(digits, is_digit) ||
            (digits.size() > 1 && digits[0] == '0')) {
            return false;
        }
        int value = 0;
        for (const char digit : digits) {
            value = value * 10 + (digit - '0');
        }
        if (value > 255) {
            return false;
        }
        text.remove_prefix(length);
        if (part < 3) {
            if (text.empty()) {
                return false;
            }
            text.remove_prefix(1);
        }
    }
    return text.empty();
}

/// How many groups "a:b:c" has, or more than there may be when it is not made of groups. With `ipv4_allowed` the last
/// two may be written as an IPv4 address.
std::size_t groups_in(std::string_view text, bool ipv4_allowed)
{
    constexpr std::size_t kNone = kGroups + 1;
    if (text.empty()) {
        return 0;
    }
    std::size_t groups = 0;
    while (true) {
        const std::size_t colon = text.find(':');
        const std::string_view group = text.substr(0, colon);
        if (colon == std::string_view::npos && ipv4_allowed && is_ipv4(group)) {
            return groups + 2;
        }
        if (group.empty() || group.size() > 4 || !std::ranges::all_of(group, is_hexadecimal) || ++groups > kGroups) {
            return kNone;
        }
        if (colon == std::string_view::npos) {
            return groups;
        }
        text.remove_prefix(colon + 1);
    }
}

bool is_ipv6(std::string_view text)
{
    const std::size_t gap = text.find("::");
    if (gap == std::string_view::npos) {
        return groups_in(text, true) == kGroups;
    }
    // "::" stands for one group of zeros at least, and only once (a second one makes an empty group).
    return groups_in(text.substr(0, gap), false) + groups_in(text.substr(gap + 2), true) < kGroups;
}

bool is_zone(std::string_view zone)
{
    return !zone.empty() && zone.size() <= kZone && std::ranges::all_of(zone, [](char c) {
        return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' || c == '_';
    });
}

} // namespace

bool is_numeric_host(std::string_view host)
{
    const std::size_t percent = host.find('%');
    if (percent == std::string_view::npos) {
        return is_ipv4(host) || is_ipv6(host);
    }
    return is_ipv6(host.substr(0, percent)) && is_zone(host.substr(percent + 1));
}

} // namespace constela::cluster
