// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two nodes that pair, and everything that may come between.
#include "tests/engine/cluster/pairing/pairing_fixture.h"

#include <gtest/gtest.h>

namespace constela::cluster {
namespace {

using State = PairingExchange::State;
using test::PairingNode;

class Exchange : public testing::Test {
protected:
    void again()
    {
        initiator_.emplace(PairingExchange::Role::initiator, ana_.self, ana_.surroundings);
        responder_.emplace(PairingExchange::Role::responder, rui_.self, rui_.surroundings);
    }
    /// Up to the digits.
    void introduce()
    {
        again();
        const auto commit = initiator_->begin();
        ASSERT_TRUE(commit) << commit.error().text();
        reply_ = responder_->on_message(*commit);
        ASSERT_TRUE(reply_);
        open_ = initiator_->on_message(*reply_);
        ASSERT_TRUE(open_);
        EXPECT_FALSE(responder_->on_message(*open_));
        ASSERT_EQ(initiator_->state(), State::comparing);
        ASSERT_EQ(responder_->state(), State::comparing);
    }
    [[nodiscard]] static PairingReason reason(const PairingExchange::Answer& answer)
    {
        if (!answer) {
            return PairingReason::none;
        }
        const auto parsed = parse_pairing(*answer);
        const auto* message = std::get_if<PairingMessage>(&parsed);
        return message != nullptr ? message->reason : PairingReason::none;
    }

