// SPDX-License-Identifier: GPL-3.0-or-later
//
// A cluster in virtual time, and what is known of how it was disturbed.
#pragma once

#include "checks.h"
#include "event_queue.h"
#include "mutation.h"
#include "network.h"
#include "random.h"
#include "sim_node.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace constela::simulation {

/// In a few words, for traces.
[[nodiscard]] std::string describe(const cluster::Message& message);

class World final : public Machines {
public:
    using Tracer = std::function<void(Time, const std::string&)>;

    World(std::uint64_t seed, Mutation mutation, Tracer tracer);

    [[nodiscard]] EventQueue& queue() { return queue_; }
    [[nodiscard]] Random& random() { return random_; }
    [[nodiscard]] Network& network() { return *network_; }
    [[nodiscard]] Checks& checks() { return checks_; }
    [[nodiscard]] Time now() const { return queue_.now(); }
    [[nodiscard]] bool hard() const { return hard_; }
    [[nodiscard]] bool tracing() const { return tracer_ != nullptr; }
    void trace(const std::string& line) const { tracer_(queue_.now(), line); }

    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] SimNode& node(NodeIndex index) { return *nodes_[index]; }
    /// size() where there is none.
    [[nodiscard]] NodeIndex index_of(const cluster::NodeId& id) const;
    [[nodiscard]] const SimNode* find(const cluster::PublicKey& key) const;
    [[nodiscard]] std::string name_of(const cluster::NodeId& id) const;

    // ---- disturbances
    /// Something happened after which the two may lose each other; counted from `until`.
    void disturb(NodeIndex a, NodeIndex b, Time until);
    void disturb_all(NodeIndex node, Time until);
    /// Something that delays them, but for which nobody may be lost.
    void hiccup(NodeIndex node, Time until);
    [[nodiscard]] Time disturbed(NodeIndex a, NodeIndex b) const { return disturbed_[a * nodes_.size() + b]; }
    /// The last disturbance or hiccup.
    [[nodiscard]] Time unsettled(NodeIndex a, NodeIndex b) const;
    [[nodiscard]] bool cut_between(NodeIndex a, NodeIndex b) const
    {
        return network_->is_cut(a, b) || network_->is_cut(b, a);
    }
    [[nodiscard]] bool quiet_for(NodeIndex a, NodeIndex b, Time time) const
    {
        return !cut_between(a, b) && now() - unsettled(a, b) >= time;
    }
    /// How long two nodes may take to see each other again over one address.
    [[nodiscard]] Time agreement_time() const { return std::chrono::seconds(hard_ ? 8 : 6); }

    /// From now on nothing fails by itself.
    void calm_down() { calm_ = true; }
    [[nodiscard]] bool calm() const { return calm_; }

    // ---- Machines
    [[nodiscard]] bool running(NodeIndex node) const override { return nodes_[node]->running(); }
    [[nodiscard]] bool powered(NodeIndex node) const override { return nodes_[node]->powered(); }
    [[nodiscard]] Time frozen_until(NodeIndex node) const override { return nodes_[node]->frozen_until(); }
    [[nodiscard]] bool admits(NodeIndex node, NodeIndex other) const override;
    [[nodiscard]] std::optional<NodeIndex> at(const cluster::Address& address) const override;
    [[nodiscard]] bool lower_id(NodeIndex a, NodeIndex b) const override { return nodes_[a]->id() < nodes_[b]->id(); }
    void on_up(NodeIndex node, NodeIndex peer, std::optional<cluster::Address> over) override;
    void on_down(NodeIndex node, NodeIndex peer) override;
    void on_message(NodeIndex node, NodeIndex from, cluster::Message message) override;

private:
    EventQueue queue_;
    Random random_;
    Tracer tracer_;
    bool hard_;
    Checks checks_;
    std::vector<std::unique_ptr<SimNode>> nodes_;
    std::unique_ptr<Network> network_;
    std::vector<Time> disturbed_;
    std::vector<Time> hiccups_;
    bool calm_ = false;
};

} // namespace constela::simulation
