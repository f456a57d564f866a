// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who is there: Hello, heartbeats, suspicion, loss, return, versions, status.
#include "one_node.h"

namespace constela::cluster {
namespace {

using MembershipTest = OneNode;

TEST_F(MembershipTest, APeerIsAliveOnceItHasSaidHello)
{
    plane.trust(peer(2));
    EXPECT_EQ(state(2), PeerState::paired);
    plane.on_up(id_of(2), address_of(2));
    ASSERT_EQ(sent<Hello>(2).size(), 1U);
    EXPECT_EQ(sent<Hello>(2)[0].name, "here");
    EXPECT_EQ(state(2), PeerState::paired);
    say(2, hello(2));
    EXPECT_EQ(state(2), PeerState::alive);
    ASSERT_EQ(done<action::NodeJoined>().size(), 1U);
    EXPECT_TRUE(done<action::NodeJoined>()[0].fresh);
    EXPECT_EQ(see(2)->version, "0.1.0");
    EXPECT_EQ(see(2)->ports.data, 7001);
    EXPECT_EQ(see(2)->address, address_of(2));
}

TEST_F(MembershipTest, NothingIsActedOnBeforeHello)
{
    plane.trust(peer(2));
    plane.on_up(id_of(2));
    forget();
    say(2, Heartbeat{kRun, 1});
    say(2, StageRelease{2U << 8U});
    say(2, Command{1, "nodes", "{}"});
    say(2, Introduction{key_of(3), "third", {}, true});
    EXPECT_TRUE(done<action::Send>().empty());
    EXPECT_TRUE(done<action::Deliver>().empty());
    EXPECT_TRUE(done<action::AddTrust>().empty());
}

TEST_F(MembershipTest, StrangersAndThoseWithoutASessionAreNotHeard)
{
    say(9, hello(9));
    say(9, Command{1, "nodes", "{}"});
    plane.trust(peer(2));
    say(2, hello(2));
    say(2, Command{1, "nodes", "{}"});
    plane.on_up(id_of(9));
    EXPECT_TRUE(done<action::Send>().empty());
    EXPECT_TRUE(done<action::Deliver>().empty());
    ASSERT_EQ(done<action::Disconnect>().size(), 1U);
    EXPECT_EQ(done<action::Disconnect>()[0].peer, id_of(9));
    EXPECT_EQ(state(2), PeerState::paired);
}

TEST_F(MembershipTest, CommandsGoToTheOwner)
{
    join(2);
    say(2, Command{1, "nodes", "{}"});
    say(2, CommandReply{1, CommandReply::Kind::result, "{}", {}});
    ASSERT_EQ(done<action::Deliver>().size(), 2U);
    EXPECT_EQ(done<action::Deliver>()[0].from, id_of(2));
}

TEST_F(MembershipTest, HeartbeatsAreSentAnsweredAndTimed)
{
    join(2);
    forget();
    pass(3s, {2});
    EXPECT_GE(sent<Heartbeat>(2).size(), 6U);
    EXPECT_EQ(state(2), PeerState::alive);
    say(2, Heartbeat{kRun, 41});
    ASSERT_EQ(sent<HeartbeatReply>(2).size(), 1U);
    EXPECT_EQ(sent<HeartbeatReply>(2)[0].number, 41U);

    forget();
    pass(500ms);
    const auto beats = sent<Heartbeat>(2);
    ASSERT_FALSE(beats.empty());
    clock.time += 8ms;
    const Time before = see(2)->round_trip.value();
    say(2, HeartbeatReply{kRun, beats.back().number});
    EXPECT_GT(see(2)->round_trip.value(), before);
    say(2, HeartbeatReply{kRun, 999}); // never sent
    EXPECT_LT(see(2)->round_trip.value(), 1s);
}

TEST_F(MembershipTest, SilenceIsSuspectThenLostWithinThreeSeconds)
{
    join(2);
    pass(1499ms);
    EXPECT_EQ(state(2), PeerState::alive);
    pass(2ms);
    EXPECT_EQ(state(2), PeerState::suspect);
    EXPECT_TRUE(done<action::NodeLost>().empty());
    pass(1499ms);
    EXPECT_EQ(state(2), PeerState::lost);
    ASSERT_EQ(done<action::NodeLost>().size(), 1U);
    EXPECT_NE(done<action::NodeLost>()[0].reason.text().find("peer2 was lost"), std::string::npos);
    EXPECT_EQ(done<action::Disconnect>().size(), 1U);
}

TEST_F(MembershipTest, AnyMessageIsASignOfLife)
{
    join(2);
    for (int step = 0; step < 10; ++step) {
        pass(1400ms);
        say(2, Withdrawal{id_of(40)});
    }
    EXPECT_EQ(state(2), PeerState::alive);
    EXPECT_TRUE(done<action::NodeLost>().empty());
}

TEST_F(MembershipTest, AClosedSocketIsSuspectAtOnceAndLostSoon)
{
    join(2);
    pass(1s, {2});
    plane.on_down(id_of(2));
    EXPECT_EQ(state(2), PeerState::suspect);
    pass(299ms);
    EXPECT_EQ(state(2), PeerState::suspect);
    pass(2ms);
    EXPECT_EQ(state(2), PeerState::lost);
    EXPECT_EQ(done<action::NodeLost>().size(), 1U);
}

TEST_F(MembershipTest, TheSameRunBackInTimeIsNoLoss)
{
    join(2);
    plane.on_down(id_of(2));
    pass(200ms);
    plane.on_up(id_of(2));
    pass(200ms);
    say(2, hello(2));
    EXPECT_EQ(state(2), PeerState::alive);
    EXPECT_TRUE(done<action::NodeLost>().empty());
    EXPECT_EQ(done<action::NodeJoined>().size(), 1U);
}

TEST_F(MembershipTest, AnotherRunIsALossAndAReturn)
{
    join(2);
    plane.on_down(id_of(2));
    pass(100ms);
    plane.on_up(id_of(2));
    say(2, hello(2, kRun + 1));
    EXPECT_EQ(state(2), PeerState::alive);
    ASSERT_EQ(done<action::NodeLost>().size(), 1U);
    EXPECT_NE(done<action::NodeLost>()[0].reason.text().find("started anew"), std::string::npos);
    ASSERT_EQ(done<action::NodeJoined>().size(), 2U);
    EXPECT_TRUE(done<action::NodeJoined>()[1].fresh);
}

TEST_F(MembershipTest, AHeartbeatOfAnotherRunWaitsForItsHello)
{
    join(2);
    forget();
    say(2, Heartbeat{kRun + 1, 1});
    EXPECT_TRUE(sent<HeartbeatReply>(2).empty());
    EXPECT_EQ(sent<Hello>(2).size(), 1U);
    say(2, Command{1, "nodes", "{}"});
    EXPECT_TRUE(done<action::Deliver>().empty());
    say(2, hello(2, kRun + 1));
    EXPECT_EQ(done<action::NodeLost>().size(), 1U);
    EXPECT_EQ(state(2), PeerState::alive);
}

TEST_F(MembershipTest, ASecondSessionBeginsWithHelloAgain)
{
    join(2);
    pass(2s, {2});
    forget();
    plane.on_up(id_of(2));
    EXPECT_EQ(sent<Hello>(2).size(), 1U);
    say(2, Command{1, "nodes", "{}"});
    EXPECT_TRUE(done<action::Deliver>().empty());
    say(2, hello(2));
    say(2, Command{1, "nodes", "{}"});
    EXPECT_EQ(done<action::Deliver>().size(), 1U);
    EXPECT_TRUE(done<action::NodeLost>().empty());
}

TEST_F(MembershipTest, AHelloThatAsksAgainIsAnsweredButNotForEver)
{
    join(2);
    pass(2s, {2});
    forget();
    say(2, hello(2));
    EXPECT_EQ(sent<Hello>(2).size(), 1U);
    say(2, hello(2));
    EXPECT_EQ(sent<Hello>(2).size(), 1U);
}

TEST_F(MembershipTest, GoodbyeIsALossAtOnce)
{
    join(2);
    say(2, Goodbye{});
    EXPECT_EQ(state(2), PeerState::lost);
    ASSERT_EQ(done<action::NodeLost>().size(), 1U);
    EXPECT_NE(done<action::NodeLost>()[0].reason.text().find("closed on peer2"), std::string::npos);
}

TEST_F(MembershipTest, ANodeThatWasFrozenItselfJudgesNobody)
{
    join(2);
    join(3);
    pass(1s, {2, 3});
    clock.time += 60s; // nothing ran
    plane.on_tick();
    EXPECT_EQ(state(2), PeerState::alive);
    EXPECT_TRUE(done<action::NodeLost>().empty());
    pass(1400ms, {2});
    EXPECT_EQ(state(2), PeerState::alive);
    pass(1600ms, {2});
    EXPECT_EQ(state(2), PeerState::alive);
    EXPECT_EQ(state(3), PeerState::lost) << "fresh time is not endless";
}

TEST_F(MembershipTest, AClockADayAheadDoesNoHarm)
{
    join(2);
    pass(1s, {2});
    clock.time += 24h;
    say(2, Heartbeat{kRun, 1});
    pass(5s, {2});
    EXPECT_EQ(state(2), PeerState::alive);
    EXPECT_TRUE(done<action::NodeLost>().empty());
}

TEST_F(MembershipTest, AnotherProtocolIsRefusedInWords)
{
    plane.trust(peer(2));
    plane.on_up(id_of(2));
    Hello newer = hello(2);
    newer.protocol = kProtocol + 1;
    newer.version = "0.2.0";
    say(2, newer);
    EXPECT_EQ(state(2), PeerState::incompatible);
    ASSERT_EQ(sent<Refusal>(2).size(), 1U);
    const std::string text = sent<Refusal>(2)[0].reason.text();
    EXPECT_NE(text.find("0.1.0"), std::string::npos) << text;
    EXPECT_NE(text.find("0.2.0"), std::string::npos) << text;
    EXPECT_NE(text.find("Update Constela on here"), std::string::npos) << text;
    EXPECT_EQ(done<action::Disconnect>().size(), 1U);
    say(2, Command{1, "nodes", "{}"});
    EXPECT_TRUE(done<action::Deliver>().empty());

    forget();
    pass(9s);
    EXPECT_TRUE(done<action::Connect>().empty());
    pass(2s);
    EXPECT_FALSE(done<action::Connect>().empty()) << "it may have been updated";
    plane.on_up(id_of(2));
    say(2, hello(2));
    EXPECT_EQ(state(2), PeerState::alive);
}

TEST_F(MembershipTest, AnOlderPeerIsToldToUpdate)
{
    join(2);
    say(2, Refusal{kProtocol + 1, "0.2.0", Error{"{} is too old: {.prec", {"here"}, {}}});
    EXPECT_EQ(state(2), PeerState::incompatible);
    EXPECT_EQ(see(2)->reason->text(), "{} is too old: {.prec") << "what others wrote must not be able to throw";
    EXPECT_EQ(done<action::NodeLost>().size(), 1U);
}

TEST_F(MembershipTest, ASessionWithoutHelloIsGivenUp)
{
    plane.trust(peer(2));
    plane.on_up(id_of(2));
    pass(2900ms);
    EXPECT_TRUE(done<action::Disconnect>().empty());
    EXPECT_GE(sent<Hello>(2).size(), 5U) << "ours may have been lost";
    pass(200ms);
    EXPECT_EQ(done<action::Disconnect>().size(), 1U);
}

TEST_F(MembershipTest, LostNodesAreTriedAgainWithAGrowingPause)
{
    join(2);
    pass(3s);
    forget();
    pass(60s);
    const auto tries = done<action::Connect>();
    EXPECT_GE(tries.size(), 30U);
    EXPECT_LE(tries.size(), 40U);
    EXPECT_EQ(tries[0].key, key_of(2));
    EXPECT_EQ(tries[0].address, address_of(2));
}

TEST_F(MembershipTest, AnAddressThatWorkedIsRemembered)
{
    plane.trust(peer(2));
    const Address other{"10.1.1.2", 7000};
    plane.on_hint(id_of(2), other);
    pass(1s);
    EXPECT_TRUE(std::ranges::any_of(done<action::Connect>(), [&](const auto& it) { return it.address == other; }));
    plane.on_up(id_of(2), other);
    say(2, hello(2));
    ASSERT_EQ(done<action::RememberAddress>().size(), 1U);
    EXPECT_EQ(done<action::RememberAddress>()[0].address, other);
    EXPECT_EQ(see(2)->addresses.front(), other);
}

TEST_F(MembershipTest, HintsAboutStrangersLeadNowhere)
{
    for (unsigned number = 0; number < 10000; ++number) {
        plane.on_hint(id_of(9), {"10.0.0.1", static_cast<std::uint16_t>(number + 1)});
    }
    pass(10s);
    EXPECT_TRUE(done<action::Connect>().empty());
    EXPECT_TRUE(plane.view().peers.empty());
}

TEST_F(MembershipTest, StatusGoesOutOnChangeAndEverySecond)
{
    join(2);
    Status status;
    status.devices.resize(2);
    plane.set_status(status);
    forget();
    pass(50ms, {2});
    ASSERT_EQ(sent<Status>(2).size(), 1U);
    EXPECT_EQ(sent<Status>(2)[0].devices.size(), 2U);
    EXPECT_EQ(sent<Status>(2)[0].model_state, "none");
    pass(3s, {2});
    EXPECT_EQ(sent<Status>(2).size(), 4U);
    forget();
    join(3);
    EXPECT_EQ(sent<Status>(3).size(), 1U) << "a new one is told at once";
}

TEST_F(MembershipTest, AnOlderStatusDoesNotReplaceANewerOne)
{
    join(2);
    Status status;
    status.revision = 5;
    status.model = "new";
    say(2, status);
    status.revision = 4;
    status.model = "old";
    say(2, status);
    EXPECT_EQ(see(2)->status->model, "new");
}

TEST_F(MembershipTest, GoodbyeIsSaidToAll)
{
    join(2);
    join(3);
    plane.say_goodbye();
    EXPECT_EQ(sent<Goodbye>(2).size(), 1U);
    EXPECT_EQ(sent<Goodbye>(3).size(), 1U);
    EXPECT_EQ(done<action::Disconnect>().size(), 2U);
    forget();
    pass(5s);
    EXPECT_TRUE(done<action::Connect>().empty());
}

} // namespace
} // namespace constela::cluster
