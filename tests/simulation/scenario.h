// SPDX-License-Identifier: GPL-3.0-or-later
//
// What happens to a cluster: who is paired with whom, what persons want, and everything that can go wrong, all from the
// world's seed.
#pragma once

#include "world.h"

namespace constela::simulation {

class Scenario {
public:
    explicit Scenario(World& world);
    /// Plans the whole run; after end() nothing more is to come.
    void plan();
    [[nodiscard]] Time end() const { return end_; }

private:
    void pair_all();
    void pair(NodeIndex a, NodeIndex b);
    [[nodiscard]] std::vector<cluster::Address> addresses_of(NodeIndex node);
    void happen();
    void finish();
    void load(NodeIndex node);
    void go_down(NodeIndex node);
    void come_up(NodeIndex node);
    void freeze(NodeIndex node);
    void be_slow(NodeIndex node, unsigned times);
    void jump(NodeIndex node);
    void part(NodeIndex a, NodeIndex b);
    void isolate(NodeIndex node);
    void cut(NodeIndex from, NodeIndex to, Time length);
    void break_session(NodeIndex a, NodeIndex b);
    void revoke(NodeIndex a, NodeIndex b);
    void hint(NodeIndex node, NodeIndex about);
    void speak_as_stranger(NodeIndex node, NodeIndex as);
    [[nodiscard]] NodeIndex any() { return world_.random().below(world_.size()); }
    [[nodiscard]] NodeIndex other_than(NodeIndex node);
    [[nodiscard]] bool acts(NodeIndex node) const;
    void say(const std::string& what) const;

    World& world_;
    Random& random_;
    Time quiet_from_{};
    Time end_{};
};

} // namespace constela::simulation
