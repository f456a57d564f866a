// SPDX-License-Identifier: GPL-3.0-or-later
//
// What this node's devices hold for other coordinators.
#include "one_node.h"

#include "engine/cluster/control/epochs.h"

namespace constela::cluster {
namespace {

class ParticipantTest : public OneNode {
protected:
    [[nodiscard]] static StageOrder order(unsigned coordinator, Epoch count, const std::string& device = "cpu0")
    {
        StageOrder order;
        order.epoch = make_epoch(count, id_of(coordinator));
        order.model_name = "llama";
        order.stages = {{id_of(coordinator), "cpu0", 0, 4}, {id_of(1), device, 4, 4}};
        order.stage = 1;
        return order;
    }
    [[nodiscard]] static Epoch epoch(unsigned coordinator, Epoch count)
    {
        return make_epoch(count, id_of(coordinator));
    }
};

TEST_F(ParticipantTest, AnOrderIsCarriedOutOnceAndReported)
{
    join(2);
    say(2, order(2, 5));
    say(2, order(2, 5));
    ASSERT_EQ(done<action::StartStage>().size(), 1U);
    EXPECT_EQ(done<action::StartStage>()[0].coordinator, id_of(2));
    EXPECT_EQ(sent<StageProgress>(2).size(), 1U) << "a question is answered";
    plane.on_stage_progress({epoch(2, 5), 1, StageProgress::Doing::placing, 1, 4});
    plane.on_stage_progress({epoch(2, 5), 1, StageProgress::Doing::placing, 2, 4});
    EXPECT_EQ(sent<StageProgress>(2).size(), 2U) << "not each byte";
    plane.on_stage_ready({epoch(2, 5), 1, 40, 4, 7009});
    ASSERT_EQ(sent<StageReady>(2).size(), 1U);
    EXPECT_EQ(sent<StageReady>(2)[0].data_port, 7009);
    ASSERT_EQ(plane.view().held.size(), 1U);
    EXPECT_EQ(plane.view().held[0].state, HeldView::State::ready);
    forget();
    pass(4100ms, {2});
    EXPECT_EQ(sent<StageReady>(2).size(), 2U) << "and said again from time to time";
}

TEST_F(ParticipantTest, AReleaseFreesAndIsConfirmedWhenItIsDone)
{
    join(2);
    say(2, order(2, 5));
    say(2, StageRelease{epoch(2, 5)});
    say(2, StageRelease{epoch(2, 5)});
    ASSERT_EQ(done<action::ReleaseStage>().size(), 1U);
    EXPECT_TRUE(sent<StageReleased>(2).empty());
    plane.on_stage_ready({epoch(2, 5), 1, 40, 4, 7009}); // it was nearly done
    EXPECT_TRUE(sent<StageReady>(2).empty());
    plane.on_stage_released(epoch(2, 5));
    EXPECT_EQ(sent<StageReleased>(2).size(), 1U);
    EXPECT_TRUE(plane.view().held.empty());

    forget();
    say(2, order(2, 5)); // a late double
    EXPECT_TRUE(done<action::StartStage>().empty());
    EXPECT_EQ(sent<StageReleased>(2).size(), 1U);
    say(2, StageRelease{epoch(2, 5)});
    EXPECT_EQ(sent<StageReleased>(2).size(), 2U);
}

TEST_F(ParticipantTest, AReleaseThatOvertakesItsOrderWins)
{
    join(2);
    say(2, StageRelease{epoch(2, 5)});
    say(2, order(2, 5));
    EXPECT_TRUE(done<action::StartStage>().empty());
}

TEST_F(ParticipantTest, ANewerPlacementEndsTheOlderOneFirst)
{
    join(2);
    say(2, order(2, 5));
    forget();
    say(2, order(2, 6));
    EXPECT_EQ(done<action::ReleaseStage>().size(), 1U);
    EXPECT_TRUE(done<action::StartStage>().empty()) << "the memory is not free yet";
    say(2, order(2, 4));
    ASSERT_EQ(sent<StageReleased>(2).size(), 1U) << "what is older is over";
    plane.on_stage_released(epoch(2, 5));
    ASSERT_EQ(done<action::StartStage>().size(), 1U);
    EXPECT_EQ(done<action::StartStage>()[0].order.epoch, epoch(2, 6));
}

TEST_F(ParticipantTest, AnOlderPlacementIsRefused)
{
    join(2);
    say(2, order(2, 6));
    forget();
    say(2, order(2, 5));
    EXPECT_TRUE(done<action::StartStage>().empty());
    EXPECT_EQ(sent<StageFailed>(2).size(), 1U);
}

TEST_F(ParticipantTest, ADeviceWorksForOneCoordinator)
{
    join(2);
    join(3);
    say(2, order(2, 5));
    say(3, order(3, 5));
    EXPECT_EQ(done<action::StartStage>().size(), 1U);
    ASSERT_EQ(sent<StageFailed>(3).size(), 1U);
    EXPECT_EQ(sent<StageFailed>(3)[0].reason.text(), "cpu0 on here is in use for llama, which peer2 loaded. Unload it "
                                                     "there, or choose other devices.");
    say(3, order(3, 6, "cpu1"));
    EXPECT_EQ(done<action::StartStage>().size(), 2U) << "another device is free";
    say(2, StageRelease{epoch(2, 5)});
    say(3, order(3, 7));
    plane.on_stage_released(epoch(3, 6));
    EXPECT_EQ(done<action::StartStage>().size(), 2U);
    plane.on_stage_released(epoch(2, 5));
    EXPECT_EQ(done<action::StartStage>().size(), 3U) << "and so is this one now";
}

TEST_F(ParticipantTest, ADeviceThatIsNotGivenBackIsAFailureInWords)
{
    join(2);
    join(3);
    say(2, order(2, 5));
    say(2, StageRelease{epoch(2, 5)});
    say(3, order(3, 5));
    pass(9s, {2, 3});
    EXPECT_TRUE(sent<StageFailed>(3).empty());
    pass(1100ms, {2, 3});
    ASSERT_FALSE(sent<StageFailed>(3).empty());
    EXPECT_NE(sent<StageFailed>(3)[0].reason.text().find("has not given back"), std::string::npos);
}

TEST_F(ParticipantTest, OrdersThatMakeNoSenseAreRefused)
{
    join(2);
    StageOrder foreign = order(2, 5);
    foreign.epoch = epoch(3, 5);
    StageOrder beyond = order(2, 5);
    beyond.stage = 2;
    StageOrder elsewhere = order(2, 5);
    elsewhere.stage = 0;
    StageOrder endless = order(2, 5);
    endless.stages[1].first_shard = 0xffffffffU;
    StageOrder empty = order(2, 5);
    empty.stages[1].shard_count = 0;
    for (const StageOrder& wrong : {foreign, beyond, elsewhere, endless, empty}) {
        say(2, wrong);
    }
    EXPECT_TRUE(done<action::StartStage>().empty());
    EXPECT_EQ(sent<StageFailed>(2).size(), 5U);
}

TEST_F(ParticipantTest, ALostCoordinatorsMemoryIsFreeAtOnce)
{
    join(2);
    say(2, order(2, 5));
    pass(2800ms);
    ASSERT_EQ(done<action::ReleaseStage>().size(), 1U);
    plane.on_stage_released(epoch(2, 5));

    // The same run of it comes back and still counts on us.
    plane.on_up(id_of(2));
    say(2, hello(2));
    forget();
    say(2, order(2, 5));
    EXPECT_TRUE(done<action::StartStage>().empty());
    ASSERT_EQ(sent<StageFailed>(2).size(), 1U);
    EXPECT_NE(sent<StageFailed>(2)[0].reason.text().find("gave back its part of llama"), std::string::npos);
    say(2, order(2, 6));
    EXPECT_EQ(done<action::StartStage>().size(), 1U) << "what is new is welcome";
}

TEST_F(ParticipantTest, ARestartedCoordinatorBeginsAnew)
{
    join(2);
    say(2, order(2, 500));
    plane.on_down(id_of(2));
    plane.on_up(id_of(2));
    say(2, hello(2, kRun + 1));
    ASSERT_EQ(done<action::ReleaseStage>().size(), 1U);
    plane.on_stage_released(epoch(2, 500));
    forget();
    say(2, order(2, 5)); // a lower number, but of another run
    EXPECT_EQ(done<action::StartStage>().size(), 1U);
}

TEST_F(ParticipantTest, ARevokedCoordinatorIsCutAndWhatWasOverStaysOver)
{
    join(2);
    say(2, order(2, 5));
    plane.revoke(id_of(2));
    ASSERT_EQ(done<action::ReleaseStage>().size(), 1U);
    plane.on_stage_released(epoch(2, 5));
    join(2); // paired again; the same run of it
    forget();
    say(2, order(2, 5));
    EXPECT_TRUE(done<action::StartStage>().empty());
    EXPECT_EQ(sent<StageFailed>(2).size(), 1U);
}

TEST_F(ParticipantTest, ADeviceThatFailsIsReportedUntilItIsReleased)
{
    join(2);
    say(2, order(2, 5));
    plane.on_stage_ready({epoch(2, 5), 1, 40, 4, 7009});
    plane.on_stage_failed({epoch(2, 5), 1, Error{"The GPU fell off the bus.", {}, {}}});
    EXPECT_EQ(sent<StageFailed>(2).size(), 1U);
    pass(4100ms, {2});
    EXPECT_EQ(sent<StageFailed>(2).size(), 3U);
    say(2, StageRelease{epoch(2, 5)});
    EXPECT_EQ(done<action::ReleaseStage>().size(), 1U);
}

TEST_F(ParticipantTest, AReleaseOfAnotherCoordinatorDoesNothing)
{
    join(2);
    join(3);
    say(2, order(2, 5));
    say(3, StageRelease{epoch(2, 5)});
    EXPECT_TRUE(done<action::ReleaseStage>().empty());
}

TEST_F(ParticipantTest, ClosingTheProgramFreesEverything)
{
    join(2);
    say(2, order(2, 5));
    plane.say_goodbye();
    EXPECT_EQ(done<action::ReleaseStage>().size(), 1U);
    EXPECT_EQ(sent<Goodbye>(2).size(), 1U);
}

} // namespace
} // namespace constela::cluster
