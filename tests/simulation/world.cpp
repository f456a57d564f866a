// SPDX-License-Identifier: GPL-3.0-or-later
#include "world.h"

#include <algorithm>
#include <fmt/format.h>
#include <type_traits>

namespace constela::simulation {

using namespace std::chrono_literals;
using namespace cluster;

std::string describe(const Message& message)
{
    static constexpr std::array kNames = {
        "Hello",        "Refusal",       "Heartbeat",  "HeartbeatReply", "Goodbye",      "Status",
        "Introduction", "Withdrawal",    "StageOrder", "StageProgress",  "StageReady",   "StageFailed",
        "StageRelease", "StageReleased", "Command",    "CommandReply",   "CommandCancel"};
    static_assert(kNames.size() == std::variant_size_v<Message>);
    std::string text = kNames[message.index()];
    std::visit(
        [&](const auto& it) {
            if constexpr (requires { it.epoch; }) {
                text += fmt::format(" {:x}", it.epoch);
            }
            if constexpr (requires { it.stage; }) {
                text += fmt::format(" stage {}", it.stage);
            }
            if constexpr (requires { it.incarnation; }) {
                text += fmt::format(" {:x}", it.incarnation);
            }
            if constexpr (requires { it.reason; }) {
                text += ": " + it.reason.text();
            }
            if constexpr (requires { it.vouched; }) {
                text += fmt::format(" {}{}", it.name, it.vouched ? " vouched" : "");
            }
        },
        message);
    return text;
}

World::World(std::uint64_t seed, Mutation mutation, Tracer tracer)
    : random_(seed), tracer_(std::move(tracer)), hard_(random_.percent(25)), checks_(*this)
{
    // Mostly few nodes: most of what goes wrong needs no more, and small clusters are quick.
    const std::size_t count = 2 + std::min(random_.below(7), random_.below(7));
    const NodeIndex wrong = random_.below(count);
    for (NodeIndex index = 0; index < count; ++index) {
        nodes_.push_back(std::make_unique<SimNode>(*this, index, index == wrong ? mutation : Mutation::none));
    }
    network_ = std::make_unique<Network>(queue_, random_, *this, count, hard_);
    disturbed_.resize(count * count);
    hiccups_.resize(count);
}

NodeIndex World::index_of(const NodeId& id) const
{
    const auto found = std::ranges::find_if(nodes_, [&](const auto& node) { return node->id() == id; });
    return static_cast<NodeIndex>(found - nodes_.begin());
}

const SimNode* World::find(const PublicKey& key) const
{
    const auto found = std::ranges::find_if(nodes_, [&](const auto& node) { return node->key() == key; });
    return found == nodes_.end() ? nullptr : found->get();
}

std::string World::name_of(const NodeId& id) const
{
    const NodeIndex index = index_of(id);
    return index == nodes_.size() ? "a stranger" : nodes_[index]->name();
}

void World::disturb(NodeIndex a, NodeIndex b, Time until)
{
    for (const std::size_t place : {a * nodes_.size() + b, b * nodes_.size() + a}) {
        disturbed_[place] = std::max(disturbed_[place], until);
    }
}

void World::disturb_all(NodeIndex node, Time until)
{
    for (NodeIndex other = 0; other < nodes_.size(); ++other) {
        disturb(node, other, until);
    }
}

void World::hiccup(NodeIndex node, Time until)
{
    hiccups_[node] = std::max(hiccups_[node], until);
}

Time World::unsettled(NodeIndex a, NodeIndex b) const
{
    return std::max({disturbed(a, b), hiccups_[a], hiccups_[b]});
}

bool World::admits(NodeIndex node, NodeIndex other) const
{
    return nodes_[node]->store().contains(nodes_[other]->id());
}

std::optional<NodeIndex> World::at(const Address& address) const
{
    for (const auto& node : nodes_) {
        if (std::ranges::find(node->addresses(), address) != node->addresses().end()) {
            return node->index();
        }
    }
    return std::nullopt;
}

void World::on_up(NodeIndex node, NodeIndex peer, std::optional<Address> over)
{
    if (tracing()) {
        trace(fmt::format("{} has a session with {}{}", nodes_[node]->name(), nodes_[peer]->name(),
                          over ? " over " + over->host : ""));
    }
    checks_.on_session(node, peer);
    nodes_[node]->on_up(nodes_[peer]->id(), over);
}

void World::on_down(NodeIndex node, NodeIndex peer)
{
    if (tracing()) {
        trace(fmt::format("{} sees its session with {} break", nodes_[node]->name(), nodes_[peer]->name()));
    }
    nodes_[node]->on_down(nodes_[peer]->id());
}

void World::on_message(NodeIndex node, NodeIndex from, Message message)
{
    nodes_[node]->on_message(nodes_[from]->id(), std::move(message));
}

} // namespace constela::simulation
