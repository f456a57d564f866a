// SPDX-License-Identifier: GPL-3.0-or-later
//
// The devices of one simulated node: loading takes a while and may fail, memory is held from the order until it is
// freed, and freeing takes a while too.
#pragma once

#include "engine/cluster/messages.h"
#include "random.h"

#include <map>
#include <string>
#include <utility>

namespace constela::simulation {

struct DeviceStage {
    cluster::StageOrder order;
    cluster::NodeId coordinator;
    bool ready = false;
    bool failed = false;
};

/// What is held, by epoch and stage. It only keeps count; the node plans the times.
class DeviceHost {
public:
    using Key = std::pair<cluster::Epoch, std::uint32_t>;

    [[nodiscard]] std::map<Key, DeviceStage>& stages() { return stages_; }
    [[nodiscard]] const std::map<Key, DeviceStage>& stages() const { return stages_; }
    [[nodiscard]] DeviceStage* find(cluster::Epoch epoch, std::uint32_t stage)
    {
        const auto found = stages_.find({epoch, stage});
        return found == stages_.end() ? nullptr : &found->second;
    }
    /// The epoch is being freed: what is still loading for it stops.
    void stop(cluster::Epoch epoch) { stopped_[epoch] = true; }
    [[nodiscard]] bool stopped(cluster::Epoch epoch) const { return stopped_.contains(epoch); }
    void free(cluster::Epoch epoch)
    {
        std::erase_if(stages_, [&](const auto& entry) { return entry.first.first == epoch; });
        stopped_.erase(epoch);
    }

private:
    std::map<Key, DeviceStage> stages_;
    std::map<cluster::Epoch, bool> stopped_;
};

} // namespace constela::simulation
