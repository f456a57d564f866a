// SPDX-License-Identifier: GPL-3.0-or-later
//
// The side that is asked, by more than one.
#include "engine/cluster/pairing/pairing_responder.h"
#include "tests/engine/cluster/pairing/pairing_fixture.h"

#include <gtest/gtest.h>

namespace constela::cluster {
namespace {

using State = PairingExchange::State;
using test::PairingNode;

class Responder : public testing::Test {
protected:
    [[nodiscard]] PairingExchange asker() { return {PairingExchange::Role::initiator, ana_.self, ana_.surroundings}; }
    [[nodiscard]] static PairingReason reason(const PairingResponder::Answer& answer)
    {
        const auto parsed = parse_pairing(answer && answer->bytes ? *answer->bytes : PairingBytes{});
        const auto* message = std::get_if<PairingMessage>(&parsed);
        return message != nullptr ? message->reason : PairingReason::none;
    }
    /// Up to the digits, at `route`.
    void introduce(PairingExchange& asker, const std::string& route)
    {
        const auto reply = responder_.on_message(route, *asker.begin());
        ASSERT_TRUE(reply && reply->bytes);
        EXPECT_EQ(reply->route, route);
        EXPECT_FALSE(reply->close);
        EXPECT_FALSE(responder_.on_message(route, *asker.on_message(*reply->bytes)));
        ASSERT_EQ(responder_.exchange()->state(), State::comparing);
    }

    test::HandClock clock_;
    test::SeededChance chance_{11};
    PairingNode ana_{"ana", clock_, chance_};
    PairingNode rui_{"rui", clock_, chance_};
    PairingResponder responder_{rui_.self, rui_.surroundings};
};

TEST_F(Responder, AnswersNothingUnlessAPersonHasOpenedIt)
{
    auto ana = asker();
    const PairingBytes commit = *ana.begin();
    EXPECT_FALSE(responder_.on_message("a", commit));
    EXPECT_EQ(responder_.exchange(), nullptr);
    responder_.start();
    EXPECT_TRUE(responder_.on_message("a", commit));
    const auto last = responder_.stop();
    EXPECT_EQ(reason(last), PairingReason::cancelled);
    EXPECT_TRUE(last->close);
    EXPECT_FALSE(responder_.on_message("b", commit));
    EXPECT_FALSE(responder_.stop());
}

TEST_F(Responder, PairsWithOneAndThenWithNobodyElse)
{
    responder_.start();
    auto ana = asker();
    introduce(ana, "a");
    auto other = asker();
    EXPECT_EQ(reason(responder_.on_message("b", *other.begin())), PairingReason::busy);

    EXPECT_FALSE(responder_.on_message("a", *ana.confirm(true)));
    const auto confirmation = responder_.confirm(true);
    ASSERT_TRUE(confirmation && confirmation->bytes);
    EXPECT_EQ(confirmation->route, "a");
    EXPECT_FALSE(ana.on_message(*confirmation->bytes));
    EXPECT_TRUE(ana.paired());
    ASSERT_TRUE(responder_.exchange()->paired());
    EXPECT_EQ(responder_.exchange()->paired()->key, ana_.self.keys.public_key);

    responder_.on_closed("a");
    EXPECT_EQ(reason(responder_.on_message("b", *asker().begin())), PairingReason::busy);
    EXPECT_TRUE(responder_.exchange()->paired()) << "nobody pushes out what was just paired";
    responder_.start();
    EXPECT_EQ(responder_.exchange(), nullptr);
    EXPECT_TRUE(responder_.on_message("b", *asker().begin()));
}

TEST_F(Responder, OthersCannotDisturbAnExchange)
{
    responder_.start();
    auto ana = asker();
    introduce(ana, "a");
    const auto digits = responder_.exchange()->digits();
    test::SeededChance chance(3);
    for (int i = 0; i < 1000; ++i) {
        PairingBytes noise = i % 2 == 0 ? refusal(PairingReason::cancelled) : PairingBytes{};
        chance.fill(std::span(noise).subspan(chance.below(kPairingBytes)));
        (void)responder_.on_message("b", noise);
        responder_.on_closed("b");
    }
    EXPECT_EQ(responder_.exchange()->state(), State::comparing);
    EXPECT_EQ(responder_.exchange()->digits(), digits);
    EXPECT_EQ(rui_.tries.locked_for(), Time::zero());
}

TEST_F(Responder, TakesTheNextAfterAFailure)
{
    responder_.start();
    auto ana = asker();
    introduce(ana, "a");
    responder_.on_closed("a");
    EXPECT_EQ(responder_.exchange()->state(), State::failed);
    auto other = asker();
    introduce(other, "b");
}

TEST_F(Responder, RefusesWhileLocked)
{
    responder_.start();
    for (int i = 0; i < PairingTries::kMost; ++i) {
        auto ana = asker();
        introduce(ana, "a");
        EXPECT_EQ(reason(responder_.confirm(false)), PairingReason::digits_differ);
    }
    EXPECT_EQ(reason(responder_.on_message("a", *asker().begin())), PairingReason::locked);
    EXPECT_EQ(reason(responder_.on_message("b", *asker().begin())), PairingReason::locked);
    clock_.pass(PairingTries::kLockFor);
    auto ana = asker();
    introduce(ana, "a");
}

TEST_F(Responder, ThrowsOutWhatDoesNotBeginAPairing)
{
    responder_.start();
    const auto refused = responder_.on_message("a", refusal(PairingReason::busy));
    ASSERT_TRUE(refused);
    EXPECT_TRUE(refused->close);
    EXPECT_FALSE(refused->bytes);
    EXPECT_TRUE(responder_.on_message("a", {})->close);
    EXPECT_EQ(responder_.exchange(), nullptr);
    EXPECT_EQ(rui_.tries.locked_for(), Time::zero()) << "noise locks nobody out";

    PairingBytes newer = *asker().begin();
    newer[4] = std::byte{2};
    const auto version = responder_.on_message("a", newer);
    EXPECT_EQ(reason(version), PairingReason::other_version);
    EXPECT_TRUE(version->close);
    EXPECT_NE(responder_.exchange()->error().text().find("version 2"), std::string::npos);
}

TEST_F(Responder, LetsGoOfWhoNoLongerAnswers)
{
    responder_.start();
    (void)responder_.on_message("a", *asker().begin());
    clock_.pass(std::chrono::seconds(10));
    const auto late = responder_.tick();
    EXPECT_EQ(reason(late), PairingReason::too_late);
    EXPECT_TRUE(late->close);
    auto other = asker();
    introduce(other, "b");
}

} // namespace
} // namespace constela::cluster
