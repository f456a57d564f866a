// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who is told of whom, and whose word is taken.
#include "one_node.h"

namespace constela::cluster {
namespace {

using IntroductionsTest = OneNode;

Introduction about(unsigned number, bool vouched = true)
{
    return {key_of(number), "peer" + std::to_string(number), {address_of(number)}, vouched};
}

KnownPeer vouched_peer(unsigned number, unsigned by)
{
    return {id_of(number), key_of(number), "peer" + std::to_string(number), {}, {}, id_of(by)};
}

TEST_F(IntroductionsTest, ThoseWhoArePairedHereAreVouchedFor)
{
    plane.trust(peer(3));
    join(2);
    ASSERT_FALSE(sent<Introduction>(2).empty());
    EXPECT_EQ(sent<Introduction>(2)[0].key, key_of(3));
    EXPECT_TRUE(sent<Introduction>(2)[0].vouched);
    EXPECT_EQ(sent<Introduction>(2)[0].addresses.at(0), address_of(3));
}

TEST_F(IntroductionsTest, ThoseWhoWereVouchedForAreOnlyMentioned)
{
    join(3);
    KnownPeer third = vouched_peer(4, 3);
    third.addresses = {address_of(4)};
    plane.trust(third);
    join(2);
    const auto told = sent<Introduction>(2);
    const auto fourth = std::ranges::find(told, key_of(4), &Introduction::key);
    ASSERT_NE(fourth, told.end());
    EXPECT_FALSE(fourth->vouched);
}

TEST_F(IntroductionsTest, AWordIsOfferedToTheOwnerOnce)
{
    join(2);
    say(2, about(3));
    say(2, about(3));
    ASSERT_EQ(done<action::AddTrust>().size(), 1U);
    EXPECT_EQ(done<action::AddTrust>()[0].by, id_of(2));
    EXPECT_EQ(done<action::AddTrust>()[0].introduction.key, key_of(3));
    say(2, about(4, false));
    say(2, Introduction{key_of(1), "myself", {}, true});
    EXPECT_EQ(done<action::AddTrust>().size(), 1U);
}

TEST_F(IntroductionsTest, OnlyThoseWhoArePairedHereMayVouch)
{
    join(2);
    plane.trust(vouched_peer(3, 2));
    plane.on_up(id_of(3));
    say(3, hello(3));
    say(3, about(4));
    EXPECT_TRUE(done<action::AddTrust>().empty());
}

TEST_F(IntroductionsTest, AddressesOfKnownPeersAreTaken)
{
    plane.trust(peer(3));
    join(2);
    Introduction more = about(3, false);
    more.addresses = {{"10.5.5.5", 7000}, {"", 7000}, {"10.5.5.6", 0}, {std::string(1000, '1'), 7000}};
    say(2, more);
    const auto known = see(3)->addresses;
    EXPECT_EQ(known.size(), 2U);
    EXPECT_NE(std::ranges::find(known, Address{"10.5.5.5", 7000}), known.end());
}

TEST_F(IntroductionsTest, AFloodOfStrangersIsBounded)
{
    join(2);
    for (unsigned number = 0; number < 5000; ++number) {
        Introduction flood = about(3);
        flood.key.bytes[1] = std::byte(number);
        flood.key.bytes[2] = std::byte(number >> 8U);
        say(2, flood);
    }
    EXPECT_LE(done<action::AddTrust>().size(), 64U);
}

TEST_F(IntroductionsTest, AWithdrawalEndsATrustThatRestsOnIt)
{
    join(2);
    plane.trust(vouched_peer(3, 2));
    plane.on_up(id_of(3));
    say(3, hello(3));
    forget();
    say(2, Withdrawal{id_of(3)});
    EXPECT_EQ(done<action::DropTrust>().size(), 1U);
    EXPECT_EQ(done<action::Disconnect>().size(), 1U);
    EXPECT_FALSE(see(3));
}

TEST_F(IntroductionsTest, AWithdrawalEndsNoOtherTrust)
{
    join(2);
    join(3);
    plane.trust(vouched_peer(4, 3));
    forget();
    say(2, Withdrawal{id_of(3)});
    say(2, Withdrawal{id_of(4)});
    EXPECT_TRUE(done<action::DropTrust>().empty());
    EXPECT_TRUE(see(3));
    EXPECT_TRUE(see(4));
}

TEST_F(IntroductionsTest, PairingBeatsVouching)
{
    join(2);
    plane.trust(vouched_peer(3, 2));
    plane.trust(peer(3));
    plane.trust(vouched_peer(3, 2));
    EXPECT_FALSE(see(3)->vouched_by);
    say(2, Withdrawal{id_of(3)});
    EXPECT_TRUE(see(3));
}

TEST_F(IntroductionsTest, TheWordOfASecondOneHolds)
{
    join(2);
    join(3);
    plane.trust(vouched_peer(4, 2));
    say(3, about(4));
    forget();
    say(2, Withdrawal{id_of(4)});
    EXPECT_TRUE(done<action::DropTrust>().empty());
    ASSERT_EQ(done<action::AddTrust>().size(), 1U);
    EXPECT_EQ(done<action::AddTrust>()[0].by, id_of(3));
    EXPECT_EQ(see(4)->vouched_by, id_of(3));
}

TEST_F(IntroductionsTest, RevokingCutsAtOnceTellsOthersAndLasts)
{
    join(2);
    join(3);
    plane.trust(vouched_peer(4, 3));
    forget();
    plane.revoke(id_of(3));
    EXPECT_FALSE(see(3));
    EXPECT_FALSE(see(4)) << "only the revoked one vouched for it";
    ASSERT_EQ(done<action::Disconnect>().size(), 1U);
    EXPECT_EQ(done<action::Disconnect>()[0].peer, id_of(3));
    ASSERT_EQ(done<action::DropTrust>().size(), 1U);
    EXPECT_EQ(done<action::DropTrust>()[0].peer, id_of(4));
    ASSERT_EQ(sent<Withdrawal>(2).size(), 1U);

    say(3, hello(3)); // what was still in a buffer
    say(2, about(3));
    EXPECT_TRUE(done<action::AddTrust>().empty()) << "nobody's word brings it back";
    plane.trust(vouched_peer(3, 2));
    EXPECT_FALSE(see(3));
    plane.trust(peer(3));
    EXPECT_TRUE(see(3)) << "pairing does";
}

TEST_F(IntroductionsTest, WhoWasRemovedBeforeIsToldToThoseWhoJoin)
{
    ControlPlane later({id_of(1), key_of(1), "here", "0.1.0", {}, {}, {id_of(7)}}, clock, chance);
    later.trust(peer(2));
    later.on_up(id_of(2));
    later.on_message(id_of(2), hello(2));
    bool told = false;
    for (const Action& action : later.take_actions()) {
        const auto* send = std::get_if<action::Send>(&action);
        const auto* withdrawal = send == nullptr ? nullptr : std::get_if<Withdrawal>(&send->message);
        told = told || (withdrawal != nullptr && withdrawal->node == id_of(7));
    }
    EXPECT_TRUE(told);
}

TEST_F(IntroductionsTest, AWordThatIsNotSaidAgainRunsOut)
{
    join(2);
    plane.trust(vouched_peer(3, 2));
    for (int round = 0; round < 10; ++round) {
        pass(9s, {2});
        say(2, about(3));
    }
    EXPECT_TRUE(see(3));
    pass(50s, {2});
    EXPECT_FALSE(see(3));
    EXPECT_EQ(done<action::DropTrust>().size(), 1U);
}

TEST_F(IntroductionsTest, AWordHoldsWhileTheOneWhoGaveItIsAway)
{
    join(2);
    plane.trust(vouched_peer(3, 2));
    pass(1h);
    EXPECT_TRUE(see(3));
}

} // namespace
} // namespace constela::cluster
