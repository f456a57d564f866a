// SPDX-License-Identifier: GPL-3.0-or-later
//
// The face of the control plane: who is in the cluster, and what is loaded over it. A state machine: it is told what
// happened, and says what is to be done (actions.h). It opens no socket, starts no thread and reads no clock but the
// one it is given, so that a test can run thousands of clusters from one seed.
//
// How its owner uses it: tell it what the store trusts; bring in what the network says; call on_tick() at next_tick()
// or a little later; after each of these calls carry out take_actions() in their order. Bring in what has arrived
// before calling on_tick(). One session a peer: a second one with the same key takes the place of the first (on_up()
// again). What a peer sends is given to on_message() only between on_up() and on_down() of its session.
//
// Threads: one. Errors: sentences for people; what comes from other nodes is checked and never ends the program.
#pragma once

#include "engine/cluster/control/actions.h"
#include "engine/cluster/control/coordinator.h"
#include "engine/cluster/control/introductions.h"
#include "engine/cluster/control/known_peer.h"
#include "engine/cluster/control/membership.h"
#include "engine/cluster/control/participant.h"
#include "engine/cluster/control/post.h"
#include "engine/cluster/control/view.h"
#include "engine/cluster/time.h"

#include <optional>
#include <vector>

namespace constela::cluster {

class ControlPlane {
public:
    ControlPlane(ControlConfig config, const Clock& clock, Chance& chance);

    // ---- what is trusted
    /// New or changed. Whoever was paired here beats whoever was vouched for. At start all are to be named before
    /// anything else is called.
    void trust(const KnownPeer& peer);
    /// Cuts it at once: its session, its stages here, the loads that have a stage there, and those whom it vouched for
    /// (DropTrust). Only for whom the person turned away: nobody's word brings it back.
    void revoke(const NodeId& id);
    /// Where this node listens now, as it sees it.
    void set_addresses(std::vector<Address> addresses);

    // ---- from the network
    /// An address that discovery found or a person typed. Only of a trusted peer does it lead to a Connect.
    void on_hint(const NodeId& id, const Address& address);
    /// A session with a peer that proved that key stands; `over`: where, if this node made it.
    void on_up(const NodeId& id, const std::optional<Address>& over = std::nullopt);
    void on_down(const NodeId& id);
    void on_message(const NodeId& from, Message message);
    void on_tick();
    /// When on_tick() is to be called; kNever: something else happens before.
    [[nodiscard]] Time next_tick() const;

    // ---- the wishes of the person here, with this node as coordinator
    /// Ends what was loaded before. ModelReady or ModelFailed follows.
    Result<Epoch> load(LoadPlan plan);
    void unload();
    /// The owner found that the model cannot answer any more (a broken connection of the data plane ...).
    void fail(Epoch epoch, std::optional<NodeId> node, Error reason);
    /// Readings of this node's devices; sent on change and about once a second. revision, model and model_state are
    /// filled in here.
    void set_status(Status status);
    /// Before the program ends: everyone is told, everything is given back. Carry out the actions, then go.
    void say_goodbye();

    // ---- from this node's own devices
    void on_stage_progress(const StageProgress& progress);
    void on_stage_ready(const StageReady& ready);
    void on_stage_failed(const StageFailed& failed);
    void on_stage_released(Epoch epoch);

    // ---- out
    [[nodiscard]] std::vector<Action> take_actions();
    [[nodiscard]] ControlView view() const;

private:
    /// At the start of each call: was this node itself late?
    Time enter();
    /// At its end: events and messages to this node itself, until nothing is left.
    void settle(Time now);
    void handle(const NodeId& from, Message& message, Time now);
    void handle(const MembershipEvent& event, Time now);
    void status_changed(Time now);
    void tell_status(Time now);
    [[nodiscard]] Time due() const;

    const Clock& clock_;
    std::vector<Action> actions_;
    Membership membership_;
    Introductions introductions_;
    Post post_;
    Participant participant_;
    Coordinator coordinator_;

    Status status_;
    Time status_due_ = kNever;
    std::optional<Time> status_sent_;
    Time expected_ = kNever; ///< When the next on_tick() was to come.
};

} // namespace constela::cluster
