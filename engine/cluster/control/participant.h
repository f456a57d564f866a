// SPDX-License-Identifier: GPL-3.0-or-later
//
// What this node's devices hold for coordinators, itself among them: stages, from the order to the release.
//
// A device works for one coordinator at a time. What a coordinator had here ends when it says so, when it makes a newer
// placement, and when it is gone; the epoch is then over for good, whatever message of it still comes in. What is held
// is reported from time to time, so that a coordinator which no longer wants it says so once more.
//
// Threads: one. It acts by actions and messages alone.
#pragma once

#include "engine/cluster/control/actions.h"
#include "engine/cluster/control/membership.h"
#include "engine/cluster/control/post.h"
#include "engine/cluster/control/timing.h"
#include "engine/cluster/control/view.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace constela::cluster {

class Participant {
public:
    Participant(const Membership& membership, Post& post, std::vector<Action>& actions)
        : membership_(membership), post_(post), actions_(actions)
    {
    }

    void on_order(const NodeId& from, const StageOrder& order, Time now);
    void on_release(const NodeId& from, const StageRelease& release, Time now);
    /// A peer said Hello, perhaps again.
    void on_joined(const NodeId& peer, Time now);
    void on_gone(const NodeId& peer, Departure why, Time now);

    // from this node's devices
    void on_stage_progress(const StageProgress& progress, Time now);
    void on_stage_ready(const StageReady& ready, Time now);
    void on_stage_failed(const StageFailed& failed, Time now);
    void on_stage_released(Epoch epoch, Time now);

    /// This program ends: everything is given back.
    void release_all(Time now);

    void on_tick(Time now);
    [[nodiscard]] Time next_tick() const;
    [[nodiscard]] std::vector<HeldView> view() const;
    /// The epoch that the stage of `coordinator` has here, if any.
    [[nodiscard]] bool holds(Epoch epoch) const { return held_.contains(epoch); }

private:
    struct Stage {
        StageOrder order;
        HeldView::State state = HeldView::State::waiting;
        Time waiting_since{};
        StageProgress progress;
        StageReady ready;
        Error reason; ///< Of failed.
        Time next_progress{};
    };
    /// All stages of one epoch here.
    struct Held {
        NodeId coordinator;
        Incarnation incarnation = 0; ///< Of the coordinator.
        std::map<std::uint32_t, Stage> stages;
        bool releasing = false;
        bool tell = false; ///< The coordinator waits for StageReleased.
        bool started = false;
        Time next_report{};
    };
    /// Epochs of one run of a coordinator that are over: all up to this one. Kept also when it is no peer any more: it
    /// may become one again, and still think that it has something here.
    struct Over {
        Incarnation incarnation = 0;
        Epoch up_to = 0;
        std::optional<Error> reason; ///< Why, when it was not the coordinator that ended it.
    };

    [[nodiscard]] Incarnation incarnation_of(const NodeId& coordinator) const;
    void note_over(const NodeId& coordinator, Over over);
    void refuse(const NodeId& to, const StageOrder& order, const Error& reason);
    [[nodiscard]] std::optional<Error> objection(const NodeId& from, const StageOrder& order) const;
    [[nodiscard]] bool device_being_freed(const std::string& device) const;
    void begin(Stage& stage, Held& held, Time now);
    void begin_waiting(Time now);
    void end(Epoch epoch, bool tell, std::optional<Error> reason, Time now);
    void report(const Held& held, const Stage& stage);
    [[nodiscard]] Stage* loading(Epoch epoch, std::uint32_t stage);

    const Membership& membership_;
    Post& post_;
    std::vector<Action>& actions_;
    std::map<Epoch, Held> held_;
    std::map<NodeId, Over> over_;
};

} // namespace constela::cluster
