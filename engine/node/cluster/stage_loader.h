// SPDX-License-Identifier: GPL-3.0-or-later
//
// From an order to a stage on a device: finds the model's file on this machine by its content, or gets what the stage
// needs of it from nodes that have it, and gives it to the device.
#pragma once

#include "engine/cluster/pipeline/device_host.h"
#include "engine/cluster/weights/fetcher.h"
#include "engine/cluster/weights/model_index.h"
#include "engine/node/task_thread.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace constela::node {

/// Threads: start() and cancel() from any; it has one of its own, on which the events come.
class StageLoader {
public:
    struct Events {
        std::function<void(const cluster::StageProgress&)> on_progress;
        std::function<void(const cluster::StageFailed&)> on_failed;
    };
    /// What it is given must outlive it.
    StageLoader(cluster::ModelIndex& index, cluster::Fetcher* fetcher, Events events);

    void start(const cluster::StageOrder& order, const cluster::NodeId& coordinator, cluster::DeviceHost& device,
               std::vector<cluster::WeightPeer> peers);
    /// What has begun for the epoch, or an older one, ends soon.
    void cancel(cluster::Epoch epoch);

private:
    struct Opened {
        std::shared_ptr<const model::Model> model;
        std::shared_ptr<cluster::CachedModel> cached;
    };
    [[nodiscard]] Result<Opened> open(const cluster::StageOrder& order, std::vector<cluster::WeightPeer> peers);
    [[nodiscard]] bool cancelled(cluster::Epoch epoch) const;

    cluster::ModelIndex& index_;
    cluster::Fetcher* fetcher_;
    Events events_;
    mutable std::mutex mutex_; ///< Of the next.
    cluster::Epoch cancelled_ = 0;
    TaskThread thread_;
};

} // namespace constela::node
