// SPDX-License-Identifier: GPL-3.0-or-later
//
// One simulated machine: the real ControlPlane with an owner that carries out its actions, a store of trusted peers
// that outlives the process, devices, and a clock of its own.
#pragma once

#include "device_host.h"
#include "engine/cluster/control/control_plane.h"
#include "mutation.h"
#include "network.h"
#include "random.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace constela::simulation {

class World;

/// Runs a little fast or slow, began at any time, and can jump ahead.
class SimClock final : public cluster::Clock {
public:
    SimClock(const EventQueue& queue, Time offset, int ppm) : queue_(queue), offset_(offset), ppm_(ppm) {}
    [[nodiscard]] Time now() const override
    {
        const Time world = queue_.now();
        return world + Time(world.count() / 1'000'000 * ppm_) + offset_;
    }
    /// The moment of the world at which it will show `local`, or a little later.
    [[nodiscard]] Time world_time(Time local) const
    {
        const Time::rep elapsed = (local - offset_).count();
        return Time(elapsed / (1'000'000 + ppm_) * 1'000'000) + std::chrono::microseconds(2000);
    }
    void jump(Time ahead) { offset_ += ahead; }
    void set_rate(int ppm) { ppm_ = ppm; }

private:
    const EventQueue& queue_;
    Time offset_;
    int ppm_;
};

class SimNode {
public:
    SimNode(World& world, NodeIndex index, Mutation mutation);

    // ---- what stays
    [[nodiscard]] NodeIndex index() const { return index_; }
    [[nodiscard]] const cluster::NodeId& id() const { return id_; }
    [[nodiscard]] const cluster::PublicKey& key() const { return key_; }
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::vector<cluster::Address>& addresses() const { return addresses_; }
    [[nodiscard]] const std::map<cluster::NodeId, cluster::KnownPeer>& store() const { return store_; }
    [[nodiscard]] bool removed(const cluster::NodeId& id) const { return removed_.contains(id); }
    [[nodiscard]] SimClock& clock() { return clock_; }

    // ---- the process
    void start();
    /// As kill -9 does it, or, `silently`, a power cut.
    void crash(bool silently);
    void leave(); ///< Says goodbye.
    [[nodiscard]] bool running() const { return control_ != nullptr; }
    [[nodiscard]] bool powered() const { return powered_; }
    [[nodiscard]] cluster::ControlPlane& control() { return *control_; }
    [[nodiscard]] const cluster::ControlPlane& control() const { return *control_; }
    [[nodiscard]] const DeviceHost& devices() const { return devices_; }

    // ---- busy or frozen
    void freeze(Time until);
    [[nodiscard]] Time frozen_until() const { return frozen_until_; }

    // ---- commands
    void pair(const SimNode& other, std::vector<cluster::Address> addresses);
    void revoke(const cluster::NodeId& other);
    void load(std::vector<cluster::StagePlacement> stages);
    void unload();
    void fail_device(); ///< One stage that stands here dies.
    void change_status();

    // ---- from the network
    void on_up(const cluster::NodeId& peer, const std::optional<cluster::Address>& over);
    void on_down(const cluster::NodeId& peer);
    void on_message(const cluster::NodeId& from, cluster::Message message);
    void on_hint(const cluster::NodeId& peer, const cluster::Address& address);

private:
    /// Carries out what the control plane asks for, and plans its next tick.
    void settle();
    void carry_out(cluster::Action& action);
    void send(const cluster::action::Send& send);
    void start_stage(const cluster::action::StartStage& start);
    void load_step(const DeviceHost::Key& key, unsigned step);
    void release_stage(cluster::Epoch epoch);
    void add_trust(const cluster::action::AddTrust& add);
    void plan_tick();
    /// Calls `what` in this process after a while, unless it is gone by then; a frozen one does it when it wakes.
    void later(Time delay, std::function<void()> what);

    World& world_;
    NodeIndex index_;
    Mutation mutation_;
    std::string name_;
    cluster::PublicKey key_;
    cluster::NodeId id_;
    std::vector<cluster::Address> addresses_;
    std::map<cluster::NodeId, cluster::KnownPeer> store_;
    std::set<cluster::NodeId> removed_;
    std::uint64_t constant_chance_;
    SimClock clock_;

    bool powered_ = true;
    std::uint64_t process_ = 0; ///< Counts starts.
    std::unique_ptr<SimChance> chance_;
    std::unique_ptr<cluster::ControlPlane> control_;
    DeviceHost devices_;
    std::set<cluster::NodeId> dialed_;
    Time frozen_until_{0};
    Time tick_at_ = cluster::kNever;
    std::uint64_t tick_ = 0;
};

} // namespace constela::simulation
