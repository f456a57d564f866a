// SPDX-License-Identifier: GPL-3.0-or-later
#include "checks.h"

#include "sim_node.h"
#include "world.h"

#include <algorithm>
#include <fmt/format.h>

namespace constela::simulation {

using namespace std::chrono_literals;
using namespace cluster;

namespace {

enum Rule : std::uint64_t {
    kHolder,
    kMemory,
    kSession,
    kPeers,
    kGhost,
    kClosed,
    kSees,
    kEpochHeld,
    kEpochMissing,
    kVouched,
    kSpread
};

constexpr Time kHolderLimit = 5s;
constexpr Time kHolderLimitHard = 9s;
constexpr Time kGhostLimit = 3300ms; // a message may have been under way for a while
constexpr Time kGhostLimitHard = 3600ms;
constexpr Time kClosedLimit = 600ms;
constexpr Time kMemoryLimit = 10s;
constexpr Time kMemoryLimitHard = 14s;
constexpr Time kEpochLimit = 7s;
constexpr Time kEpochLimitHard = 12s;
constexpr Time kVouchedLimit = 2s;
constexpr Time kVouchedLimitHard = 50s;
constexpr Time kSpreadLimit = 6s;
constexpr Time kSpreadLimitHard = 32s;

bool same(const std::vector<StagePlacement>& a, const std::vector<StagePlacement>& b)
{
    return std::ranges::equal(a, b, [](const StagePlacement& x, const StagePlacement& y) {
        return x.node == y.node && x.device == y.device && x.first_shard == y.first_shard &&
               x.shard_count == y.shard_count;
    });
}

} // namespace

void Checks::on_load(const SimNode& node, Epoch epoch, const std::vector<StagePlacement>& stages)
{
    if (!placed_.emplace(epoch, Placed{node.index(), stages}).second) {
        fail(fmt::format("{} made epoch {:x}, which stood for another placement before", node.name(), epoch));
    }
}

void Checks::on_start_stage(const SimNode& node, const action::StartStage& start)
{
    const StageOrder& order = start.order;
    if (start.coordinator != node.id() && !node.store().contains(start.coordinator)) {
        fail(fmt::format("{} started a stage for {}, whom it does not trust", node.name(),
                         world_.name_of(start.coordinator)));
    }
    const auto placed = placed_.find(order.epoch);
    if (placed == placed_.end() || world_.node(placed->second.coordinator).id() != start.coordinator ||
        !same(placed->second.stages, order.stages)) {
        fail(fmt::format("{} started a stage of epoch {:x} that is not of the placement of that epoch", node.name(),
                         order.epoch));
    }
    if (!started_.insert({order.epoch, order.stage}).second) {
        fail(fmt::format("{} started stage {} of epoch {:x} a second time", node.name(), order.stage, order.epoch));
    }
    const std::string& device = order.stages[order.stage].device;
    for (const auto& [key, stage] : node.devices().stages()) {
        if (stage.order.stages[stage.order.stage].device == device &&
            (key.first != order.epoch || key.second == order.stage)) {
            fail(fmt::format("{} started epoch {:x} on {}, which still holds epoch {:x}", node.name(), order.epoch,
                             device, key.first));
        }
    }
}

void Checks::on_model_ready(const SimNode& node, Epoch epoch)
{
    ++ready_;
    for (std::uint32_t stage = 0; stage < placed_.at(epoch).stages.size(); ++stage) {
        if (!stood_.contains({epoch, stage})) {
            fail(
                fmt::format("{} says that epoch {:x} is ready, whose stage {} never stood", node.name(), epoch, stage));
        }
    }
}

void Checks::expect_ready(const SimNode& node)
{
    constexpr Time kSinceLoaded = 10s;
    for (NodeIndex a = 0; a < world_.size(); ++a) {
        for (NodeIndex b = 0; b < world_.size(); ++b) {
            if (world_.now() - world_.disturbed(a, b) < kSinceLoaded) {
                return; // somebody's word has just run out
            }
        }
    }
    const auto& load = node.control().view().load;
    if (!load || load->state != LoadView::State::ready) {
        fail(fmt::format("{} could not load a model over a quiet cluster: {}", node.name(),
                         load && load->reason ? load->reason->text() : "it is still loading"));
    }
}

void Checks::on_node_lost(const SimNode& node, const action::NodeLost& lost)
{
    constexpr Time kLongQuiet = 6s;
    const NodeIndex other = world_.index_of(lost.node);
    on_session(node.index(), other);
    if (other == world_.size() || !world_.node(other).running()) {
        return;
    }
    if (world_.now() - world_.disturbed(node.index(), other) > kLongQuiet && !world_.cut_between(node.index(), other)) {
        fail(fmt::format("{} lost {}, which answers: {}", node.name(), lost.name, lost.reason.text()));
    }
}

void Checks::on_session(NodeIndex node, NodeIndex peer)
{
    wrong_.erase({kClosed, node, peer, 0, 0}); // it may come and go again between two looks
}

void Checks::on_connect(const SimNode& node, const action::Connect& connect)
{
    if (!node.store().contains(connect.peer)) {
        fail(fmt::format("{} connects to {}, whom it does not trust", node.name(), world_.name_of(connect.peer)));
    }
}

void Checks::on_add_trust(const SimNode& node, const SimNode& other, const action::AddTrust& add)
{
    const auto voucher = node.store().find(add.by);
    if (voucher == node.store().end() || voucher->second.vouched_by) {
        fail(fmt::format("{} trusts {} on the word of {}, with whom it is not paired", node.name(), other.name(),
                         world_.name_of(add.by)));
    }
}

void Checks::on_send(const SimNode& node, const NodeId& to)
{
    if (!node.store().contains(to)) {
        fail(fmt::format("{} speaks to {}, whom it does not trust", node.name(), world_.name_of(to)));
    }
}

void Checks::look()
{
    ++looks_;
    std::vector<ControlView> views(world_.size());
    for (NodeIndex index = 0; index < world_.size(); ++index) {
        if (world_.node(index).running()) {
            views[index] = world_.node(index).control().view();
        }
    }
    for (NodeIndex index = 0; index < world_.size(); ++index) {
        const SimNode& node = world_.node(index);
        if (!node.running() || node.frozen_until() > world_.now()) {
            continue;
        }
        look_at_holders(node, views[index]);
        look_at_memory(node, views);
        look_at_trust(node, views[index]);
        look_at_losses(node, views);
        look_at_vouched(node);
        for (NodeIndex other = 0; other < world_.size(); ++other) {
            if (other != index && world_.node(other).running() && world_.node(other).frozen_until() <= world_.now()) {
                look_at_pair(node, world_.node(other), views);
            }
        }
    }
    std::erase_if(wrong_, [&](const auto& entry) { return entry.second.seen != looks_; });
}

void Checks::look_at_holders(const SimNode& node, const ControlView& view)
{
    if (!view.load || view.load->state != LoadView::State::ready) {
        return;
    }
    const Epoch epoch = view.load->epoch;
    for (std::uint32_t number = 0; number < view.load->stages.size(); ++number) {
        const SimNode& holder = world_.node(world_.index_of(view.load->stages[number].where.node));
        const auto held = holder.devices().stages().find({epoch, number});
        if (holder.running() && held != holder.devices().stages().end() && held->second.ready) {
            continue;
        }
        // What a cut held back may still be a sign of life when it ends.
        const Time excused = std::max(node.frozen_until(), world_.disturbed(node.index(), holder.index()));
        wrong({kHolder, node.index(), holder.index(), epoch, number}, excused,
              world_.hard() ? kHolderLimitHard : kHolderLimit, [&] {
                  return fmt::format("{} counts epoch {:x} as ready, but nobody holds stage {} (it was on {})",
                                     node.name(), epoch, number, holder.name());
              });
    }
}

void Checks::look_at_memory(const SimNode& node, const std::vector<ControlView>& views)
{
    for (const auto& [key, stage] : node.devices().stages()) {
        const NodeIndex owner = world_.index_of(stage.coordinator);
        const ControlView& view = views[owner];
        const bool trusted = stage.coordinator == node.id() || node.store().contains(stage.coordinator);
        if (trusted && world_.node(owner).running() && view.load && view.load->epoch == key.first &&
            view.load->state != LoadView::State::failed) {
            continue;
        }
        wrong({kMemory, node.index(), owner, key.first, key.second}, node.frozen_until(),
              world_.hard() ? kMemoryLimitHard : kMemoryLimit, [&] {
                  return fmt::format("{} holds stage {} of epoch {:x} of {}, which is gone", node.name(), key.second,
                                     key.first, world_.node(owner).name());
              });
    }
}

void Checks::look_at_trust(const SimNode& node, const ControlView& view)
{
    for (NodeIndex other = 0; other < world_.size(); ++other) {
        if (other != node.index() && world_.network().connected(node.index(), other) &&
            !node.store().contains(world_.node(other).id())) {
            wrong({kSession, node.index(), other, 0, 0}, Time(0), Time(0), [&] {
                return fmt::format("{} has a session with {}, whom it does not trust", node.name(),
                                   world_.node(other).name());
            });
        }
    }
    for (const PeerView& peer : view.peers) {
        if (!node.store().contains(peer.id)) {
            wrong({kPeers, node.index(), 0, 0, 0}, Time(0), Time(0), [&] {
                return fmt::format("{} counts {} as a peer, whom it does not trust", node.name(), peer.name);
            });
        }
    }
}

void Checks::look_at_losses(const SimNode& node, const std::vector<ControlView>& views)
{
    for (const PeerView& peer : views[node.index()].peers) {
        const NodeIndex index = world_.index_of(peer.id);
        const SimNode& other = world_.node(index);
        const Time excused = std::max(node.frozen_until(), world_.unsettled(node.index(), index));
        if (peer.state != PeerState::alive && peer.state != PeerState::suspect) {
            continue;
        }
        if (!other.running() || views[index].incarnation != peer.incarnation) {
            wrong({kGhost, node.index(), index, 0, 0}, excused, kGhostLimit,
                  [&] { return fmt::format("{} still counts on {}, which is gone", node.name(), other.name()); });
        }
        if (!world_.network().connected(node.index(), index)) {
            wrong({kClosed, node.index(), index, 0, 0}, excused, kClosedLimit, [&] {
                return fmt::format("{} still counts on {}, with which it has no session", node.name(), other.name());
            });
        }
    }
}

void Checks::look_at_vouched(const SimNode& node)
{
    const auto direct = [](const SimNode& from, const SimNode& to) {
        const auto peer = from.store().find(to.id());
        return peer != from.store().end() && !peer->second.vouched_by;
    };
    for (NodeIndex index = 0; index < world_.size(); ++index) {
        const SimNode& other = world_.node(index);
        if (index == node.index()) {
            continue;
        }
        const auto peer = node.store().find(other.id());
        const bool known = peer != node.store().end();
        if (known && !peer->second.vouched_by) {
            continue;
        }
        // Who is paired with this node and could speak for the other one?
        bool vouched = false;
        bool silent = false; // somebody's word is not to be had now, so it still counts
        Time quiet_since = other.frozen_until();
        for (NodeIndex speaker = 0; speaker < world_.size(); ++speaker) {
            const SimNode& voucher = world_.node(speaker);
            if (speaker == node.index() || speaker == index || !direct(node, voucher)) {
                continue;
            }
            if (!voucher.running() || !voucher.store().contains(node.id()) ||
                !world_.quiet_for(node.index(), speaker, world_.agreement_time())) {
                silent = true;
                continue;
            }
            vouched = vouched || direct(voucher, other);
            quiet_since = std::max(quiet_since, world_.unsettled(node.index(), speaker));
        }
        if (known && !vouched && !silent) {
            wrong({kVouched, node.index(), index, 0, 0}, quiet_since + world_.agreement_time(),
                  world_.hard() ? kVouchedLimitHard : kVouchedLimit, [&] {
                      return fmt::format("{} trusts {}, for whom nobody vouches any more", node.name(), other.name());
                  });
        }
        if (!known && vouched && !node.removed(other.id())) {
            wrong({kSpread, node.index(), index, 0, 0}, quiet_since + world_.agreement_time(),
                  world_.hard() ? kSpreadLimitHard : kSpreadLimit,
                  [&] { return fmt::format("{} was not told that it may trust {}", node.name(), other.name()); });
        }
    }
}

void Checks::look_at_pair(const SimNode& a, const SimNode& b, const std::vector<ControlView>& views)
{
    const NodeIndex ia = a.index();
    const NodeIndex ib = b.index();
    if (!a.store().contains(b.id()) || !b.store().contains(a.id()) || world_.cut_between(ia, ib)) {
        return;
    }
    const auto find = [&](NodeIndex viewer, const NodeId& id) {
        return std::ranges::find(views[viewer].peers, id, &PeerView::id);
    };
    const auto seen = find(ia, b.id());
    const auto seen_back = find(ib, a.id());
    if (seen == views[ia].peers.end() || seen_back == views[ib].peers.end()) {
        fail(fmt::format("{} and {} trust each other, and a control plane does not know it", a.name(), b.name()));
        return;
    }
    const auto reaches = [&](const PeerView& peer, NodeIndex target) {
        return std::ranges::any_of(peer.addresses,
                                   [&](const Address& address) { return world_.at(address) == target; });
    };
    const Time unsettled = world_.unsettled(ia, ib);
    if (reaches(*seen, ib) || reaches(*seen_back, ia)) {
        const std::size_t addresses = std::max(seen->addresses.size(), seen_back->addresses.size());
        if (seen->state != PeerState::alive || seen->incarnation != views[ib].incarnation) {
            wrong({kSees, ia, ib, 0, 0}, unsettled, world_.agreement_time() + 2100ms * addresses, [&] {
                return fmt::format("{} does not see {}, which is there: {}", a.name(), b.name(), to_text(seen->state));
            });
        }
    }
    if (seen->state != PeerState::alive || seen_back->state != PeerState::alive) {
        return;
    }
    const Time limit = world_.hard() ? kEpochLimitHard : kEpochLimit;
    const auto& load = views[ia].load;
    const bool in_force = load && load->state != LoadView::State::failed;
    for (const HeldView& held : views[ib].held) {
        if (held.coordinator == a.id() && held.state != HeldView::State::releasing &&
            (!in_force || load->epoch != held.epoch)) {
            wrong({kEpochHeld, ia, ib, held.epoch, 0}, unsettled, limit, [&] {
                return fmt::format("{} holds epoch {:x} for {}, where it is not in force", b.name(), held.epoch,
                                   a.name());
            });
        }
    }
    for (std::uint32_t stage = 0; in_force && stage < load->stages.size(); ++stage) {
        const bool held = std::ranges::any_of(views[ib].held, [&](const HeldView& entry) {
            return entry.epoch == load->epoch && entry.stage == stage && entry.state != HeldView::State::releasing;
        });
        if (load->stages[stage].where.node == b.id() && !held) {
            wrong({kEpochMissing, ia, ib, load->epoch, stage}, unsettled, limit, [&] {
                return fmt::format("{} has epoch {:x} in force, of which {} does not have its stage {}", a.name(),
                                   load->epoch, b.name(), stage);
            });
        }
    }
}

template <class Sentence>
void Checks::wrong(const Key& key, Time excused, Time limit, const Sentence& sentence)
{
    Wrong& entry = wrong_[key];
    if (entry.seen == 0) {
        entry.since = world_.now();
    }
    entry.seen = looks_;
    if (world_.now() - std::max(entry.since, excused) >= limit) {
        fail(sentence());
    }
}

void Checks::fail(std::string what)
{
    if (!violation_) {
        violation_ = Violation{world_.now(), std::move(what)};
        if (world_.tracing()) {
            world_.trace("VIOLATION: " + violation_->what);
        }
    }
}

} // namespace constela::simulation
