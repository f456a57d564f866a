// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who is asked for what: single cases, and long random lives in which peers come, lie and go.
#include "engine/cluster/weights/chunk_schedule.h"

#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <set>

namespace constela::cluster {
namespace {

using namespace std::chrono_literals;

std::vector<std::uint32_t> numbers(std::uint32_t count)
{
    std::vector<std::uint32_t> all(count);
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

class ChunkScheduleTest : public testing::Test {
protected:
    void everybody_has_all()
    {
        for (std::size_t peer = 0; peer < kPeers; ++peer) {
            schedule_.set_held(peer, std::vector<bool>(kChunks, true));
        }
    }
    static constexpr std::size_t kPeers = 3;
    static constexpr std::uint32_t kChunks = 4;
    ChunkSchedule schedule_{numbers(kChunks), kPeers};
};

TEST_F(ChunkScheduleTest, AsksNobodyForWhatIsNotKnownToBeThere)
{
    EXPECT_FALSE(schedule_.take(0, 0s));
    schedule_.set_held(0, {false, false, true});
    EXPECT_EQ(schedule_.take(0, 0s), 2U);
    EXPECT_FALSE(schedule_.take(0, 0s));
    EXPECT_FALSE(schedule_.has_all(0));
    EXPECT_EQ(schedule_.held_by_none(std::vector<std::size_t>{0, 1}), 3U);
}

TEST_F(ChunkScheduleTest, GivesEachChunkOnce)
{
    everybody_has_all();
    EXPECT_EQ(schedule_.take(0, 0s), 0U);
    EXPECT_EQ(schedule_.take(1, 0s), 1U);
    EXPECT_EQ(schedule_.take(0, 0s), 2U);
    EXPECT_EQ(schedule_.take(2, 0s), 3U);
    EXPECT_FALSE(schedule_.take(1, 0s)) << "nobody is slow yet";
}

TEST_F(ChunkScheduleTest, AsksAnotherWhenOneIsSlow)
{
    everybody_has_all();
    for (std::uint32_t chunk = 0; chunk < kChunks; ++chunk) {
        EXPECT_EQ(schedule_.take(0, 0s), chunk);
    }
    EXPECT_FALSE(schedule_.take(1, ChunkSchedule::kSlow));
    const Time late = ChunkSchedule::kSlow + 1ms;
    EXPECT_EQ(schedule_.take(1, late), 0U);
    EXPECT_FALSE(schedule_.take(0, late)) << "it is being asked already";
    EXPECT_EQ(schedule_.take(2, late), 1U) << "two at most for one chunk";
    EXPECT_TRUE(schedule_.arrived(1, 0, late));
    EXPECT_FALSE(schedule_.needs(0));
    EXPECT_FALSE(schedule_.arrived(0, 0, late)) << "another was faster";
    schedule_.stored(0);
    EXPECT_EQ(schedule_.left(), kChunks - 1);
}

TEST_F(ChunkScheduleTest, TakesBackWhatIsLostOrSpoiled)
{
    everybody_has_all();
    EXPECT_EQ(schedule_.take(0, 0s), 0U);
    EXPECT_EQ(schedule_.take(0, 0s), 1U);
    EXPECT_EQ(schedule_.take(1, 0s), 2U);
    EXPECT_TRUE(schedule_.arrived(0, 1, 1s));
    schedule_.lost(0);
    EXPECT_EQ(schedule_.take(1, 1s), 0U);
    schedule_.spoiled(1);
    EXPECT_EQ(schedule_.take(1, 1s), 1U);
    schedule_.lacks(1, 2);
    EXPECT_EQ(schedule_.take(1, 1s), 3U) << "it has not got 2";
    EXPECT_EQ(schedule_.take(2, 1s), 2U);
}

class RandomLives : public testing::TestWithParam<unsigned> {};

/// As long as one honest peer is there, all chunks come, each from who has it.
TEST_P(RandomLives, BringAllChunks)
{
    std::mt19937 random(GetParam());
    const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
    const auto chunks = static_cast<std::uint32_t>(1 + below(40));
    const std::size_t peers = 1 + below(4);
    ChunkSchedule schedule(numbers(chunks), peers);
    std::vector<std::vector<bool>> has(peers, std::vector<bool>(chunks, true));
    for (std::size_t peer = 1; peer < peers; ++peer) {
        for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
            has[peer][chunk] = below(2) == 0;
        }
    }
    for (std::size_t peer = 0; peer < peers; ++peer) {
        schedule.set_held(peer, has[peer]);
    }
    std::vector<std::set<std::uint32_t>> asked(peers);
    std::set<std::uint32_t> arrived;
    std::set<std::uint32_t> stored;
    Time now{0};
    for (int step = 0; step < 20'000 && !schedule.finished(); ++step) {
        now += std::chrono::milliseconds(below(400));
        const std::size_t peer = below(peers);
        if (const auto chunk = schedule.take(peer, now)) {
            ASSERT_TRUE(has[peer][*chunk]);
            ASSERT_FALSE(stored.contains(*chunk) || arrived.contains(*chunk));
            ASSERT_TRUE(asked[peer].insert(*chunk).second) << "asked twice of one";
        }
        if (!asked[peer].empty() && below(3) == 0) {
            const std::uint32_t chunk = *asked[peer].begin();
            asked[peer].erase(chunk);
            if (schedule.arrived(peer, chunk, now)) {
                ASSERT_TRUE(arrived.insert(chunk).second);
            }
        }
        if (!arrived.empty() && below(2) == 0) {
            const std::uint32_t chunk = *arrived.begin();
            arrived.erase(chunk);
            if (below(4) == 0) {
                schedule.spoiled(chunk);
            } else {
                schedule.stored(chunk);
                stored.insert(chunk);
            }
        }
        if (below(30) == 0) {
            schedule.lost(peer);
            asked[peer].clear();
        }
    }
    EXPECT_TRUE(schedule.finished()) << schedule.left() << " chunks were forgotten";
    EXPECT_EQ(stored.size(), chunks);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomLives, testing::Range(1U, 200U));

} // namespace
} // namespace constela::cluster
