// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/discovery/interfaces.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <ostream>

namespace constela::cluster::discovery {

// NOLINTNEXTLINE(readability-identifier-naming): the name that GoogleTest looks for
void PrintTo(InterfaceKind kind, std::ostream* out)
{
    *out << to_text(kind);
}

namespace {

Interface interface(std::string name, InterfaceKind kind,
                    const std::vector<std::pair<std::string, unsigned>>& addresses)
{
    static unsigned index = 0;
    Interface result;
    result.name = std::move(name);
    result.index = ++index;
    result.kind = kind;
    result.running = true;
    for (const auto& [text, prefix] : addresses) {
        IpAddress address = ip_address(text).value();
        if (address.v6 && address.is_link_local()) {
            address.zone = result.name;
        }
        result.addresses.push_back({address, prefix, std::nullopt});
    }
    return result;
}

/// A desktop with a cable, Wi-Fi, Docker, a VPN.
std::vector<Interface> desktop()
{
    return {interface("eno1", InterfaceKind::wired, {{"192.168.1.4", 24}, {"fe80::4", 64}, {"2001:db8::4", 64}}),
            interface("wlp3s0", InterfaceKind::wireless, {{"192.168.7.4", 24}}),
            interface("docker0", InterfaceKind::container, {{"172.17.0.1", 16}}),
            interface("tun0", InterfaceKind::tunnel, {{"10.8.0.4", 24}}),
            interface("lo", InterfaceKind::loopback, {{"127.0.0.1", 8}, {"::1", 128}})};
}

std::vector<std::string> hosts_in_order(const std::vector<std::string>& hosts, const std::vector<Interface>& interfaces)
{
    std::vector<Address> addresses;
    for (const std::string& host : hosts) {
        addresses.push_back({host, 7717});
    }
    std::vector<std::string> result;
    for (const RankedAddress& ranked : rank_addresses(addresses, interfaces)) {
        result.push_back(ranked.address.host);
    }
    return result;
}

struct Sort {
    InterfaceFacts facts;
    InterfaceKind kind;
};

InterfaceFacts facts(std::string name, std::string driver = "", bool physical = false, unsigned hardware_type = 1)
{
    InterfaceFacts facts;
    facts.name = std::move(name);
    facts.driver = std::move(driver);
    facts.physical = physical;
    facts.hardware_type = hardware_type;
    return facts;
}

TEST(Interfaces, AreSortedByWhatTheyAre)
{
    using enum InterfaceKind;
    const std::vector<Sort> sorts = {
        {facts("eth0", "virtio_net", true), wired},
        {facts("enp3s0", "e1000e", true), wired},
        {facts("eth0", "veth"), wired}, // a container's way out
        {facts("lan0", "r8169", true), wired},
        {facts("br0", "bridge", true), wired}, // a host of virtual machines
        {facts("bond0", "bonding", true), wired},
        {facts("wlp2s0", "iwlwifi", true), wireless},
        {facts("wlan0"), wireless},
        {facts("something"), unknown},
        {facts("docker0", "bridge"), container},
        {facts("br-4f2a9c01d3e5", "bridge"), container},
        {facts("br0", "bridge"), container},
        {facts("virbr0", "bridge"), container},
        {facts("veth12ab", "veth"), container},
        {facts("lan0", "veth"), container},
        {facts("dummy0", "dummy"), container},
        {facts("vEthernet (WSL)"), container},
        {facts("tun0", "tun", false, 65534), tunnel},
        {facts("tap0", "tun"), tunnel},
        {facts("wg0", "wireguard", false, 65534), tunnel},
        {facts("home", "wireguard", false, 65534), tunnel},
        {facts("office", "", false, 65534), tunnel}, // no Ethernet header
        {facts("tailscale0", "tun", false, 65534), tunnel},
        {facts("ztabcdef12", "tun"), tunnel},
        {facts("ppp0", "ppp", false, 512), tunnel},
    };
    for (const Sort& sort : sorts) {
        EXPECT_EQ(classify(sort.facts), sort.kind) << sort.facts.name << " " << sort.facts.driver;
    }
    InterfaceFacts own = facts("lo", "", false, 772);
    own.loopback = true;
    EXPECT_EQ(classify(own), InterfaceKind::loopback);
    InterfaceFacts wifi = facts("internet", "ath", true);
    wifi.wireless = true;
    EXPECT_EQ(classify(wifi), InterfaceKind::wireless);
    InterfaceFacts point = facts("x");
    point.point_to_point = true;
    EXPECT_EQ(classify(point), InterfaceKind::tunnel);
}

TEST(Interfaces, OfThisMachineAreListed)
{
    const auto listed = list_interfaces();
    ASSERT_TRUE(listed) << listed.error().text();
    for (const Interface& one : *listed) {
        EXPECT_FALSE(one.name.empty());
        EXPECT_NE(one.index, 0U);
        EXPECT_FALSE(one.addresses.empty());
        for (const InterfaceAddress& own : one.addresses) {
            EXPECT_EQ(interface_with(*listed, own.address)->kind <= one.kind, true) << to_text(own.address);
            EXPECT_TRUE(on_link(one, own.address)) << to_text(own.address);
        }
    }
    EXPECT_TRUE(std::is_sorted(listed->begin(), listed->end(),
                               [](const Interface& a, const Interface& b) { return a.kind < b.kind; }));
    const auto lo = std::find_if(listed->begin(), listed->end(),
                                 [](const Interface& one) { return one.kind == InterfaceKind::loopback; });
    if (lo == listed->end()) {
        GTEST_SKIP() << "the loopback interface is not up here";
    }
    EXPECT_EQ(interface_with(*listed, ip_address("127.0.0.1").value()), &*lo);
}

TEST(RankAddresses, RealNetworksComeBeforeContainersAndTunnels)
{
    EXPECT_EQ(
        hosts_in_order({"127.0.0.1", "10.8.0.9", "172.17.0.9", "203.0.113.9", "192.168.7.9", "192.168.1.9"}, desktop()),
        (std::vector<std::string>{"192.168.1.9", "192.168.7.9", "203.0.113.9", "172.17.0.9", "10.8.0.9", "127.0.0.1"}));
}

TEST(RankAddresses, WhatThisMachineHasItselfComesLast)
{
    // The peer's Docker has the same address as ours.
    EXPECT_EQ(hosts_in_order({"172.17.0.1", "127.0.0.1", "192.168.1.9"}, desktop()),
              (std::vector<std::string>{"192.168.1.9", "127.0.0.1", "172.17.0.1"}));
}

TEST(RankAddresses, OfOneWayIpv4ComesFirstAndLinkLocalLast)
{
    EXPECT_EQ(hosts_in_order({"fe80::9%eno1", "2001:db8::9", "192.168.1.9"}, desktop()),
              (std::vector<std::string>{"192.168.1.9", "2001:db8::9", "fe80::9%eno1"}));
}

TEST(RankAddresses, EqualOnesKeepTheirOrder)
{
    EXPECT_EQ(hosts_in_order({"192.168.1.9", "192.168.1.7", "192.168.1.8"}, desktop()),
              (std::vector<std::string>{"192.168.1.9", "192.168.1.7", "192.168.1.8"}));
}

TEST(RankAddresses, AnOverlayNetworkIsATunnelEvenThroughARouter)
{
    EXPECT_EQ(hosts_in_order({"100.100.1.1", "203.0.113.9"}, desktop()),
              (std::vector<std::string>{"203.0.113.9", "100.100.1.1"}));
}

TEST(RankAddresses, WhatCannotBeConnectedToIsLeftOut)
{
    EXPECT_EQ(hosts_in_order({"", "studio.local", "0.0.0.0", "::", "239.1.1.1", "ff02::1", "fe80::9"}, desktop()),
              (std::vector<std::string>{}));
    EXPECT_TRUE(rank_addresses(std::vector<Address>{{"192.168.1.9", 0}}, desktop()).empty());
}

TEST(RankAddresses, TellTheWay)
{
    const auto ranked = rank_addresses(std::vector<Address>{{"192.168.7.9", 1}, {"203.0.113.9", 2}}, desktop());
    ASSERT_EQ(ranked.size(), 2U);
    EXPECT_EQ(ranked[0].kind, InterfaceKind::wireless);
    EXPECT_EQ(ranked[0].interface, "wlp3s0");
    EXPECT_EQ(ranked[1].kind, InterfaceKind::unknown);
    EXPECT_EQ(ranked[1].interface, "");
}

} // namespace
} // namespace constela::cluster::discovery
