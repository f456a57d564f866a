// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/node/cluster/cluster_loader.h"

#include "engine/node/cluster/spread.h"
#include "engine/placement/placement_file.h"

#include <algorithm>
#include <future>

namespace constela::node {

namespace action = cluster::action;
using cluster::ContextSettings;
using cluster::ControlView;
using cluster::Epoch;
using cluster::LoadPlan;
using cluster::LocalModel;
using cluster::NodeId;
using cluster::PeerState;
using cluster::PeerView;
using cluster::PipelineExecutor;
using cluster::ReadyPipeline;
using cluster::StageView;

namespace {

constexpr auto kLookTime = std::chrono::milliseconds(50);
/// Of each device's memory this part, and no more than so many bytes, stay free for others.
constexpr std::uint64_t kReservePart = 20;
constexpr std::uint64_t kMostReserve = 200'000'000;

/// The sets from the one that all machines have to the one that few have.
constexpr std::array<std::string_view, 4> kSets{"reference", "avx2", "avx512", "amx"};

std::size_t rank(std::string_view set)
{
    return static_cast<std::size_t>(std::find(kSets.begin(), kSets.end(), set) - kSets.begin());
}

tl::unexpected<Error> cancelled()
{
    return failure("Loading was cancelled.");
}

ContextSettings settings_of(const runtime::ContextOptions& options)
{
    return {static_cast<std::uint32_t>(options.context),        options.positions,
            static_cast<std::uint32_t>(options.max_batch),      static_cast<std::uint32_t>(options.sequences),
            static_cast<std::uint32_t>(options.page_positions), static_cast<std::uint8_t>(options.kv_type)};
}

} // namespace

/// Of this node and of those that answer, this node's first.
std::vector<ClusterLoader::Device> ClusterLoader::devices()
{
    std::promise<std::vector<Device>> promise;
    auto future = promise.get_future();
    control_.post([&] {
        std::vector<Device> all;
        const auto add = [&](const NodeId& node, const std::vector<DeviceSnapshot>& devices) {
            for (const DeviceSnapshot& device : devices) {
                const bool known = device.memory_free.state == Reading::State::ok;
                const std::uint64_t free =
                    known ? static_cast<std::uint64_t>(device.memory_free.value) : device.memory_total;
                const std::uint64_t reserve = std::min(device.memory_total / kReservePart, kMostReserve);
                all.push_back({device.id, node, device.id.substr(device.id.rfind('/') + 1),
                               free - std::min(free, reserve), device.backend});
            }
        };
        const ControlView view = control_.control().view();
        add(view.self, control_.devices());
        for (const PeerView& peer : view.peers) {
            if (peer.state == PeerState::alive && peer.status) {
                add(peer.id, peer.status->devices);
            }
        }
        promise.set_value(std::move(all));
    });
    return future.get();
}

Result<LoadedModel> ClusterLoader::load(const LoadRequest& request, LoadProgress& progress,
                                        const std::function<void(ModelSnapshot)>& on_described)
{
    const std::vector<Device> devices = this->devices();
    std::uint64_t free = 0;
    std::vector<FreeDevice> free_devices;
    std::vector<std::string> ids;
    for (const Device& device : devices) {
        free += device.free;
        free_devices.push_back({device.id, device.free});
        ids.push_back(device.id);
    }
    LoadRequest resolved = request;
    std::error_code ignored;
    if (!std::filesystem::exists(request.path, ignored)) {
        CONSTELA_ASSIGN(const LocalModel named, index_.find_by_name(request.path.string()));
        resolved.path = named.paths.front();
    }
    CONSTELA_ASSIGN(LoadedModel loaded,
                    prepare_model(resolved, free + runtime::kMachineReserve, progress, on_described));
    CONSTELA_ASSIGN(const LocalModel local,
                    index_.describe(resolved.path, {2, {}, [&] { return progress.cancelled.load(); }}));

    const std::size_t shards = loaded.model->shards().size();
    placement::Placement placement;
    if (request.placement.empty()) {
        CONSTELA_ASSIGN(placement, spread(*loaded.model, loaded.memory.options, free_devices));
    } else {
        CONSTELA_ASSIGN(placement, placement::parse_placement(request.placement, shards, ids));
    }
    LoadPlan plan;
    plan.model = local.hash.value();
    plan.model_name = loaded.model->config().name;
    plan.model_bytes = local.bytes;
    plan.context = settings_of(loaded.memory.options);
    std::size_t set = rank(loaded.kernels);
    for (const placement::StageChoice& stage : placement.stages) {
        const auto device =
            std::find_if(devices.begin(), devices.end(), [&](const Device& one) { return one.id == stage.device; });
        plan.stages.push_back({device->node, device->name, static_cast<std::uint32_t>(stage.first_shard),
                               static_cast<std::uint32_t>(stage.shard_count)});
        if (rank(device->kernels) < kSets.size()) {
            set = std::min(set, rank(device->kernels)); // all stages use one set, so that bits are equal
        }
        loaded.devices.push_back(stage.device);
    }
    plan.kernels = kSets.at(std::min(set, kSets.size() - 1));
    loaded.kernels = plan.kernels;

    CONSTELA_ASSIGN(const ReadyPipeline pipeline, give_orders(std::move(plan), progress));
    std::shared_ptr<void> lease(nullptr, [this, epoch = pipeline.epoch](void*) { give_back(epoch); });
    CONSTELA_ASSIGN(auto executor, PipelineExecutor::create(plane_, loaded.model, loaded.memory.options, pipeline));
    {
        const std::lock_guard lock(mutex_);
        running_ = executor.get();
        loaded_ = Loaded{pipeline.epoch, loaded.model->config().name, placement, loaded.model, loaded.memory.options};
    }
    loaded.executor = std::move(executor);
    loaded.lease = std::move(lease);
    progress.part = 1;
    return loaded;
}

Result<ReadyPipeline> ClusterLoader::give_orders(LoadPlan plan, LoadProgress& progress)
{
    auto waiting = std::make_shared<Waiting>();
    {
        const std::lock_guard lock(mutex_);
        waiting_ = waiting;
    }
    control_.post([this, waiting, plan = std::move(plan)] {
        auto begun = control_.control().load(plan);
        const std::lock_guard lock(mutex_);
        waiting->begun = std::move(begun);
        changed_.notify_all();
    });
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait_for(lock, kLookTime, [&] { return waiting->ready || waiting->failed; });
        if (waiting->begun && !*waiting->begun) {
            return tl::unexpected<Error>(waiting->begun->error());
        }
        if (waiting->failed) {
            return tl::unexpected<Error>(*waiting->failed);
        }
        if (waiting->ready && waiting->begun) {
            waiting_.reset();
            return ReadyPipeline{**waiting->begun, waiting->route, 0};
        }
        if (progress.cancelled) {
            waiting_.reset();
            lock.unlock();
            control_.post([this] { control_.control().unload(); });
            return cancelled();
        }
        lock.unlock();
        control_.post([this, waiting] {
            const auto view = control_.control().view().load;
            std::uint64_t done = 0;
            std::uint64_t total = 1;
            for (const StageView& stage : view ? view->stages : std::vector<StageView>()) {
                done += stage.ready ? stage.progress.total : stage.progress.done;
                total += stage.progress.total;
            }
            const std::lock_guard guard(mutex_);
            waiting->part = static_cast<double>(done) / static_cast<double>(total);
        });
        lock.lock();
        progress.part = waiting->part;
    }
}

