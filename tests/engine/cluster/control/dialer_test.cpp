// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which address is tried when.
#include "engine/cluster/control/dialer.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace constela::cluster {
namespace {

using namespace std::chrono_literals;

Address at(int number)
{
    return {"10.0.0." + std::to_string(number), 7000};
}

TEST(Dialer, TriesThePinnedOneThenTheBestThenTheRest)
{
    Dialer dialer;
    dialer.set_known({at(1), at(2)}, at(3));
    dialer.add_told({at(4), at(1)});
    dialer.start(5s);
    EXPECT_EQ(dialer.due(), 5s);
    Time now = 5s;
    for (const int number : {3, 1, 2, 4, 3}) {
        now = dialer.due();
        EXPECT_EQ(dialer.next(now, 0), at(number));
    }
}

TEST(Dialer, WaitsLongerFromRoundToRound)
{
    Dialer dialer;
    dialer.set_known({at(1)}, {});
    dialer.start(0s);
    std::vector<Time> pauses;
    for (int round = 0; round < 8; ++round) {
        const Time now = dialer.due();
        (void)dialer.next(now, 0);
        pauses.push_back(dialer.due() - now);
    }
    EXPECT_EQ(pauses.front(), 300ms);
    EXPECT_EQ(pauses[1], 600ms);
    EXPECT_EQ(pauses.back(), 2s);
    EXPECT_TRUE(std::ranges::is_sorted(pauses));
}

TEST(Dialer, IsNeverDueWithoutAnAddressOrWhenStopped)
{
    Dialer dialer;
    dialer.start(0s);
    EXPECT_EQ(dialer.due(), kNever);
    dialer.set_known({at(1)}, {});
    EXPECT_EQ(dialer.due(), 0s);
    dialer.stop();
    EXPECT_EQ(dialer.due(), kNever);
    dialer.add_hint(at(2), 1s);
    EXPECT_EQ(dialer.due(), kNever) << "nobody looks for it";
}

TEST(Dialer, FollowsAHintSoonButNotInAFlood)
{
    Dialer dialer;
    dialer.set_known({at(1)}, {});
    dialer.start(0s);
    for (int round = 0; round < 5; ++round) {
        (void)dialer.next(dialer.due(), 0);
    }
    const Time last = dialer.due() - 2s;
    dialer.add_hint(at(2), last + 1s);
    EXPECT_EQ(dialer.due(), last + 1s);
    EXPECT_EQ(dialer.next(dialer.due(), 0), at(2));
    for (int number = 3; number < 250; ++number) {
        dialer.add_hint(at(number), last + 1s);
    }
    EXPECT_EQ(dialer.due(), last + 1s + 300ms);
    EXPECT_LE(dialer.candidates().size(), 9U);
}

TEST(Dialer, KeepsATrueHintThroughAFloodUntilItWasTried)
{
    Dialer dialer;
    dialer.start(0s);
    dialer.add_hint(at(1), 0s);
    for (int number = 2; number < 250; ++number) {
        dialer.add_hint(at(number), 0s);
    }
    bool tried = false;
    for (std::size_t round = 0; round < 9; ++round) {
        tried = tried || dialer.next(dialer.due(), 0) == at(1);
    }
    EXPECT_TRUE(tried);
}

TEST(Dialer, PutsWhatWorkedFirst)
{
    Dialer dialer;
    dialer.set_known({at(1), at(2)}, {});
    dialer.prefer(at(2));
    EXPECT_EQ(dialer.candidates().front(), at(2));
    EXPECT_EQ(dialer.known().size(), 2U);
}

TEST(Dialer, KnowsWhatCannotBeAnAddress)
{
    EXPECT_TRUE(plausible({"fe80::1%eth0", 7000}));
    EXPECT_FALSE(plausible({"", 7000}));
    EXPECT_FALSE(plausible({"10.0.0.1", 0}));
    EXPECT_FALSE(plausible({"10.0.0.1 ", 7000}));
    EXPECT_FALSE(plausible({std::string(65, '1'), 7000}));
}

} // namespace
} // namespace constela::cluster