    test::HandClock clock_;
    test::SeededChance chance_{7};
    PairingNode ana_{"ana's studio", clock_, chance_};
    PairingNode rui_{"rui", clock_, chance_};
    std::optional<PairingExchange> initiator_;
    std::optional<PairingExchange> responder_;
    PairingExchange::Answer reply_;
    PairingExchange::Answer open_;
};

TEST_F(Exchange, ShowsBothTheSameDigits)
{
    std::string before;
    for (int i = 0; i < 20; ++i) {
        introduce();
        EXPECT_EQ(initiator_->digits(), responder_->digits());
        EXPECT_EQ(initiator_->digits()->size(), 6U);
        EXPECT_EQ(initiator_->digits()->find_first_not_of("0123456789"), std::string::npos);
        EXPECT_NE(initiator_->digits(), before) << "the same for every try";
        before = *initiator_->digits();
        EXPECT_EQ(initiator_->claimed_name(), "rui");
        EXPECT_EQ(responder_->claimed_name(), "ana's studio");
        clock_.pass(PairingTries::kLockFor);
    }
}

TEST_F(Exchange, EndsInAPairingOnceBothHaveConfirmed)
{
    for (const bool initiator_first : {true, false}) {
        introduce();
        PairingExchange& first = initiator_first ? *initiator_ : *responder_;
        PairingExchange& second = initiator_first ? *responder_ : *initiator_;
        const auto from_first = first.confirm(true);
        ASSERT_TRUE(from_first);
        EXPECT_EQ(first.state(), State::confirmed);
        EXPECT_FALSE(second.on_message(*from_first));
        EXPECT_EQ(second.state(), State::comparing) << "its own person has yet to look";
        EXPECT_FALSE(first.paired());
        EXPECT_FALSE(second.paired());
        const auto from_second = second.confirm(true);
        ASSERT_TRUE(from_second);
        EXPECT_EQ(second.state(), State::paired);
        EXPECT_FALSE(first.on_message(*from_second));
        ASSERT_EQ(first.state(), State::paired);

        EXPECT_EQ(initiator_->paired()->key, rui_.self.keys.public_key);
        EXPECT_EQ(initiator_->paired()->name, "rui");
        EXPECT_EQ(initiator_->paired()->control_port, 7210);
        EXPECT_EQ(responder_->paired()->key, ana_.self.keys.public_key);
        EXPECT_EQ(responder_->paired()->name, "ana's studio");
        first.on_closed();
        EXPECT_FALSE(second.cancel());
        EXPECT_TRUE(first.paired() && second.paired()) << "what happens later changes nothing";
    }
}

TEST_F(Exchange, BothMayConfirmAtOnce)
{
    introduce();
    const auto a = initiator_->confirm(true);
    const auto b = responder_->confirm(true);
    EXPECT_FALSE(initiator_->on_message(*b));
    EXPECT_FALSE(responder_->on_message(*a));
    EXPECT_TRUE(initiator_->paired() && responder_->paired());
}

TEST_F(Exchange, EndsForBothWhenDigitsAreDenied)
{
    introduce();
    const auto confirmed = initiator_->confirm(true);
    EXPECT_FALSE(responder_->on_message(*confirmed));
    const auto denied = responder_->confirm(false);
    EXPECT_EQ(reason(denied), PairingReason::digits_differ);
    EXPECT_EQ(responder_->state(), State::failed);
    EXPECT_FALSE(initiator_->on_message(*denied));
    EXPECT_EQ(initiator_->state(), State::failed);
    EXPECT_NE(initiator_->error().text().find("digits differ"), std::string::npos);
    EXPECT_FALSE(responder_->confirm(true)) << "too late to think again";
    EXPECT_FALSE(responder_->paired());
}

TEST_F(Exchange, CannotBeConfirmedBeforeThereAreDigits)
{
    again();
    EXPECT_FALSE(initiator_->confirm(true));
    EXPECT_FALSE(responder_->confirm(true));
    const auto commit = initiator_->begin();
    (void)responder_->on_message(*commit);
    EXPECT_FALSE(responder_->confirm(true));
    EXPECT_EQ(responder_->state(), State::waiting);
    EXPECT_FALSE(responder_->digits());
}

TEST_F(Exchange, IsBoundByTheCommitment)
{
    // Every single bit of what was committed to: key, nonce, port, name.
    for (std::size_t bit = 8 * 8; bit < 8 * kPairingBytes; ++bit) {
        again();
        const auto commit = initiator_->begin();
        open_ = initiator_->on_message(*responder_->on_message(*commit));
        PairingBytes changed = *open_;
        changed[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
        EXPECT_EQ(reason(responder_->on_message(changed)), PairingReason::mismatch);
        EXPECT_EQ(responder_->state(), State::failed) << bit;
        clock_.pass(PairingTries::kLockFor);
    }
}

TEST_F(Exchange, EveryChangeOnTheWayShowsInTheDigits)
{
    // The reply is bound by nothing but the digits (and the confirmation).
    int equal = 0;
    for (std::size_t bit = 8 * 8; bit < 8 * 74; ++bit) {
        clock_.pass(PairingTries::kLockFor);
        again();
        const auto commit = initiator_->begin();
        PairingBytes reply = *responder_->on_message(*commit);
        reply[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
        open_ = initiator_->on_message(reply);
        if (!open_ || initiator_->state() == State::failed) {
            continue; // the port became 0
        }
        EXPECT_FALSE(responder_->on_message(*open_));
        ASSERT_TRUE(initiator_->digits() && responder_->digits());
        equal += initiator_->digits() == responder_->digits() ? 1 : 0;
        // Even if both persons said yes, the confirmations would not fit.
        EXPECT_EQ(reason(responder_->on_message(*initiator_->confirm(true))), PairingReason::mismatch);
        EXPECT_EQ(responder_->state(), State::failed);
    }
    EXPECT_EQ(equal, 0) << "by chance one in a million";
}

TEST_F(Exchange, RefusesConfirmationsThatAreNotTheOthers)
{
    for (int kind = 0; kind < 4; ++kind) {
        introduce();
        PairingBytes confirmation = *initiator_->confirm(true);
        switch (kind) {
        case 0: confirmation[8] ^= std::byte{1}; break;
        case 1: confirmation[39] ^= std::byte{0x80}; break;
        case 2: std::fill(confirmation.begin() + 8, confirmation.begin() + 40, std::byte{}); break;
        default: confirmation = *responder_->confirm(true); // its own, thrown back
        }
        EXPECT_EQ(reason(responder_->on_message(confirmation)), PairingReason::mismatch) << kind;
        EXPECT_EQ(responder_->state(), State::failed);
        EXPECT_FALSE(responder_->paired());
        EXPECT_FALSE(responder_->confirm(true));
        clock_.pass(PairingTries::kLockFor);
    }
}

TEST_F(Exchange, OnlyWhoHoldsTheKeyThatItShowsCanConfirm)
{
    // Mallory shows Ana's public key, which is no secret, and everything else fits.
    PairingSelf mallory = ana_.self;
    mallory.keys.secret_key = make_key_pair(chance_).secret_key;
    initiator_.emplace(PairingExchange::Role::initiator, mallory, ana_.surroundings);
    responder_.emplace(PairingExchange::Role::responder, rui_.self, rui_.surroundings);
    const auto open = initiator_->on_message(*responder_->on_message(*initiator_->begin()));
    EXPECT_FALSE(responder_->on_message(*open));
    ASSERT_EQ(initiator_->digits(), responder_->digits());
    ASSERT_TRUE(responder_->confirm(true));
    EXPECT_EQ(reason(responder_->on_message(*initiator_->confirm(true))), PairingReason::mismatch);
    EXPECT_FALSE(responder_->paired());
}

TEST_F(Exchange, CannotBeReplayed)
{
    introduce();
    const auto old_confirmation = initiator_->confirm(true);
    EXPECT_FALSE(responder_->on_message(*old_confirmation));
    ASSERT_TRUE(responder_->confirm(true));
    ASSERT_TRUE(responder_->paired());

    // The same words of the initiator to a new exchange of the responder.
    PairingExchange later(PairingExchange::Role::responder, rui_.self, rui_.surroundings);
    again();
    const auto commit = initiator_->begin();
    const auto open = initiator_->on_message(*responder_->on_message(*commit));
    ASSERT_TRUE(later.on_message(*commit)) << "anyone may begin";
    EXPECT_FALSE(later.on_message(*open)) << "and open: the key is public";
    EXPECT_NE(later.digits(), initiator_->digits()) << "but the digits are new";
    EXPECT_EQ(reason(later.on_message(*old_confirmation)), PairingReason::mismatch);
    EXPECT_EQ(later.state(), State::failed);
}

TEST_F(Exchange, WithOneselfIsRefused)
{
    again();
    PairingExchange mirror(PairingExchange::Role::responder, ana_.self, ana_.surroundings);
    const auto commit = initiator_->begin();
    const auto reply = mirror.on_message(*commit);
    EXPECT_EQ(reason(initiator_->on_message(*reply)), PairingReason::mismatch);
    EXPECT_EQ(initiator_->state(), State::failed);
}

TEST_F(Exchange, WithAKeyOfLowOrderIsRefused)
{
    again();
    const auto commit = initiator_->begin();
    PairingBytes reply = *responder_->on_message(*commit);
    std::fill(reply.begin() + 8, reply.begin() + 40, std::byte{}); // a secret that everybody knows
    EXPECT_EQ(reason(initiator_->on_message(reply)), PairingReason::mismatch);
    EXPECT_EQ(initiator_->state(), State::failed);
}

TEST_F(Exchange, OutOfOrderIsRefused)
{
    introduce();
    for (const auto& bytes : {*reply_, *open_}) {
        PairingExchange fresh(PairingExchange::Role::responder, rui_.self, rui_.surroundings);
        EXPECT_EQ(reason(fresh.on_message(bytes)), PairingReason::mismatch);
    }
    EXPECT_EQ(reason(initiator_->on_message(*reply_)), PairingReason::mismatch);
    EXPECT_EQ(reason(responder_->on_message(*open_)), PairingReason::mismatch);
}

TEST_F(Exchange, BetweenVersionsNamesBoth)
{
    again();
    PairingBytes commit = *initiator_->begin();
    commit[4] = std::byte{9};
    const auto answer = responder_->on_message(commit);
    EXPECT_EQ(reason(answer), PairingReason::other_version);
    EXPECT_NE(responder_->error().text().find("version 1"), std::string::npos) << responder_->error().text();
    EXPECT_NE(responder_->error().text().find("version 9"), std::string::npos);
    EXPECT_FALSE(rui_.tries.locked_for() > Time::zero());
    // And at a node of version 9, read by one of version 1: nothing is answered to a refusal.
    PairingBytes refused = *answer;
    refused[4] = std::byte{9};
    EXPECT_FALSE(initiator_->on_message(refused));
    EXPECT_NE(initiator_->error().text().find("version 9"), std::string::npos);
}

TEST_F(Exchange, TakesNoLongerThanItMay)
{
    again();
    ASSERT_TRUE(initiator_->begin());
    clock_.pass(std::chrono::seconds(9));
    EXPECT_FALSE(initiator_->tick());
    clock_.pass(std::chrono::seconds(1));
    EXPECT_EQ(reason(initiator_->tick()), PairingReason::too_late);
    EXPECT_EQ(initiator_->state(), State::failed);
    EXPECT_FALSE(initiator_->tick()) << "said once";

    introduce();
    clock_.pass(std::chrono::seconds(119));
    EXPECT_FALSE(initiator_->tick()) << "persons may take their time";
    EXPECT_FALSE(responder_->tick());
    const auto late = initiator_->confirm(true);
    ASSERT_TRUE(late);
    clock_.pass(std::chrono::seconds(1));
    EXPECT_EQ(reason(responder_->on_message(*late)), PairingReason::too_late);
    EXPECT_EQ(responder_->state(), State::failed);
    EXPECT_EQ(reason(initiator_->tick()), PairingReason::too_late);
    EXPECT_FALSE(initiator_->paired());
}

TEST_F(Exchange, LocksAfterThreeTriesForAMinute)
{
    for (int i = 0; i < PairingTries::kMost; ++i) {
        EXPECT_EQ(ana_.tries.locked_for(), Time::zero()) << i;
        introduce();
        EXPECT_TRUE(initiator_->confirm(false));
    }
    again();
    clock_.pass(std::chrono::milliseconds(500));
    const auto locked = initiator_->begin();
    ASSERT_FALSE(locked);
    EXPECT_NE(locked.error().text().find("60 s"), std::string::npos) << locked.error().text();
    EXPECT_EQ(initiator_->state(), State::failed);
    clock_.pass(PairingTries::kLockFor - std::chrono::milliseconds(501));
    again();
    EXPECT_FALSE(initiator_->begin());
    clock_.pass(std::chrono::milliseconds(1));
    again();
    EXPECT_TRUE(initiator_->begin());
}

TEST_F(Exchange, EachWayToFailOnceKeysWereShownCounts)
{
    const auto count = [&](const auto& fails) {
        for (int i = 0; i < PairingTries::kMost; ++i) {
            EXPECT_EQ(rui_.tries.locked_for(), Time::zero());
            introduce();
            fails();
            EXPECT_EQ(responder_->state(), State::failed);
        }
        EXPECT_EQ(rui_.tries.locked_for(), PairingTries::kLockFor);
        clock_.pass(2 * PairingTries::kLockFor);
    };
    count([&] { (void)responder_->confirm(false); });
    count([&] { (void)responder_->on_message(refusal(PairingReason::digits_differ)); });
    count([&] { (void)responder_->on_message(refusal(PairingReason::cancelled)); });
    count([&] { (void)responder_->on_message(*open_); });
    count([&] { (void)responder_->on_message({}); });
    count([&] { (void)responder_->cancel(); });
    count([&] { responder_->on_closed(); });
}

TEST_F(Exchange, GivingUpBeforeTheDigitsCountsToo)
{
    // Else one could ask for a nonce again and again until the digits are as one likes.
    for (int i = 0; i < PairingTries::kMost; ++i) {
        again();
        (void)responder_->on_message(*initiator_->begin());
        responder_->on_closed();
    }
    EXPECT_GT(rui_.tries.locked_for(), Time::zero());
    EXPECT_EQ(ana_.tries.locked_for(), Time::zero()) << "nothing was shown to it";
}

TEST_F(Exchange, APairingForgivesTriesBefore)
{
    for (int i = 0; i < 3; ++i) {
        introduce();
        (void)responder_->confirm(false);
        introduce();
        (void)responder_->on_message(*initiator_->confirm(true));
        (void)responder_->confirm(true);
        ASSERT_TRUE(responder_->paired());
    }
    EXPECT_EQ(rui_.tries.locked_for(), Time::zero());
}

TEST_F(Exchange, SaysWhatTheOtherRefuses)
{
    for (unsigned i = 1; i <= static_cast<unsigned>(PairingReason::too_late); ++i) {
        again();
        ASSERT_TRUE(initiator_->begin());
        EXPECT_FALSE(initiator_->on_message(refusal(static_cast<PairingReason>(i))));
        EXPECT_EQ(initiator_->state(), State::failed);
        EXPECT_FALSE(initiator_->error().text().empty());
    }
    EXPECT_EQ(ana_.tries.locked_for(), Time::zero()) << "no key was shown: no try";
}

} // namespace
} // namespace constela::cluster
