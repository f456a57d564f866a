// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who tells whom of third nodes, and whose word for them is taken.
//
// A node vouches only for peers that it is paired with itself, so trust goes one step and no further; of the others it
// tells the addresses. It says so when a peer joins and every 10 s; what a live voucher no longer says ends by itself,
// so that a Withdrawal which never arrived does no lasting harm.
//
// Threads: one. It acts by actions alone.
#pragma once

#include "engine/cluster/control/actions.h"
#include "engine/cluster/control/membership.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace constela::cluster {

class Introductions {
public:
    Introductions(Membership& membership, std::vector<Action>& actions);

    /// The owner trusts a peer from now on. False: it must not, since its person revoked that key.
    [[nodiscard]] bool on_trust(const KnownPeer& peer, Time now);
    /// The person revoked it: cuts it and all whom only it vouched for, tells those who trust it on our word.
    void revoke(const NodeId& id);

    void on_joined(const NodeId& id, Time now);
    void on_introduction(const NodeId& from, Introduction introduction, Time now);
    void on_withdrawal(const NodeId& from, const Withdrawal& withdrawal);
    void on_tick(Time now);
    [[nodiscard]] Time next_tick() const { return next_round_; }
    /// This node was frozen or starved: nobody's word is old for that.
    void forgive(Time now);

private:
    void introduce(const NodeId& to);
    /// `voucher` stands for `id` no longer. Cuts it when nobody else does; with `cut` in any case, since the store has
    /// dropped it too, and begins anew with the word of another.
    void unvouch(const NodeId& id, const NodeId& voucher, bool cut);
    void drop_vouched_by(const NodeId& voucher);

    Membership& membership_;
    std::vector<Action>& actions_;
    Time next_round_ = kNever;
    std::map<PublicKey, NodeId> revoked_;
    std::vector<NodeId> withdrawn_;                  ///< Whom we vouched for before; told to each peer that joins.
    std::set<std::pair<PublicKey, NodeId>> offered_; ///< Asked of the owner already.
};

} // namespace constela::cluster
