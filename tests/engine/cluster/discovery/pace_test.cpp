// SPDX-License-Identifier: GPL-3.0-or-later
//
// In virtual time.
#include "engine/cluster/discovery/pace.h"

#include <gtest/gtest.h>
#include <vector>

namespace constela::cluster::discovery {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

IpAddress source(unsigned number)
{
    IpAddress address;
    address.bytes = {10, static_cast<std::uint8_t>(number >> 16U), static_cast<std::uint8_t>(number >> 8U),
                     static_cast<std::uint8_t>(number)};
    return address;
}

NodeId node(unsigned number)
{
    NodeId id;
    id.bytes[0] = static_cast<std::byte>(number >> 8U);
    id.bytes[1] = static_cast<std::byte>(number);
    return id;
}

TEST(Rhythm, BeginsQuicklyAndThenKeepsASecond)
{
    Rhythm rhythm;
    rhythm.begin(seconds(5));
    std::vector<Time> sent;
    for (Time now = seconds(4); now < seconds(9); now += milliseconds(10)) {
        if (rhythm.due(now)) {
            sent.push_back(now);
            EXPECT_GT(rhythm.next(), now);
        }
    }
    EXPECT_EQ(sent, (std::vector<Time>{milliseconds(5000), milliseconds(5200), milliseconds(5500), milliseconds(6500),
                                       milliseconds(7500), milliseconds(8500)}));
}

TEST(Rhythm, DoesNotMakeUpForTimeAsleep)
{
    Rhythm rhythm;
    rhythm.begin(seconds(1));
    EXPECT_TRUE(rhythm.due(seconds(1)));
    EXPECT_TRUE(rhythm.due(seconds(1000)));
    EXPECT_FALSE(rhythm.due(seconds(1000)));
}

TEST(SourceLimit, LetsAUsualMachineThrough)
{
    SourceLimit limit(1);
    for (int i = 0; i < 600; ++i) { // sixteen nodes by three ways, for some time
        EXPECT_TRUE(limit.admit(source(1), milliseconds(20) * i)) << i;
    }
}

TEST(SourceLimit, HoldsAFloodBack)
{
    SourceLimit limit(1);
    int admitted = 0;
    for (int i = 0; i < 100'000; ++i) { // 10,000 a second for 10 s
        admitted += limit.admit(source(1), std::chrono::microseconds(100) * i) ? 1 : 0;
    }
    EXPECT_NEAR(admitted, 1200, 2);
}

TEST(SourceLimit, AFloodTakesNothingFromOthers)
{
    SourceLimit limit(7);
    unsigned forged = 0;
    for (int second = 0; second < 20; ++second) {
        for (int i = 0; i < 10'000; ++i) {
            static_cast<void>(limit.admit(source(1000 + forged++), seconds(second)));
        }
        EXPECT_TRUE(limit.admit(source(1), seconds(second)));
    }
}

TEST(AnswerLimit, AnswersWhoIsNewAndThenKeepsStill)
{
    AnswerLimit limit(1);
    EXPECT_TRUE(limit.admit(node(1), source(1), seconds(1)));
    EXPECT_FALSE(limit.admit(node(1), source(1), seconds(2)));
    EXPECT_TRUE(limit.admit(node(1), source(2), seconds(2))) << "another of its addresses";
    EXPECT_TRUE(limit.admit(node(2), source(1), seconds(2))) << "another node of its machine";
    // As long as it is heard it is not answered again; after a silence it is.
    for (int second = 3; second < 60; ++second) {
        EXPECT_FALSE(limit.admit(node(1), source(1), seconds(second)));
    }
    EXPECT_TRUE(limit.admit(node(1), source(1), seconds(70)));
}

TEST(AnswerLimit, AnswersNoMoreThanSoManyASecond)
{
    AnswerLimit limit(1);
    int answered = 0;
    for (int i = 0; i < 100'000; ++i) {
        answered += limit.admit(node(static_cast<unsigned>(i)), source(static_cast<unsigned>(i)),
                                std::chrono::microseconds(100) * i)
                        ? 1
                        : 0;
    }
    EXPECT_NEAR(answered, 240, 2);
}

} // namespace
} // namespace constela::cluster::discovery
