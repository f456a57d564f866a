// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario.h"

#include <algorithm>
#include <fmt/format.h>

namespace constela::simulation {

using namespace std::chrono_literals;
using namespace cluster;

Scenario::Scenario(World& world) : world_(world), random_(world.random()) {}

void Scenario::plan()
{
    quiet_from_ = random_.between(8s, 40s);
    end_ = quiet_from_ + 30s;
    for (NodeIndex node = 0; node < world_.size(); ++node) {
        world_.queue().at(random_.between(0s, 1s), [this, node] { come_up(node); });
    }
    world_.queue().at(random_.between(500ms, 2s), [this] { pair_all(); });
    const Time pace = random_.between(100ms, 1500ms);
    for (Time when = 2s; when < quiet_from_; when += random_.between(10ms, pace)) {
        world_.queue().at(when, [this] { happen(); });
    }
    world_.queue().at(quiet_from_ + 18s, [this] { finish(); });
}

void Scenario::pair_all()
{
    const std::size_t shape = random_.below(4);
    for (NodeIndex a = 0; a < world_.size(); ++a) {
        for (NodeIndex b = a + 1; b < world_.size(); ++b) {
            const bool wanted = shape == 0   ? true       // everyone with everyone
                                : shape == 1 ? a == 0     // one with all others
                                : shape == 2 ? b == a + 1 // one after the other
                                             : random_.percent(50);
            if (wanted) {
                pair(a, b);
            }
        }
    }
}

void Scenario::pair(NodeIndex a, NodeIndex b)
{
    say(fmt::format("n{} and n{} are paired", a, b));
    world_.disturb(a, b, world_.now());
    SimNode& first = world_.node(a);
    SimNode& second = world_.node(b);
    const bool one_sided = random_.percent(5); // the other one did not finish
    first.pair(second, addresses_of(b));
    if (!one_sided) {
        second.pair(first, random_.percent(30) ? std::vector<Address>{} : addresses_of(a));
    }
}

std::vector<Address> Scenario::addresses_of(NodeIndex node)
{
    std::vector<Address> addresses;
    if (random_.percent(20)) {
        addresses.push_back({fmt::format("10.9.9.{}", node), 7000}); // nobody is there
    }
    const auto& good = world_.node(node).addresses();
    addresses.insert(addresses.end(), good.begin(), good.end());
    return addresses;
}

void Scenario::happen()
{
    const NodeIndex a = any();
    const NodeIndex b = other_than(a);
    const std::size_t kind = random_.below(100);
    if (kind < 26) {
        load(a);
    } else if (kind < 31) {
        if (acts(a)) {
            say(fmt::format("n{} unloads", a));
            world_.node(a).unload();
        }
    } else if (kind < 41) {
        go_down(a);
    } else if (kind < 51) {
        break_session(a, b);
    } else if (kind < 59) {
        part(a, b);
    } else if (kind < 62) {
        isolate(a);
    } else if (kind < 69) {
        freeze(a);
    } else if (kind < 75) {
        be_slow(a, 1 + static_cast<unsigned>(random_.below(10)));
    } else if (kind < 79) {
        jump(a);
    } else if (kind < 82) {
        revoke(a, b);
    } else if (kind < 85) {
        pair(a, b);
    } else if (kind < 90) {
        hint(a, b);
    } else if (kind < 95) {
        speak_as_stranger(a, b);
    } else if (kind < 97) {
        if (acts(a)) {
            world_.node(a).fail_device();
        }
    } else if (acts(a)) {
        world_.node(a).change_status();
    }
}

void Scenario::finish()
{
    world_.calm_down();
    for (NodeIndex node = 0; node < world_.size(); ++node) {
        world_.node(node).unload();
    }
    const NodeIndex node = any();
    world_.queue().after(3s, [this, node] { load(node); });
    world_.queue().at(end_ - 1ms, [this, node] { world_.checks().expect_ready(world_.node(node)); });
}

void Scenario::load(NodeIndex node)
{
    if (!acts(node)) {
        return;
    }
    std::vector<NodeId> nodes{world_.node(node).id()};
    for (const PeerView& peer : world_.node(node).control().view().peers) {
        if (peer.state == PeerState::alive) {
            nodes.push_back(peer.id);
        }
    }
    std::vector<std::pair<NodeId, std::string>> devices;
    for (const NodeId& id : nodes) {
        devices.emplace_back(id, "cpu0");
        devices.emplace_back(id, "gpu0");
    }
    for (std::size_t place = devices.size(); place > 1; --place) {
        std::swap(devices[place - 1], devices[random_.below(place)]);
    }
    devices.resize(1 + random_.below(std::min<std::size_t>(devices.size(), 5)));
    std::vector<StagePlacement> stages;
    std::uint32_t next = 0;
    for (const auto& [id, device] : devices) {
        const auto count = 1 + static_cast<std::uint32_t>(random_.below(4));
        stages.push_back({id, device, next, count});
        next += count;
    }
    world_.node(node).load(std::move(stages));
}

void Scenario::go_down(NodeIndex node)
{
    SimNode& machine = world_.node(node);
    if (!machine.running()) {
        return;
    }
    const std::size_t how = random_.below(3);
    if (how == 2 && !acts(node)) {
        return;
    }
    say(fmt::format("n{} {}", node, how == 0 ? "is killed" : how == 1 ? "loses power" : "is closed"));
    world_.disturb_all(node, world_.now());
    if (how == 2) {
        machine.leave();
    } else {
        machine.crash(how == 1);
    }
    const Time back = std::min(
        world_.now() + (random_.percent(50) ? random_.between(1ms, 500ms) : random_.between(500ms, 6s)), quiet_from_);
    world_.queue().at(back, [this, node] { come_up(node); });
}

void Scenario::come_up(NodeIndex node)
{
    if (!world_.node(node).running()) {
        say(fmt::format("n{} is started", node));
        world_.disturb_all(node, world_.now());
        world_.node(node).start();
    }
}

void Scenario::freeze(NodeIndex node)
{
    if (!acts(node)) {
        return;
    }
    const Time until = std::min(world_.now() + random_.between(500ms, 6s), quiet_from_);
    say(fmt::format("n{} is frozen for {} ms", node, (until - world_.now()) / 1ms));
    world_.disturb_all(node, until);
    world_.node(node).freeze(until);
}

void Scenario::be_slow(NodeIndex node, unsigned times)
{
    if (!acts(node) || world_.now() > quiet_from_ - 1s) {
        return;
    }
    const Time until = world_.now() + random_.between(10ms, 900ms);
    say(fmt::format("n{} is slow for {} ms", node, (until - world_.now()) / 1ms));
    world_.hiccup(node, until);
    world_.node(node).freeze(until);
    if (times > 1) {
        world_.queue().at(until + random_.between(5ms, 100ms), [this, node, times] { be_slow(node, times - 1); });
    }
}

void Scenario::jump(NodeIndex node)
{
    const Time ahead = random_.percent(50) ? random_.between(1ms, 900ms) : random_.between(900ms, 10h);
    say(fmt::format("the clock of n{} jumps by {} ms", node, ahead / 1ms));
    world_.hiccup(node, world_.now());
    world_.node(node).clock().jump(ahead);
}

void Scenario::part(NodeIndex a, NodeIndex b)
{
    const Time length = random_.between(50ms, 8s);
    const std::size_t ways = random_.below(3);
    if (ways != 1) {
        cut(a, b, length);
    }
    if (ways != 2) {
        cut(b, a, length);
    }
}

void Scenario::isolate(NodeIndex node)
{
    const Time length = random_.between(500ms, 8s);
    for (NodeIndex other = 0; other < world_.size(); ++other) {
        if (other != node) {
            cut(node, other, length);
            cut(other, node, length);
        }
    }
}

void Scenario::cut(NodeIndex from, NodeIndex to, Time length)
{
    if (world_.network().is_cut(from, to)) {
        return;
    }
    const Time until = std::min(world_.now() + length, quiet_from_);
    say(fmt::format("nothing comes from n{} to n{} for {} ms", from, to, (until - world_.now()) / 1ms));
    world_.disturb(from, to, until);
    world_.network().cut(from, to);
    world_.queue().at(until, [this, from, to] {
        world_.disturb(from, to, world_.now());
        world_.network().heal(from, to);
    });
}

void Scenario::break_session(NodeIndex a, NodeIndex b)
{
    say(fmt::format("the connection of n{} and n{} breaks", a, b));
    world_.disturb(a, b, world_.now());
    world_.network().break_session(a, b);
}

void Scenario::revoke(NodeIndex a, NodeIndex b)
{
    say(fmt::format("n{} revokes n{}", a, b));
    world_.disturb(a, b, world_.now());
    world_.node(a).revoke(world_.node(b).id());
    if (random_.percent(50)) {
        speak_as_stranger(a, b);
    }
}

void Scenario::hint(NodeIndex node, NodeIndex about)
{
    if (!acts(node)) {
        return;
    }
    const bool forged = random_.percent(40);
    const auto& good = world_.node(about).addresses();
    const Address address =
        forged ? Address{fmt::format("10.8.8.{}", random_.below(200)), 7000} : good[random_.below(good.size())];
    say(fmt::format("n{} hears that n{} is at {}", node, about, address.host));
    world_.node(node).on_hint(world_.node(about).id(), address);
}

void Scenario::speak_as_stranger(NodeIndex node, NodeIndex as)
{
    const NodeId& id = world_.node(as).id();
    // A node that is not trusted, or whose session is over: what it said may still lie in a buffer.
    if (!acts(node) || node == as || world_.network().connected(node, as)) {
        return;
    }
    StageOrder order;
    order.epoch =
        random_.number() >> 8U << 16U | std::to_integer<Epoch>(id.bytes[0]) << 8U | std::to_integer<Epoch>(id.bytes[1]);
    order.model_name = "evil";
    order.stages = {{world_.node(node).id(), "cpu0", 0, 4}};
    std::vector<Message> messages;
    if (random_.percent(50)) {
        messages.emplace_back(Hello{kProtocol, "1.0", "evil", random_.number(), {}, {}});
    }
    messages.emplace_back(std::move(order));
    messages.emplace_back(Introduction{world_.node(any()).key(), "evil", {}, true});
    messages.emplace_back(Heartbeat{1, 1});
    for (Message& message : messages) {
        world_.node(node).on_message(id, std::move(message));
    }
}

NodeIndex Scenario::other_than(NodeIndex node)
{
    const NodeIndex other = random_.below(world_.size() - 1);
    return other < node ? other : other + 1;
}

bool Scenario::acts(NodeIndex node) const
{
    return world_.node(node).running() && world_.node(node).frozen_until() <= world_.now();
}

void Scenario::say(const std::string& what) const
{
    if (world_.tracing()) {
        world_.trace("# " + what);
    }
}

} // namespace constela::simulation
