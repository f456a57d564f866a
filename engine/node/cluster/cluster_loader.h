// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a node loads a model over devices, its own and those of others: finds the file, decides the placement, has the
// control plane give the orders, waits until all stages stand, and puts the pipeline together.
#pragma once

#include "engine/cluster/pipeline/pipeline_executor.h"
#include "engine/cluster/weights/model_index.h"
#include "engine/node/cluster/control_thread.h"
#include "engine/node/loading.h"
#include "engine/placement/placement.h"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace constela::node {

/// Threads: load() on the node's loading thread, one at a time; the on_... on the control thread; view() on any.
class ClusterLoader {
public:
    struct Loaded {
        cluster::Epoch epoch = 0;
        std::string name;
        placement::Placement placement;
        std::shared_ptr<const model::Model> model;
        runtime::ContextOptions options;
    };

    /// What it is given must outlive it.
    ClusterLoader(ControlThread& control, const cluster::DataPlane& plane, cluster::ModelIndex& index)
        : control_(control), plane_(plane), index_(index)
    {
    }

    [[nodiscard]] Result<LoadedModel> load(const LoadRequest& request, LoadProgress& progress,
                                           const std::function<void(ModelSnapshot)>& on_described);
    void on_ready(cluster::Epoch epoch);
    void on_failed(const cluster::action::ModelFailed& failed);
    /// What is loaded at present.
    [[nodiscard]] std::optional<Loaded> loaded() const;

private:
    /// A load that the control plane is busy with.
    struct Waiting {
        std::optional<Result<cluster::Epoch>> begun;
        bool ready = false;
        std::optional<Error> failed;
        std::vector<cluster::RouteStage> route;
        double part = 0;
    };
    struct Device {
        std::string id;
        cluster::NodeId node;
        std::string name; ///< On its node.
        std::uint64_t free = 0;
        std::string kernels;
    };

    [[nodiscard]] std::vector<Device> devices();
    [[nodiscard]] Result<cluster::ReadyPipeline> give_orders(cluster::LoadPlan plan, LoadProgress& progress);
    void give_back(cluster::Epoch epoch);

    ControlThread& control_;
    const cluster::DataPlane& plane_;
    cluster::ModelIndex& index_;
    mutable std::mutex mutex_; ///< Of the rest.
    std::condition_variable changed_;
    std::shared_ptr<Waiting> waiting_;
    cluster::PipelineExecutor* running_ = nullptr; ///< Of loaded_.
    std::optional<Loaded> loaded_;
};

} // namespace constela::node
