// SPDX-License-Identifier: GPL-3.0-or-later
//
// A middleman between two honest nodes, 10,000 times, each from its own seed. It has a key of its own, sees and changes
// every byte, may search, may restart either side, and may be as clever as the protocol lets it. The persons do one
// thing right: they confirm only when both screens show the same digits.
#include "tests/engine/cluster/pairing/pairing_fixture.h"

#include <gtest/gtest.h>

namespace constela::cluster {
namespace {

using State = PairingExchange::State;
using Role = PairingExchange::Role;
using test::PairingNode;

/// What the middleman does.
enum class Trick {
    two_pairings,   ///< Pairs with each under its own key, honestly.
    swap_in_reply,  ///< Lets the initiator's words pass, and puts its own key into the reply.
    swap_in_open,   ///< Lets the commitment pass, and opens with its own key.
    search_nonces,  ///< Opens with the best of many nonces that it did not commit to.
    only_the_names, ///< Changes only names.
    reflect,        ///< Throws each side's words back.
    count,
};

class Middleman {
public:
    Middleman(std::uint64_t seed, Trick trick) : seed_(seed), trick_(trick) {}

    struct Outcome {
        bool digits_shown = false;
        bool digits_equal = false;
        bool anyone_took_a_wrong_key = false;
    };

    Outcome run()
    {
        const auto to_responder = first_words();
        if (to_responder) {
            exchange(*to_responder);
        }
        compare();
        return outcome();
    }

private:
    using Answer = PairingExchange::Answer;

    [[nodiscard]] Answer first_words()
    {
        const auto commit = ana_.begin();
        EXPECT_TRUE(commit);
        switch (trick_) {
        case Trick::two_pairings: return *own_to_rui_.begin();
        case Trick::search_nonces: return *own_to_rui_.begin();
        case Trick::reflect: (void)ana_.on_message(*commit); return std::nullopt;
        default: return *commit;
        }
    }

    void exchange(const PairingBytes& commit)
    {
        const Answer rui_reply = rui_.on_message(commit);
        if (!rui_reply) {
            return;
        }
        // What it tells Ana, before it knows what she has committed to.
        Answer to_ana;
        switch (trick_) {
        case Trick::swap_in_open: to_ana = rui_reply; break;
        case Trick::only_the_names: to_ana = renamed(*rui_reply); break;
        case Trick::swap_in_reply: to_ana = with_own_key(*rui_reply); break;
        default: to_ana = own_to_ana_.on_message(*own_commit_for_ana()); break;
        }
        const Answer ana_open = to_ana ? ana_.on_message(*to_ana) : std::nullopt;
        if (!ana_open || ana_.state() == State::failed) {
            return;
        }
        // What it tells Rui, now that it knows which digits Ana sees.
        Answer to_rui;
        switch (trick_) {
        case Trick::two_pairings: to_rui = own_to_rui_.on_message(*rui_reply); break;
        case Trick::swap_in_open: to_rui = with_own_key(*ana_open); break;
        case Trick::search_nonces: to_rui = searched(own_to_rui_.on_message(*rui_reply)); break;
        default: to_rui = ana_open; break;
        }
        if (to_rui) {
            (void)rui_.on_message(*to_rui);
        }
    }

    /// Ana's commitment as the middleman, as a responder to her, got it.
    [[nodiscard]] Answer own_commit_for_ana()
    {
        PairingMessage message;
        message.kind = PairingKind::commit;
        chance_.fill(message.value);
        return encode(message);
    }

    [[nodiscard]] PairingBytes with_own_key(PairingBytes bytes)
    {
        std::copy(mallory_.self.keys.public_key.bytes.begin(), mallory_.self.keys.public_key.bytes.end(),
                  bytes.begin() + 8);
        return bytes;
    }

    [[nodiscard]] static PairingBytes renamed(PairingBytes bytes)
    {
        bytes[75] ^= std::byte{1};
        return bytes;
    }

    /// As if it could choose its nonce now.
    [[nodiscard]] Answer searched(const Answer& open)
    {
        if (!open) {
            return std::nullopt;
        }
        PairingBytes best = *open;
        chance_.fill(std::span(best).subspan(40, 32));
        return best;
    }

