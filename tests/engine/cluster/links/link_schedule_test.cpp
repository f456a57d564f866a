// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/links/link_schedule.h"

#include "tests/engine/cluster/links/sample_links.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

namespace constela::cluster {
namespace {

using namespace std::chrono_literals;

LinkNode node(unsigned number, const char* host = nullptr)
{
    return {node_number(number), "n" + std::to_string(number),
            Address{host != nullptr ? host : "192.168.1." + std::to_string(number), 7212}};
}

Error reason(const char* text)
{
    return failure(text).value();
}

/// Reports on a task as if its link had been measured.
void report(LinkSchedule& schedule, const LinkTask& task, double bandwidth = 100e6)
{
    std::vector<LinkMeasurement> both{sample_link(0, 0, bandwidth), sample_link(0, 0, bandwidth)};
    both[0].kind = both[1].kind = task.prober == task.target ? LinkKind::process : LinkKind::network;
    both[0].from = both[1].to = task.prober;
    both[0].to = both[1].from = task.target;
    (void)schedule.measured(task.number, both);
}

/// Carries out all that is due now; returns the pairs.
std::vector<std::pair<NodeId, NodeId>> run_all(LinkSchedule& schedule, Time now)
{
    std::vector<std::pair<NodeId, NodeId>> pairs;
    while (const auto task = schedule.next(now)) {
        pairs.emplace_back(task->prober, task->target);
        report(schedule, *task);
    }
    return pairs;
}

TEST(LinkSchedule, MeasuresEachPairOnceOneAtATime)
{
    LinkSchedule schedule(node_number(2));
    schedule.set_nodes({node(1), node(2), node(3)});
    const auto first = schedule.next(0s);
    ASSERT_TRUE(first);
    EXPECT_FALSE(schedule.next(1s)) << "one is under way";
    EXPECT_EQ(schedule.wake_at(), LinkSchedule::kTaskWithin);
    report(schedule, *first);
    const auto others = run_all(schedule, 2s);
    EXPECT_EQ(others.size() + 1, 6U) << "three pairs, three nodes with themselves";
    EXPECT_EQ(schedule.book().all().size(), 9U);
    EXPECT_FALSE(schedule.next(1000s));
    EXPECT_FALSE(schedule.wake_at());
}

TEST(LinkSchedule, LetsThisNodeMeasureItsOwnLinks)
{
    LinkSchedule schedule(node_number(3));
    schedule.set_nodes({node(1), node(2), node(3)});
    for (const auto& [prober, target] : run_all(schedule, 0s)) {
        if (target != prober) {
            EXPECT_NE(target, node_number(3));
        }
    }
}

TEST(LinkSchedule, MeasuresAgainWhenAnAddressChanges)
{
    LinkSchedule schedule(node_number(1));
    schedule.set_nodes({node(1), node(2), node(3)});
    run_all(schedule, 0s);
    schedule.set_nodes({node(1), node(2, "10.0.0.2"), node(3)});
    const auto pairs = run_all(schedule, 1s);
    EXPECT_EQ(pairs.size(), 2U);
    for (const auto& [prober, target] : pairs) {
        EXPECT_TRUE(prober == node_number(2) || target == node_number(2));
    }
}

TEST(LinkSchedule, MeasuresAgainWhenAnAddressChangedMeanwhile)
{
    LinkSchedule schedule(node_number(1));
    schedule.set_nodes({node(1), node(2)});
    auto task = schedule.next(0s);
    while (task && task->target == task->prober) {
        report(schedule, *task);
        task = schedule.next(0s);
    }
    ASSERT_TRUE(task);
    schedule.set_nodes({node(1), node(2, "10.0.0.2")});
    report(schedule, *task);
    std::size_t again = 0;
    for (const auto& [prober, target] : run_all(schedule, 1s)) {
        again += prober != target ? 1U : 0U;
    }
    EXPECT_EQ(again, 1U);
}

TEST(LinkSchedule, MeasuresWhatIsAskedForFirstAndAlsoWhileAModelAnswers)
{
    LinkSchedule schedule(node_number(1));
    schedule.set_busy(true);
    schedule.set_nodes({node(1), node(2), node(3)});
    EXPECT_FALSE(schedule.next(0s));
    const std::vector<NodeId> wanted{node_number(2), node_number(3)};
    schedule.request_missing(wanted);
    EXPECT_FALSE(schedule.settled());
    EXPECT_EQ(run_all(schedule, 0s).size(), 3U) << "the pair, and each within itself";
    EXPECT_TRUE(schedule.settled());
    schedule.request_missing(wanted);
    EXPECT_TRUE(schedule.settled()) << "all of it is known";
    schedule.request();
    EXPECT_EQ(run_all(schedule, 0s).size(), 6U);
    schedule.set_busy(false);
    EXPECT_TRUE(run_all(schedule, 0s).empty());
}

TEST(LinkSchedule, TriesAgainLaterWhatFailed)
{
    LinkSchedule schedule(node_number(1));
    schedule.set_nodes({node(1), node(2)});
    Time now = 0s;
    Time wait = LinkSchedule::kFirstRetry;
    for (int i = 0; i < 8; ++i) {
        auto task = schedule.next(now);
        while (task && task->target == task->prober) {
            report(schedule, *task);
            task = schedule.next(now);
        }
        ASSERT_TRUE(task) << i;
        schedule.failed(task->number, reason("no answer"), now);
        EXPECT_TRUE(schedule.settled());
        ASSERT_EQ(schedule.failures().size(), 1U);
        for (const auto& [prober, target] : run_all(schedule, now + wait - 1ns)) {
            EXPECT_EQ(prober, target) << "too early, after failure " << i;
        }
        EXPECT_EQ(schedule.wake_at(), now + wait);
        now += wait;
        wait = std::min(2 * wait, LinkSchedule::kLongestRetry);
    }
    schedule.request();
    EXPECT_EQ(run_all(schedule, now).size(), 3U) << "what is asked for does not wait";
    EXPECT_TRUE(schedule.failures().empty());
}

TEST(LinkSchedule, GivesUpOnATaskThatIsNeverReportedOn)
{
    LinkSchedule schedule(node_number(1));
    schedule.set_nodes({node(1), node(2)});
    const auto lost = schedule.next(0s);
    ASSERT_TRUE(lost);
    EXPECT_FALSE(schedule.next(LinkSchedule::kTaskWithin - 1ns));
    const auto other = schedule.next(LinkSchedule::kTaskWithin);
    ASSERT_TRUE(other);
    EXPECT_NE(other->number, lost->number);
    ASSERT_EQ(schedule.failures().size(), 1U);
    report(schedule, *lost); // too late
    EXPECT_TRUE(schedule.book().all().empty());
    EXPECT_EQ(schedule.failures().size(), 1U);
}

TEST(LinkSchedule, GoesOnWhenANodeIsGone)
{
    LinkSchedule schedule(node_number(1));
    schedule.set_nodes({node(1), node(2), node(3)});
    run_all(schedule, 0s);
    schedule.request();
    auto task = schedule.next(1s);
    while (task && task->target != node_number(3)) {
        report(schedule, *task);
        task = schedule.next(1s);
    }
    ASSERT_TRUE(task);
    schedule.set_nodes({node(1), node(2)});
    report(schedule, *task);
    run_all(schedule, 1s);
    EXPECT_TRUE(schedule.settled()) << "nobody waits for what cannot be measured";
    EXPECT_NE(schedule.book().find(node_number(1), node_number(3)), nullptr) << "it may come back";
    schedule.forget(node_number(3));
    EXPECT_EQ(schedule.book().find(node_number(1), node_number(3)), nullptr);
}

TEST(LinkSchedule, BelievesANodeOnlyAboutThePairThatWasAskedFor)
{
    LinkSchedule schedule(node_number(1));
    schedule.set_nodes({node(1), node(2), node(3)});
    const auto task = schedule.next(0s);
    ASSERT_TRUE(task);
    const std::vector<LinkMeasurement> forged{sample_link(2, 3), sample_link(8, 9)};
    (void)schedule.measured(task->number, forged);
    EXPECT_TRUE(schedule.book().all().empty());
}

/// Long random lives: never two at once, and in the end every pair that is there is known.
TEST(LinkSchedule, EndsInKnowingAllWhateverHappens)
{
    for (std::uint32_t seed = 1; seed <= 50; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        LinkSchedule schedule(node_number(1));
        std::optional<LinkTask> running;
        Time now = 0s;
        std::vector<LinkNode> nodes;
        const auto change = [&] {
            nodes = {node(1)};
            for (unsigned i = 2; i <= 5; ++i) {
                if (random() % 3 != 0) {
                    nodes.push_back(random() % 4 == 0 ? node(i, "10.0.0.9") : node(i));
                }
            }
            schedule.set_nodes(nodes);
        };
        change();
        for (int step = 0; step < 300; ++step) {
            now += std::chrono::seconds(random() % 20);
            if (const auto task = schedule.next(now)) {
                running = task;
            }
            switch (random() % 8) {
            case 0: change(); break;
            case 1: schedule.request(); break;
            case 2: schedule.set_busy(random() % 2 == 0); break;
            case 3:
                if (running) {
                    schedule.failed(running->number, reason("no"), now);
                }
                break;
            default:
                if (running) {
                    report(schedule, *running);
                }
            }
        }
        schedule.set_busy(false);
        run_all(schedule, now + LinkSchedule::kTaskWithin); // what was under way has failed by now
        run_all(schedule, now + 2 * LinkSchedule::kLongestRetry);
        EXPECT_TRUE(schedule.settled());
        EXPECT_FALSE(schedule.wake_at());
        for (const LinkNode& from : nodes) {
            for (const LinkNode& to : nodes) {
                EXPECT_NE(schedule.book().find(from.id, to.id), nullptr);
            }
        }
    }
}

} // namespace
} // namespace constela::cluster