void ClusterLoader::on_ready(Epoch epoch)
{
    const auto view = control_.control().view().load;
    const std::lock_guard lock(mutex_);
    if (waiting_ == nullptr || !view || view->epoch != epoch) {
        return;
    }
    for (const StageView& stage : view->stages) {
        waiting_->route.push_back({stage.where.node, stage.where.device, stage.data_port});
    }
    waiting_->ready = true;
    changed_.notify_all();
}

void ClusterLoader::on_failed(const action::ModelFailed& failed)
{
    const std::lock_guard lock(mutex_);
    if (waiting_ != nullptr && !waiting_->ready) {
        waiting_->failed = failed.reason;
        changed_.notify_all();
    } else if (running_ != nullptr && loaded_ && loaded_->epoch == failed.epoch) {
        running_->fail(failed.reason);
    }
}

/// Called when the model is put away, before its executor goes.
void ClusterLoader::give_back(Epoch epoch)
{
    {
        const std::lock_guard lock(mutex_);
        if (loaded_ && loaded_->epoch == epoch) {
            running_ = nullptr;
            loaded_.reset();
        }
    }
    control_.post([this, epoch] {
        const auto view = control_.control().view().load;
        if (view && view->epoch == epoch) {
            control_.control().unload();
        }
    });
}

std::optional<ClusterLoader::Loaded> ClusterLoader::loaded() const
{
    const std::lock_guard lock(mutex_);
    return loaded_;
}

} // namespace constela::node
