// SPDX-License-Identifier: GPL-3.0-or-later
//
// The model that this node has loaded over devices of several nodes: orders, progress, readiness, failure, release.
//
// Epochs that are over are released at each node until it confirms or is lost. Whatever a node reports of an epoch that
// is not in force is answered with its release; whatever a node no longer reports is asked for by sending its order
// again, which a participant that has the stage answers with its state, and one that gave it back with a failure.
//
// Threads: one. It acts by actions and messages alone.
#pragma once

#include "engine/base/result.h"
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

/// What a person wants: a model over devices. The stages are in the order of a token's way and leave no gap.
struct LoadPlan {
    ContentHash model;
    std::string model_name;
    std::uint64_t model_bytes = 0;
    std::string kernels;
    ContextSettings context;
    std::vector<StagePlacement> stages;
};

class Coordinator {
public:
    Coordinator(const Membership& membership, Post& post, std::vector<Action>& actions, Chance& chance);

    /// Ends what was loaded before.
    Result<Epoch> load(LoadPlan plan, Time now);
    void unload(Time now);
    /// It cannot answer any more, as the owner has found out; nothing happens when that epoch is not in force.
    void fail(Epoch epoch, std::optional<NodeId> node, Error reason, Time now);

    void on_joined(const NodeId& peer, Time now);
    void on_gone(const NodeId& peer, const std::string& name, Time now);
    void on_progress(const NodeId& from, const StageProgress& progress, Time now);
    void on_ready(const NodeId& from, const StageReady& ready, Time now);
    void on_failed(const NodeId& from, const StageFailed& failed, Time now);
    void on_released(const NodeId& from, const StageReleased& released, Time now);

    void on_tick(Time now);
    [[nodiscard]] Time next_tick() const;
    /// In force, or the last one that failed and was not unloaded.
    [[nodiscard]] const std::optional<LoadView>& view() const { return view_; }

private:
    struct Stage {
        Time ask_at{}; ///< When its order is sent again unless something is heard of it before.
    };
    struct Release {
        NodeId node;
        Time again{};
    };

    [[nodiscard]] bool in_force(Epoch epoch) const;
    /// The stage of a report of `from`. None: the report is not of the placement in force; its release is seen to.
    [[nodiscard]] StageView* reported(const NodeId& from, Epoch epoch, std::uint32_t stage, Time now);
    void order(std::uint32_t stage, Time now);
    /// The placement in force is over at all its nodes but those that are gone.
    void release_all(Time now);
    void release(Epoch epoch, const NodeId& node, Time now);
    void see(Epoch epoch);

    const Membership& membership_;
    Post& post_;
    std::vector<Action>& actions_;
    Epoch count_; ///< Of the last placement made or seen.
    LoadPlan plan_;
    std::optional<LoadView> view_;
    std::vector<Stage> stages_; ///< Of the placement in force.
    std::multimap<Epoch, Release> releases_;
};

} // namespace constela::cluster
