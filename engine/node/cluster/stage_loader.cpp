// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/node/cluster/stage_loader.h"

#include <algorithm>

namespace constela::node {

using cluster::DeviceHost;
using cluster::Epoch;
using cluster::FetchedModel;
using cluster::Fetcher;
using cluster::FetchRequest;
using cluster::ModelIndex;
using cluster::NodeId;
using cluster::ShardRun;
using cluster::StageOrder;
using cluster::StagePlacement;
using cluster::StageProgress;
using cluster::WeightPeer;

StageLoader::StageLoader(ModelIndex& index, Fetcher* fetcher, Events events)
    : index_(index), fetcher_(fetcher), events_(std::move(events))
{
}

bool StageLoader::cancelled(Epoch epoch) const
{
    const std::lock_guard lock(mutex_);
    return epoch <= cancelled_;
}

void StageLoader::cancel(Epoch epoch)
{
    const std::lock_guard lock(mutex_);
    cancelled_ = std::max(cancelled_, epoch);
}

void StageLoader::start(const StageOrder& order, const NodeId& coordinator, DeviceHost& device,
                        std::vector<WeightPeer> peers)
{
    thread_.add([this, order, coordinator, &device, peers = std::move(peers)] {
        if (cancelled(order.epoch)) {
            return;
        }
        Result<Opened> opened = failure("The model could not be opened.");
        try {
            opened = open(order, peers);
        } catch (const std::exception& problem) {
            opened.error().details = problem.what();
        }
        if (cancelled(order.epoch)) {
            return;
        }
        if (!opened) {
            return events_.on_failed({order.epoch, order.stage, opened.error()});
        }
        device.assign({order, coordinator, opened->model, opened->cached});
    });
}

Result<StageLoader::Opened> StageLoader::open(const StageOrder& order, std::vector<WeightPeer> peers)
{
    StageProgress progress{order.epoch, order.stage, StageProgress::Doing::fetching, 0, order.model_bytes};
    const auto tell = [&](std::uint64_t done, std::uint64_t total) {
        progress.done = std::min(done, total);
        progress.total = total;
        events_.on_progress(progress);
    };
    const auto stop = [this, &order] { return cancelled(order.epoch); };
    Opened opened;
    std::vector<std::filesystem::path> paths;
    CONSTELA_ASSIGN(auto local, index_.find(order.model, order.model_bytes, {1, tell, stop}));
    if (local) {
        paths = local->paths;
        opened.cached = local->cached;
    } else {
        if (fetcher_ == nullptr || peers.empty()) {
            return failure("This node does not have {}, and no node that it is connected with could send it.",
                           order.model_name);
        }
        FetchRequest request;
        request.model = order.model;
        request.name = order.model_name;
        const StagePlacement& where = order.stages.at(order.stage);
        request.shards = ShardRun{where.first_shard, where.shard_count};
        request.peers = std::move(peers);
        request.on_progress = tell;
        request.cancelled = stop;
        CONSTELA_ASSIGN(FetchedModel fetched, fetcher_->fetch(request));
        paths = std::move(fetched.paths);
        opened.cached = std::move(fetched.model);
    }
    CONSTELA_ASSIGN(auto file, gguf::File::open(paths.front()));
    CONSTELA_ASSIGN(opened.model, model::Model::open(std::move(file), order.context.context));
    return opened;
}

} // namespace constela::node
