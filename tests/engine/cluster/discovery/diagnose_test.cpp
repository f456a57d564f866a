// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/discovery/diagnose.h"

#include <gtest/gtest.h>

namespace constela::cluster::discovery {
namespace {

std::vector<Interface> lan()
{
    Interface lan;
    lan.name = "eth0";
    lan.kind = InterfaceKind::wired;
    lan.addresses = {{ip_address("192.168.1.4").value(), 24, std::nullopt}};
    Interface lo;
    lo.name = "lo";
    lo.kind = InterfaceKind::loopback;
    lo.addresses = {{ip_address("127.0.0.1").value(), 8, std::nullopt}};
    return {lan, lo};
}

ConnectFacts facts(ConnectOutcome outcome, bool beacon_heard = true, std::string host = "192.168.1.9")
{
    ConnectFacts facts;
    facts.name = "studio";
    facts.address = {std::move(host), 7717};
    facts.outcome = outcome;
    facts.beacon_heard = beacon_heard;
    facts.discovery_port = 7716;
    facts.protocol = kProtocol;
    return facts;
}

std::string said(const ConnectFacts& facts)
{
    return diagnose(facts, lan()).text();
}

bool has(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

TEST(Diagnose, SilenceOfAVisibleNodeIsAFirewall)
{
    EXPECT_EQ(said(facts(ConnectOutcome::timed_out)),
              "studio is visible but does not answer at 192.168.1.9:7717: most likely its firewall blocks the port. "
              "Allow incoming connections to TCP port 7717 for Constela on that machine.");
}

TEST(Diagnose, SilenceFromAnotherSubnetIsTheAddresses)
{
    EXPECT_EQ(said(facts(ConnectOutcome::timed_out, true, "192.168.2.9")),
              "studio is visible but cannot be connected to: its address 192.168.2.9 is in none of this machine's "
              "subnets (192.168.1.4/24). Give both machines addresses of one subnet, or set up a route between them.");
}

TEST(Diagnose, SilenceOfAnInvisibleNodeHasSeveralReasons)
{
    const std::string near = said(facts(ConnectOutcome::timed_out, false));
    EXPECT_TRUE(has(near, "that machine is off") && has(near, "TCP port 7717") && has(near, "UDP port 7716")) << near;
    const std::string far = said(facts(ConnectOutcome::timed_out, false, "10.9.9.9"));
    EXPECT_TRUE(has(far, "in none of this machine's subnets (192.168.1.4/24)") && has(far, "TCP port 7717")) << far;
}

TEST(Diagnose, ARefusalIsNamed)
{
    const std::string seen = said(facts(ConnectOutcome::refused));
    EXPECT_TRUE(has(seen, "is visible but refuses connections at 192.168.1.9:7717") && has(seen, "TCP port 7717"));
    const std::string unseen = said(facts(ConnectOutcome::refused, false));
    EXPECT_TRUE(has(unseen, "no Constela listens on TCP port 7717")) << unseen;
}

TEST(Diagnose, VersionsComeBeforeAnythingElse)
{
    ConnectFacts newer = facts(ConnectOutcome::timed_out);
    newer.protocol = kProtocol + 1;
    EXPECT_TRUE(has(said(newer), "Update Constela on this machine.")) << said(newer);
    ConnectFacts older = facts(ConnectOutcome::cut_off);
    older.protocol = kProtocol - 1;
    EXPECT_TRUE(has(said(older), "Update Constela on studio.")) << said(older);
}

TEST(Diagnose, NoRouteAndNoNetworkAreTwoThings)
{
    EXPECT_TRUE(has(said(facts(ConnectOutcome::no_route)), "No way leads from this machine (192.168.1.4/24)"));
    const std::string alone = diagnose(facts(ConnectOutcome::no_route), {}).text();
    EXPECT_TRUE(has(alone, "this machine has no network at the moment")) << alone;
}

TEST(Diagnose, EveryOutcomeHasASentenceThatNamesTheNode)
{
    using enum ConnectOutcome;
    for (const ConnectOutcome outcome :
         {refused, timed_out, no_route, forbidden, cut_off, silent, not_trusted, other_key}) {
        for (const bool heard : {true, false}) {
            const std::string text = said(facts(outcome, heard));
            EXPECT_TRUE(has(text, "studio")) << text;
            EXPECT_TRUE(text.ends_with(".")) << text;
            EXPECT_FALSE(has(text, "{}")) << text;
        }
    }
}

TEST(Diagnose, ANamelessNodeIsItsAddressAndIpv6HasBrackets)
{
    ConnectFacts nameless = facts(ConnectOutcome::silent, false, "2001:db8::9");
    nameless.name.clear();
    EXPECT_TRUE(said(nameless).starts_with("2001:db8::9 accepts connections at [2001:db8::9]:7717")) << said(nameless);
}

} // namespace
} // namespace constela::cluster::discovery
