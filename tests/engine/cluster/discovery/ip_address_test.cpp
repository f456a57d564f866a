// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/discovery/ip_address.h"

#include <gtest/gtest.h>

namespace constela::cluster::discovery {
namespace {

IpAddress ip(std::string_view text)
{
    const auto address = ip_address(text);
    EXPECT_TRUE(address) << text;
    return address.value_or(IpAddress{});
}

TEST(IpAddress, ComesBackAsItWas)
{
    for (const std::string_view text : {"192.0.2.1", "0.0.0.0", "2001:db8::1", "::1", "fe80::1%eth0", "fe80::1"}) {
        EXPECT_EQ(to_text(ip(text)), text);
    }
    EXPECT_EQ(to_text(ip("::ffff:192.0.2.1")), "192.0.2.1");
}

TEST(IpAddress, WhatIsNoneIsRefused)
{
    for (const std::string_view text : {"", "studio", "192.0.2", "192.0.2.256", "192.0.2.1 ", "[::1]", "::g",
                                        "192.0.2.1%eth0", "2001:db8::1%eth0", "fe80::1%", "192.0.2.1:80"}) {
        EXPECT_FALSE(ip_address(text)) << text;
    }
    EXPECT_FALSE(ip_address(std::string_view("192.0.2.1\0x", 11)));
    EXPECT_FALSE(ip_address("fe80::1%" + std::string(100, 'x')));
}

TEST(IpAddress, KnowsItsRanges)
{
    EXPECT_TRUE(ip("127.1.2.3").is_loopback());
    EXPECT_TRUE(ip("::1").is_loopback());
    EXPECT_FALSE(ip("::").is_loopback());
    EXPECT_TRUE(ip("::").is_unspecified());
    EXPECT_TRUE(ip("169.254.7.7").is_link_local());
    EXPECT_TRUE(ip("febf::1").is_link_local());
    EXPECT_FALSE(ip("fec0::1").is_link_local());
    EXPECT_TRUE(ip("239.255.77.17").is_multicast());
    EXPECT_FALSE(ip("240.0.0.1").is_multicast());
    EXPECT_TRUE(ip("ff12::c57e:1a").is_multicast());
    EXPECT_TRUE(ip("100.64.0.1").is_shared_range());
    EXPECT_TRUE(ip("100.127.255.255").is_shared_range());
    EXPECT_FALSE(ip("100.128.0.1").is_shared_range());
}

TEST(IpAddress, IsInASubnetOrNot)
{
    EXPECT_TRUE(same_subnet(ip("10.1.2.3"), ip("10.1.2.200"), 24));
    EXPECT_FALSE(same_subnet(ip("10.1.2.3"), ip("10.1.3.3"), 24));
    EXPECT_TRUE(same_subnet(ip("10.1.2.3"), ip("10.1.3.3"), 23));
    EXPECT_FALSE(same_subnet(ip("10.1.2.3"), ip("10.1.4.3"), 23));
    EXPECT_TRUE(same_subnet(ip("10.1.2.3"), ip("200.0.0.1"), 0));
    EXPECT_FALSE(same_subnet(ip("10.1.2.3"), ip("10.1.2.2"), 32));
    EXPECT_TRUE(same_subnet(ip("10.1.2.3"), ip("10.1.2.3"), 32));
    EXPECT_FALSE(same_subnet(ip("10.1.2.3"), ip("10.1.2.3"), 33));
    EXPECT_FALSE(same_subnet(ip("10.1.2.3"), ip("2001:db8::1"), 0));
    EXPECT_TRUE(same_subnet(ip("2001:db8::1"), ip("2001:db8::ffff"), 64));
    EXPECT_FALSE(same_subnet(ip("2001:db8::1"), ip("2001:db8:0:1::1"), 64));
}

} // namespace
} // namespace constela::cluster::discovery
