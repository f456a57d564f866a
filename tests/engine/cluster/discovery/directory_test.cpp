// SPDX-License-Identifier: GPL-3.0-or-later
//
// In virtual time.
#include "engine/cluster/discovery/directory.h"

#include <gtest/gtest.h>

namespace constela::cluster::discovery {
namespace {

using std::chrono::seconds;

NodeId node(unsigned number)
{
    NodeId id;
    id.bytes[0] = static_cast<std::byte>(number >> 8U);
    id.bytes[1] = static_cast<std::byte>(number);
    return id;
}

Sighting sighting(unsigned number, std::string host, std::uint16_t port = 7717)
{
    Sighting result;
    result.beacon.node = node(number);
    result.beacon.name = "n" + std::to_string(number);
    result.beacon.control_port = port;
    result.from = {std::move(host), port};
    result.interface = "eth0";
    result.kind = InterfaceKind::wired;
    result.on_link = true;
    return result;
}

std::vector<Interface> lan()
{
    Interface lan;
    lan.name = "eth0";
    lan.index = 1;
    lan.kind = InterfaceKind::wired;
    lan.addresses = {{ip_address("10.0.0.1").value(), 24, std::nullopt}};
    return {lan};
}

std::vector<std::string> hosts(const Directory& directory, unsigned number)
{
    std::vector<std::string> result;
    for (const Candidate& candidate : directory.candidates(node(number), lan())) {
        result.push_back(candidate.address.host);
    }
    return result;
}

using Hosts = std::vector<std::string>;

TEST(Directory, AStrangerComesAndGoes)
{
    Directory directory;
    Sighting seen = sighting(1, "10.0.0.2");
    seen.beacon.pairing_port = 99;
    directory.saw(seen, seconds(1));
    const auto found = directory.find(node(1), lan());
    ASSERT_TRUE(found);
    EXPECT_EQ(found->name, "n1");
    EXPECT_EQ(found->pairing_port, 99);
    EXPECT_FALSE(found->known);
    EXPECT_EQ(found->heard, Time(seconds(1)));
    EXPECT_EQ(hosts(directory, 1), Hosts{"10.0.0.2"});

    directory.expire(seconds(6));
    EXPECT_TRUE(directory.find(node(1), lan()));
    directory.expire(seconds(8));
    EXPECT_FALSE(directory.find(node(1), lan()));
    EXPECT_EQ(directory.strangers(), 0U);
}

TEST(Directory, AKnownPeerStaysWithoutAWord)
{
    Directory directory;
    directory.set_known(node(1), true);
    directory.add(node(1), {"10.0.0.2", 7717}, Origin::worked, seconds(1));
    directory.expire(seconds(100'000));
    EXPECT_EQ(hosts(directory, 1), Hosts{"10.0.0.2"});
    EXPECT_FALSE(directory.find(node(1), lan())->heard);
}

TEST(Directory, AFloodOfStrangersIsBoundedAndPushesNobodyOut)
{
    Directory directory;
    directory.set_known(node(1), true);
    directory.saw(sighting(1, "10.0.0.2"), seconds(1));
    for (unsigned i = 0; i < 50'000; ++i) {
        const std::string host = "10." + std::to_string(i % 200) + "." + std::to_string(i / 200 % 200) + ".9";
        directory.saw(sighting(100 + i, host), seconds(1));
        ASSERT_LE(directory.strangers(), Directory::kMostStrangers);
    }
    EXPECT_EQ(directory.all(lan()).size(), Directory::kMostStrangers + 1);
    EXPECT_EQ(hosts(directory, 1), Hosts{"10.0.0.2"});
}

TEST(Directory, OneMachineCannotFillAllPlaces)
{
    Directory directory;
    for (unsigned i = 0; i < 10'000; ++i) {
        directory.saw(sighting(100 + i, "10.0.0.66"), seconds(1));
    }
    EXPECT_EQ(directory.strangers(), Directory::kMostStrangersOfOneAddress);
    directory.saw(sighting(1, "10.0.0.2"), seconds(1));
    EXPECT_TRUE(directory.find(node(1), lan())) << "another machine still comes in";
    directory.expire(seconds(100));
    directory.saw(sighting(2, "10.0.0.66"), seconds(100));
    EXPECT_TRUE(directory.find(node(2), lan())) << "places are given back";
}

TEST(Directory, ForgedBeaconsOnlyAddPlacesToTry)
{
    Directory directory;
    directory.set_known(node(1), true);
    directory.add(node(1), {"10.0.0.2", 7717}, Origin::worked, seconds(1));
    directory.saw(sighting(1, "10.0.0.3"), seconds(1));
    for (unsigned i = 0; i < 1000; ++i) {
        directory.saw(sighting(1, "10.0.0." + std::to_string(50 + i % 150), static_cast<std::uint16_t>(1 + i)),
                      seconds(2));
    }
    const auto candidates = directory.candidates(node(1), lan());
    EXPECT_EQ(candidates.size(), 1 + Directory::kMostBeaconCandidates);
    EXPECT_EQ(candidates.front().address.host, "10.0.0.2") << "the one that worked comes first";
    EXPECT_EQ(hosts(directory, 1).at(1), "10.0.0.50");
    EXPECT_TRUE(std::any_of(candidates.begin(), candidates.end(),
                            [](const Candidate& one) { return one.address.host == "10.0.0.3"; }));
}

TEST(Directory, PlacesOfBeaconsAgeAndOthersDoNot)
{
    Directory directory;
    directory.set_known(node(1), true);
    directory.add(node(1), {"10.0.0.9", 7717}, Origin::told, seconds(1));
    directory.saw(sighting(1, "10.0.0.2"), seconds(1));
    directory.saw(sighting(1, "10.0.0.3"), seconds(20));
    directory.expire(seconds(40));
    EXPECT_EQ(hosts(directory, 1), (Hosts{"10.0.0.9", "10.0.0.3"}));
}

TEST(Directory, WhatWasTypedComesFirstThenTheBestWay)
{
    Directory directory;
    directory.set_known(node(1), true);
    directory.saw(sighting(1, "10.0.0.2"), seconds(1));
    directory.add(node(1), {"203.0.113.5", 7717}, Origin::worked, seconds(1));
    directory.add(node(1), {"10.0.0.4", 7717}, Origin::told, seconds(1));
    EXPECT_EQ(hosts(directory, 1), (Hosts{"10.0.0.4", "10.0.0.2", "203.0.113.5"}));
    directory.add(node(1), {"198.51.100.1", 7717}, Origin::typed, seconds(1));
    EXPECT_EQ(hosts(directory, 1).front(), "198.51.100.1");
    directory.remove(node(1), {"198.51.100.1", 7717});
    EXPECT_EQ(hosts(directory, 1).size(), 3U);
}

TEST(Directory, PlacesToldByPeersAreBoundedAndATypedOneStays)
{
    Directory directory;
    directory.set_known(node(1), true);
    directory.add(node(1), {"10.0.0.200", 7717}, Origin::typed, seconds(0));
    directory.saw(sighting(1, "10.0.0.2"), seconds(1));
    for (unsigned i = 1; i < 200; ++i) {
        directory.add(node(1), {"10.0.1." + std::to_string(i), 7717}, Origin::told, seconds(i));
    }
    const auto candidates = hosts(directory, 1);
    EXPECT_EQ(candidates.size(), Directory::kMostOtherCandidates + 1);
    EXPECT_EQ(candidates.front(), "10.0.0.200");
    EXPECT_NE(std::find(candidates.begin(), candidates.end(), "10.0.0.2"), candidates.end());
    EXPECT_NE(std::find(candidates.begin(), candidates.end(), "10.0.1.199"), candidates.end()) << "the newest came in";
}

TEST(Directory, AStrangersAddressesAreOnlyThoseThatWereHeard)
{
    Directory directory;
    directory.saw(sighting(1, "10.0.0.2"), seconds(1));
    directory.add(node(1), {"10.0.0.9", 7717}, Origin::told, seconds(1));
    EXPECT_EQ(hosts(directory, 1), Hosts{"10.0.0.2"});
}

TEST(Directory, PairingAndRevokingMoveANodeBetweenTheTwo)
{
    Directory directory;
    directory.saw(sighting(1, "10.0.0.2"), seconds(1));
    EXPECT_EQ(directory.strangers(), 1U);
    directory.set_known(node(1), true);
    EXPECT_EQ(directory.strangers(), 0U);
    directory.add(node(1), {"10.0.0.9", 7717}, Origin::worked, seconds(1));
    directory.set_known(node(1), false);
    EXPECT_EQ(directory.strangers(), 1U);
    EXPECT_EQ(hosts(directory, 1), Hosts{"10.0.0.2"});
    directory.expire(seconds(100));
    EXPECT_EQ(directory.strangers(), 0U);
    directory.set_known(node(2), true);
    directory.set_known(node(2), false);
    EXPECT_FALSE(directory.find(node(2), lan()));
}

TEST(Directory, ANameAndAPairingPortFollowTheBeacon)
{
    Directory directory;
    directory.saw(sighting(1, "10.0.0.2"), seconds(1));
    Sighting later = sighting(1, "10.0.0.2");
    later.beacon.name = "atelier";
    later.beacon.pairing_port = 5;
    later.beacon.incarnation = 9;
    directory.saw(later, seconds(2));
    const auto found = directory.find(node(1), lan());
    EXPECT_EQ(found->name, "atelier");
    EXPECT_EQ(found->pairing_port, 5);
    EXPECT_EQ(found->incarnation, 9U);
    EXPECT_EQ(found->candidates.size(), 1U);
}

} // namespace
} // namespace constela::cluster::discovery
