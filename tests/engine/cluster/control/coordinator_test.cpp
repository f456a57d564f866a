// SPDX-License-Identifier: GPL-3.0-or-later
//
// Loading as the coordinator sees it.
#include "one_node.h"

namespace constela::cluster {
namespace {

class CoordinatorTest : public OneNode {
protected:
    /// Blocks 0 to 2 here, 3 to 5 on peer 2, 6, 7 and the head on peer 3.
    [[nodiscard]] static LoadPlan plan()
    {
        LoadPlan plan;
        plan.model_name = "llama";
        plan.kernels = "avx2";
        plan.stages = {{id_of(1), "cpu0", 0, 4}, {id_of(2), "cpu0", 4, 3}, {id_of(3), "cpu0", 7, 3}};
        return plan;
    }
    Epoch load()
    {
        join(2);
        join(3);
        forget();
        return plane.load(plan()).value();
    }
    Epoch load_and_wait()
    {
        const Epoch epoch = load();
        plane.on_stage_ready({epoch, 0, 10, 1, 7001});
        say(2, StageReady{epoch, 1, 20, 2, 7001});
        say(3, StageReady{epoch, 2, 30, 3, 7001});
        return epoch;
    }
};

TEST_F(CoordinatorTest, EveryStageIsOrderedAndTheModelIsReadyWhenAllAre)
{
    const Epoch epoch = load();
    ASSERT_EQ(done<action::StartStage>().size(), 1U);
    EXPECT_EQ(done<action::StartStage>()[0].order.stage, 0U);
    EXPECT_EQ(done<action::StartStage>()[0].coordinator, id_of(1));
    ASSERT_EQ(sent<StageOrder>(2).size(), 1U);
    EXPECT_EQ(sent<StageOrder>(2)[0].stage, 1U);
    EXPECT_EQ(sent<StageOrder>(2)[0].stages.size(), 3U);
    EXPECT_EQ(sent<StageOrder>(2)[0].kernels, "avx2");
    ASSERT_EQ(sent<StageOrder>(3).size(), 1U);

    say(2, StageProgress{epoch, 1, StageProgress::Doing::fetching, 5, 20});
    EXPECT_EQ(plane.view().load->stages[1].progress.done, 5U);
    plane.on_stage_ready({epoch, 0, 10, 1, 7001});
    say(2, StageReady{epoch, 1, 20, 2, 7044});
    EXPECT_TRUE(done<action::ModelReady>().empty());
    EXPECT_EQ(plane.view().load->state, LoadView::State::loading);
    say(3, StageReady{epoch, 2, 30, 3, 7001});
    say(3, StageReady{epoch, 2, 30, 3, 7001});
    ASSERT_EQ(done<action::ModelReady>().size(), 1U);
    EXPECT_EQ(done<action::ModelReady>()[0].epoch, epoch);
    EXPECT_EQ(plane.view().load->stages[1].data_port, 7044);
}

TEST_F(CoordinatorTest, NobodyReportsForAnother)
{
    const Epoch epoch = load();
    plane.on_stage_ready({epoch, 0, 10, 1, 7001});
    say(2, StageReady{epoch, 1, 20, 2, 7001});
    say(2, StageReady{epoch, 2, 20, 2, 7001});
    say(2, StageReady{epoch, 77, 20, 2, 7001});
    EXPECT_TRUE(done<action::ModelReady>().empty());
    say(2, StageFailed{epoch, 2, {}});
    EXPECT_TRUE(done<action::ModelFailed>().empty());
}

TEST_F(CoordinatorTest, PlansThatMakeNoSenseAreRefused)
{
    join(2);
    LoadPlan gap = plan();
    gap.stages[1].first_shard = 5;
    EXPECT_FALSE(plane.load(gap));
    EXPECT_FALSE(plane.load({}));
    LoadPlan absent = plan();
    const auto refused = plane.load(absent);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().text().find("not paired"), std::string::npos);
    plane.trust(peer(3));
    const auto away = plane.load(absent);
    ASSERT_FALSE(away);
    EXPECT_NE(away.error().text().find("peer3 is not connected"), std::string::npos);
    EXPECT_TRUE(sent<StageOrder>(2).empty());
}

TEST_F(CoordinatorTest, AFailedStageEndsTheLoadAndFreesTheRest)
{
    const Epoch epoch = load();
    say(3, StageFailed{epoch, 2, Error{"The disk of {} is full.", {"peer3"}, {}}});
    ASSERT_EQ(done<action::ModelFailed>().size(), 1U);
    const std::string text = done<action::ModelFailed>()[0].reason.text();
    EXPECT_NE(text.find("peer3 cannot run its part of llama. The disk of peer3 is full."), std::string::npos) << text;
    EXPECT_EQ(done<action::ModelFailed>()[0].node, id_of(3));
    ASSERT_EQ(sent<StageRelease>(2).size(), 1U);
    ASSERT_EQ(sent<StageRelease>(3).size(), 1U);
    ASSERT_EQ(done<action::ReleaseStage>().size(), 1U);
    EXPECT_EQ(plane.view().load->state, LoadView::State::failed);

    forget();
    pass(1100ms, {2, 3});
    EXPECT_EQ(sent<StageRelease>(2).size(), 1U) << "said again until it is confirmed";
    say(2, StageReleased{epoch});
    forget();
    pass(2s, {2, 3});
    EXPECT_TRUE(sent<StageRelease>(2).empty());
    EXPECT_EQ(sent<StageRelease>(3).size(), 2U);
}

TEST_F(CoordinatorTest, ALossNamesTheNodeWhatItHadAndWhatToDo)
{
    const Epoch epoch = load_and_wait();
    pass(2900ms, {2});
    ASSERT_EQ(done<action::ModelFailed>().size(), 1U);
    EXPECT_EQ(done<action::ModelFailed>()[0].reason.text(),
              "peer3 has left the cluster while it held blocks 6 to 7 and the head of llama. Load it again on the "
              "remaining devices, or start peer3 again.");
    EXPECT_EQ(done<action::NodeLost>().size(), 1U);
    EXPECT_EQ(sent<StageRelease>(2).size(), 1U);
    ASSERT_EQ(done<action::ReleaseStage>().size(), 1U);
    EXPECT_EQ(done<action::ReleaseStage>()[0].epoch, epoch);
}

TEST_F(CoordinatorTest, ARestartedNodeIsALossOfWhatItHad)
{
    (void)load_and_wait();
    plane.on_down(id_of(2));
    plane.on_up(id_of(2));
    forget();
    say(2, hello(2, kRun + 1));
    EXPECT_EQ(done<action::ModelFailed>().size(), 1U);
    EXPECT_TRUE(sent<StageOrder>(2).empty());
}

TEST_F(CoordinatorTest, RevokingANodeEndsWhatItHad)
{
    (void)load_and_wait();
    plane.revoke(id_of(2));
    ASSERT_EQ(done<action::ModelFailed>().size(), 1U);
    EXPECT_NE(done<action::ModelFailed>()[0].reason.text().find("peer2"), std::string::npos);
}

TEST_F(CoordinatorTest, AShortBreakIsFollowedByAQuestion)
{
    const Epoch epoch = load_and_wait();
    plane.on_down(id_of(2));
    pass(100ms, {3});
    plane.on_up(id_of(2));
    say(2, hello(2));
    forget();
    pass(10ms, {2, 3});
    ASSERT_EQ(sent<StageOrder>(2).size(), 1U);
    say(2, StageFailed{epoch, 1, Error{"peer2 gave it back.", {}, {}}});
    EXPECT_EQ(done<action::ModelFailed>().size(), 1U);
}

TEST_F(CoordinatorTest, AnOrderThatIsNotAnsweredIsSentAgain)
{
    const Epoch epoch = load();
    pass(2500ms, {2, 3});
    EXPECT_EQ(sent<StageOrder>(2).size(), 3U);
    say(2, StageProgress{epoch, 1, StageProgress::Doing::placing, 1, 2});
    forget();
    pass(4s, {2, 3});
    EXPECT_TRUE(sent<StageOrder>(2).empty());
}

TEST_F(CoordinatorTest, ALateReportAfterUnloadingIsAnsweredWithARelease)
{
    const Epoch epoch = load();
    plane.unload();
    say(2, StageReleased{epoch});
    say(3, StageReleased{epoch});
    plane.on_stage_released(epoch);
    forget();
    say(2, StageReady{epoch, 1, 20, 2, 7001});
    ASSERT_EQ(sent<StageRelease>(2).size(), 1U);
    EXPECT_EQ(sent<StageRelease>(2)[0].epoch, epoch);
    EXPECT_TRUE(done<action::ModelReady>().empty());
    EXPECT_FALSE(plane.view().load);
}

TEST_F(CoordinatorTest, EachLoadHasANewerEpochOfItsOwn)
{
    const Epoch first = load_and_wait();
    forget();
    const Epoch second = plane.load(plan()).value();
    EXPECT_GT(second, first);
    EXPECT_EQ(second & 0xffffU, first & 0xffffU);
    EXPECT_EQ(sent<StageRelease>(2).size(), 1U) << "the one before is over";
    say(2, StageReady{first + (Epoch(1000) << 16U), 1, 0, 0, 0}); // of a run of this node that it does not know
    EXPECT_GT(plane.load(plan()).value(), first + (Epoch(1000) << 16U));
}

TEST_F(CoordinatorTest, AStageThatWasGivenBackIsAFailure)
{
    const Epoch epoch = load_and_wait();
    say(2, StageReleased{epoch});
    EXPECT_EQ(done<action::ModelFailed>().size(), 1U);
}

TEST_F(CoordinatorTest, TheOwnerMayEndIt)
{
    const Epoch epoch = load_and_wait();
    plane.fail(epoch + 1, std::nullopt, Error{"Other.", {}, {}});
    EXPECT_TRUE(done<action::ModelFailed>().empty());
    plane.fail(epoch, id_of(2), Error{"The connection to {} broke.", {"peer2"}, {}});
    plane.fail(epoch, id_of(2), Error{"Twice.", {}, {}});
    EXPECT_EQ(done<action::ModelFailed>().size(), 1U);
    EXPECT_EQ(sent<StageRelease>(3).size(), 1U);
}

TEST_F(CoordinatorTest, TheModelIsPartOfTheStatus)
{
    (void)load_and_wait();
    pass(200ms, {2, 3});
    ASSERT_FALSE(sent<Status>(2).empty());
    EXPECT_EQ(sent<Status>(2).back().model, "llama");
    EXPECT_EQ(sent<Status>(2).back().model_state, "ready");
}

} // namespace
} // namespace constela::cluster