    /// The persons look; the middleman sends on what they confirm, and confirms what it can itself.
    void compare()
    {
        const bool equal = ana_.digits() && rui_.digits() && ana_.digits() == rui_.digits();
        const Answer from_ana = ana_.digits() ? ana_.confirm(equal) : std::nullopt;
        const Answer from_rui = rui_.digits() ? rui_.confirm(equal) : std::nullopt;
        if (from_ana) {
            (void)rui_.on_message(*from_ana);
        }
        if (from_rui) {
            (void)ana_.on_message(*from_rui);
        }
        if (own_to_rui_.digits()) { // with a code that is right as far as it goes: it holds the key that it showed
            if (const Answer own = own_to_rui_.confirm(true)) {
                (void)rui_.on_message(*own);
            }
        }
    }

    [[nodiscard]] Outcome outcome() const
    {
        Outcome result;
        result.digits_shown = ana_.digits() && rui_.digits();
        result.digits_equal = result.digits_shown && ana_.digits() == rui_.digits();
        result.anyone_took_a_wrong_key = (ana_.paired() && ana_.paired()->key != rui_node_.self.keys.public_key) ||
                                         (rui_.paired() && rui_.paired()->key != ana_node_.self.keys.public_key) ||
                                         (trick_ == Trick::only_the_names && (ana_.paired() || rui_.paired()));
        return result;
    }

    std::uint64_t seed_;
    Trick trick_;
    test::HandClock clock_;
    test::SeededChance chance_{seed_};
    PairingNode ana_node_{"ana", clock_, chance_};
    PairingNode rui_node_{"rui", clock_, chance_};
    PairingNode mallory_{"rui", clock_, chance_};
    PairingExchange ana_{Role::initiator, ana_node_.self, ana_node_.surroundings};
    PairingExchange rui_{Role::responder, rui_node_.self, rui_node_.surroundings};
    PairingExchange own_to_rui_{Role::initiator, mallory_.self, mallory_.surroundings};
    PairingExchange own_to_ana_{Role::responder, mallory_.self, mallory_.surroundings};
};

TEST(Middlemen, AreNeverAcceptedWhenTheDigitsDiffer)
{
    constexpr std::uint64_t kTries = 10'000;
    int shown = 0;
    int equal = 0;
    for (std::uint64_t seed = 1; seed <= kTries; ++seed) {
        const auto trick = static_cast<Trick>(seed % static_cast<std::uint64_t>(Trick::count));
        const Middleman::Outcome outcome = Middleman(seed, trick).run();
        shown += outcome.digits_shown ? 1 : 0;
        equal += outcome.digits_equal ? 1 : 0;
        if (!outcome.digits_equal) {
            ASSERT_FALSE(outcome.anyone_took_a_wrong_key) << "seed " << seed << " trick " << static_cast<int>(trick);
        }
    }
    EXPECT_GT(shown, 4'000) << "the middleman got as far as the persons in about half of the tries";
    EXPECT_LE(equal, 2) << "one try in a million gives equal digits by chance";
}

/// The search that PairingTries is there for: the middleman has fixed what Ana sees, and asks Rui for a nonce again and
/// again, since it can compute Rui's digits before it opens.
TEST(Middlemen, CannotRestartUntilTheDigitsFit)
{
    test::HandClock clock;
    test::SeededChance chance(5);
    PairingNode rui("rui", clock, chance);
    PairingNode mallory("ana", clock, chance);
    int nonces = 0;
    const Time end = clock.now() + PairingTimes().whole; // Ana waits no longer
    while (clock.now() < end) {
        if (rui.tries.locked_for() > Time::zero()) {
            clock.pass(std::chrono::seconds(1));
            continue;
        }
        PairingExchange at_rui(Role::responder, rui.self, rui.surroundings);
        PairingExchange own(Role::initiator, mallory.self, {clock, chance, mallory.tries});
        const auto commit = own.begin();
        nonces += commit && at_rui.on_message(*commit) ? 1 : 0;
        at_rui.on_closed();
        clock.pass(std::chrono::milliseconds(1));
    }
    EXPECT_LE(nonces, 6) << "each is one chance in a million";
    EXPECT_GE(nonces, 3);
}

} // namespace
} // namespace constela::cluster
