// SPDX-License-Identifier: GPL-3.0-or-later
//
// What must hold in every cluster, whatever happens to it. What needs a while to become true again after a disturbance
// has a limit, counted from the last disturbance of those concerned.
//
// At once: no two placements bear one epoch; a stage is started only for a trusted coordinator, and only on a device
// that holds nothing else, and only once; a model is ready only when all its stages stood; nothing is said to, and no
// session kept with, a node that is not trusted; nobody who answers is declared lost. In time: who is gone is noticed,
// after 3 s of silence or soon after its session broke; a model that counts as ready has a holder of each shard;
// nothing is held for a model that is gone; two nodes that trust and reach each other see each other, and agree on the
// epoch in force; trust spreads, and ends, with the word of those who vouch.
#pragma once

#include "engine/cluster/control/control_plane.h"
#include "network.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace constela::simulation {

class World;
class SimNode;

/// The first broken invariant of a run.
struct Violation {
    Time when{};
    std::string what;
};

class Checks {
public:
    explicit Checks(World& world) : world_(world) {}

    // at once
    void on_load(const SimNode& node, cluster::Epoch epoch, const std::vector<cluster::StagePlacement>& stages);
    void on_start_stage(const SimNode& node, const cluster::action::StartStage& start);
    void on_node_lost(const SimNode& node, const cluster::action::NodeLost& lost);
    void on_session(NodeIndex node, NodeIndex peer);
    void on_connect(const SimNode& node, const cluster::action::Connect& connect);
    void on_add_trust(const SimNode& node, const SimNode& other, const cluster::action::AddTrust& add);
    void on_send(const SimNode& node, const cluster::NodeId& to);
    void on_device_ready(const cluster::StageReady& ready) { stood_.insert({ready.epoch, ready.stage}); }
    void on_model_ready(const SimNode& node, cluster::Epoch epoch);
    /// All is quiet and free, and `node` has loaded a model over all that it sees: it must be ready by now.
    void expect_ready(const SimNode& node);
    /// From time to time.
    void look();

    [[nodiscard]] const std::optional<Violation>& violation() const { return violation_; }
    [[nodiscard]] std::size_t models_ready() const { return ready_; }

private:
    struct Placed {
        NodeIndex coordinator;
        std::vector<cluster::StagePlacement> stages;
    };
    /// What is wrong for a while: which rule, whose, about whom, of what.
    using Key = std::array<std::uint64_t, 5>;
    struct Wrong {
        Time since{};
        std::uint64_t seen = 0; ///< The look that saw it last.
    };

    void fail(std::string what);
    /// It is wrong now; a violation once it has been for `limit` since `excused`.
    template <class Sentence>
    void wrong(const Key& key, Time excused, Time limit, const Sentence& sentence);

    void look_at_holders(const SimNode& node, const cluster::ControlView& view);
    void look_at_memory(const SimNode& node, const std::vector<cluster::ControlView>& views);
    void look_at_trust(const SimNode& node, const cluster::ControlView& view);
    void look_at_losses(const SimNode& node, const std::vector<cluster::ControlView>& views);
    void look_at_vouched(const SimNode& node);
    void look_at_pair(const SimNode& a, const SimNode& b, const std::vector<cluster::ControlView>& views);

    World& world_;
    std::map<cluster::Epoch, Placed> placed_;
    std::set<std::pair<cluster::Epoch, std::uint32_t>> started_; ///< Stages.
    std::set<std::pair<cluster::Epoch, std::uint32_t>> stood_;
    std::map<Key, Wrong> wrong_;
    std::uint64_t looks_ = 0;
    std::size_t ready_ = 0;
    std::optional<Violation> violation_;
};

} // namespace constela::simulation
