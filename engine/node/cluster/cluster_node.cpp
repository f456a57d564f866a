// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/node/cluster/cluster_node.h"

#include "engine/cluster/weights/weight_server.h"
#include "engine/device/cpu/cpu_info.h"
#include "engine/node/cluster/cluster_loader.h"
#include "engine/node/cluster/commands.h"
#include "engine/node/cluster/control_thread.h"
#include "engine/node/cluster/own_commander.h"
#include "engine/node/cluster/stage_loader.h"
#include "engine/node/cpu_device.h"
#include "engine/node/local_node.h"

#include <algorithm>
#include <fmt/format.h>

namespace constela::node {

namespace action = cluster::action;
using cluster::Command;
using cluster::CommandReply;
using cluster::DataPlane;
using cluster::default_state_folder;
using cluster::DeviceEvents;
using cluster::DeviceHost;
using cluster::DeviceHostOptions;
using cluster::Epoch;
using cluster::FetchCache;
using cluster::Fetcher;
using cluster::ModelIndex;
using cluster::ModelSource;
using cluster::NodeId;
using cluster::PeerState;
using cluster::PeerView;
using cluster::Ports;
using cluster::public_key_from_text;
using cluster::StageFailed;
using cluster::StagePlacement;
using cluster::StageProgress;
using cluster::StageReady;
using cluster::StateFolder;
using cluster::to_text;
using cluster::WeightPeer;
using cluster::WeightServer;

namespace {

/// Bytes that stay free on the disk beside fetched models.
constexpr std::uint64_t kDiskFloor = 2'000'000'000;

class RunningNode final : public ClusterNode {
public:
    RunningNode(ClusterNodeOptions options, StateFolder state)
        : options_(std::move(options)), state_(std::move(state)),
          name_(options_.name.empty() ? machine_name() : options_.name), meter_(name_)
    {
    }

    ~RunningNode() override
    {
        // First what asks, then what answers, then what both lean on.
        if (control_ != nullptr) {
            control_->stop();
        }
        commands_.reset();
        node_.reset();
        stage_loader_.reset();
        hosts_.clear();
        weights_.reset();
        loader_.reset();
        control_.reset();
    }

    Result<> begin()
    {
        if (options_.devices.empty()) {
            options_.devices.push_back({});
        }
        const auto port = [this](unsigned offset) {
            return static_cast<std::uint16_t>(options_.port == 0 ? 0 : options_.port + offset);
        };
        Ports ports;
        ports.bulk = port(2);
        CONSTELA_TRY(open_models());
        // The gatekeeper lives in the control thread's object and must be there before any socket is bound.
        CONSTELA_ASSIGN(control_, ControlThread::open(context_, state_, options_, name_, ports));
        plane_.emplace(
            DataPlane{context_, state_.identity().keys, state_.identity().id, control_->contacts(), options_.address});
        CONSTELA_TRY(open_bulk(ports.bulk));
        loader_ = std::make_unique<ClusterLoader>(*control_, *plane_, *index_);
        const auto failed = [this](const StageFailed& one) {
            control_->post([this, one] { control_->control().on_stage_failed(one); });
        };
        const auto progressed = [this](const StageProgress& one) {
            control_->post([this, one] { control_->control().on_stage_progress(one); });
        };
        CONSTELA_TRY(open_devices(port(3), progressed, failed));
        stage_loader_ = std::make_unique<StageLoader>(*index_, fetcher_ ? &*fetcher_ : nullptr,
                                                      StageLoader::Events{progressed, failed});
        LocalNodeOptions local;
        local.name = name_;
        local.id = to_text(state_.identity().id);
        local.load = [this](const LoadRequest& request, LoadProgress& progress,
                            const std::function<void(ModelSnapshot)>& on_described) {
            return loader_->load(request, progress, on_described);
        };
        local.devices = [this] { return control_->devices(); };
        control_->set_devices(read_devices());
        node_ = make_local_node(local);
        commands_ = std::make_unique<Commands>(*control_, *loader_, *node_, options_, name_, state_.identity());
        own_commander_ = std::make_unique<OwnCommander>(
            *control_, OwnCommander::Ways{[this](const Asker& asker, const Command& command) {
                                              commands_->on_command(asker, command);
                                          },
                                          [this](const Asker& asker) { commands_->on_cancel(asker); }});
        control_->start(handlers());
        return {};
    }

    Node& node() override { return *node_; }
    Commander& commander() override { return *own_commander_; }
    const std::string& name() const override { return name_; }
    std::string endpoint() const override { return fmt::format("tcp://{}:{}", options_.address, control_->port()); }

private:
    Result<> open_models()
    {
        std::shared_ptr<FetchCache> cache;
        CONSTELA_ASSIGN(cache, FetchCache::open({state_.path() / "models", {0, kDiskFloor}, {}, {}}));
        index_ = std::make_unique<ModelIndex>(
            ModelIndex::Options{options_.model_folders, state_.path(), cache, device::cpu_info().physical_cores});
        fetcher_.emplace(context_, state_.identity().keys, cache);
        return {};
    }

    Result<> open_bulk(std::uint16_t port)
    {
        WeightServer::Options serving;
        serving.own = state_.identity().keys;
        serving.address = {options_.address, port};
        serving.models = std::shared_ptr<ModelSource>(index_.get(), [](ModelSource*) {});
        serving.admitted = [this](std::string_view user) {
            const auto key = public_key_from_text(user);
            return key && control_->contacts().trusts(*key);
        };
        CONSTELA_ASSIGN(weights_, WeightServer::start(context_, std::move(serving)));
        control_->set_bulk_port(weights_->address().port);
        return {};
    }

    Result<> open_devices(std::uint16_t first_port, const std::function<void(const StageProgress&)>& progressed,
                          const std::function<void(const StageFailed&)>& failed)
    {
        const unsigned cores = std::max(1U, device::cpu_info().physical_cores);
        const auto count = static_cast<unsigned>(options_.devices.size());
        for (unsigned i = 0; i < count; ++i) {
            DeviceHostOptions device;
            device.name = fmt::format("cpu{}", i);
            device.threads =
                options_.devices[i].threads > 0 ? options_.devices[i].threads : std::max(1U, cores / count);
            device.memory_limit = options_.devices[i].memory;
            device.port = static_cast<std::uint16_t>(first_port == 0 ? 0 : first_port + i);
            DeviceEvents events;
            events.on_progress = progressed;
            events.on_failed = failed;
            events.on_ready = [this](const StageReady& ready) {
                control_->post([this, ready] { control_->control().on_stage_ready(ready); });
            };
            events.on_released = [this](Epoch epoch) { control_->post([this, epoch] { on_released(epoch); }); };
            CONSTELA_ASSIGN(auto host, DeviceHost::create(*plane_, device, std::move(events)));
            hosts_.push_back(std::move(host));
        }
        return {};
    }

    ControlThread::Handlers handlers()
    {
        ControlThread::Handlers handlers;
        handlers.on_start_stage = [this](const action::StartStage& start) { start_stage(start); };
        handlers.on_release_stage = [this](Epoch epoch) { release(epoch); };
        handlers.on_model_ready = [this](Epoch epoch) { loader_->on_ready(epoch); };
        handlers.on_model_failed = [this](const action::ModelFailed& failed) { loader_->on_failed(failed); };
        handlers.on_command = [this](const Asker& asker, const Command& command) {
            commands_->on_command(asker, command);
        };
        handlers.on_reply = [this](const NodeId& from, const CommandReply& reply) { commands_->on_reply(from, reply); };
        handlers.on_cancel = [this](const Asker& asker) { commands_->on_cancel(asker); };
        handlers.on_own_reply = [this](const CommandReply& reply) { own_commander_->on_reply(reply); };
        handlers.read_devices = [this] { return read_devices(); };
        return handlers;
    }

    // ---- on the control thread ----

    void start_stage(const action::StartStage& start)
    {
        const StagePlacement& where = start.order.stages.at(start.order.stage);
        const auto host = std::find_if(hosts_.begin(), hosts_.end(),
                                       [&](const auto& one) { return one->options().name == where.device; });
        if (host == hosts_.end()) {
            return control_->control().on_stage_failed(
                {start.order.epoch, start.order.stage, failure("{} has no device {}.", name_, where.device).value()});
        }
        std::vector<WeightPeer> peers;
        for (const PeerView& peer : control_->control().view().peers) {
            const std::string host_text = control_->host_of(peer.id);
            if (peer.state == PeerState::alive && !host_text.empty() && peer.ports.bulk != 0) {
                peers.push_back({peer.key, {host_text, peer.ports.bulk}, peer.name});
            }
        }
        stage_loader_->start(start.order, start.coordinator, **host, std::move(peers));
    }

    void release(Epoch epoch)
    {
        stage_loader_->cancel(epoch);
        releasing_[epoch] = hosts_.size();
        for (const auto& host : hosts_) {
            host->release(epoch);
        }
    }

    void on_released(Epoch epoch)
    {
        const auto found = releasing_.find(epoch);
        if (found != releasing_.end() && --found->second == 0) {
            releasing_.erase(found);
            control_->control().on_stage_released(epoch);
        }
    }

    std::vector<DeviceSnapshot> read_devices()
    {
        const DeviceSnapshot machine = meter_.read();
        std::vector<DeviceSnapshot> all;
        for (const auto& host : hosts_) {
            DeviceSnapshot one = machine;
            one.id = name_ + "/" + host->options().name;
            one.threads = host->options().threads;
            one.backend = host->kernels().empty() ? std::string(kernels::best_kernels().name) : host->kernels();
            if (const std::uint64_t limit = host->options().memory_limit; limit > 0) {
                one.memory_total = limit;
                const auto left = static_cast<double>(limit - std::min(limit, host->held()));
                one.memory_free.value =
                    one.memory_free.state == Reading::State::ok ? std::min(one.memory_free.value, left) : left;
                one.memory_free.state = Reading::State::ok;
                one.memory_free.when = std::chrono::system_clock::now();
            }
            all.push_back(std::move(one));
        }
        return all;
    }

    ClusterNodeOptions options_;
    StateFolder state_;
    const std::string name_;
    CpuDevice meter_;
    zmq::context_t context_;
    std::unique_ptr<ModelIndex> index_;
    std::optional<Fetcher> fetcher_;
    std::unique_ptr<ControlThread> control_;
    std::optional<DataPlane> plane_;
    std::unique_ptr<WeightServer> weights_;
    std::unique_ptr<ClusterLoader> loader_;
    std::vector<std::unique_ptr<DeviceHost>> hosts_;
    std::unique_ptr<StageLoader> stage_loader_;
    std::unique_ptr<Node> node_;
    std::unique_ptr<Commands> commands_;
    std::unique_ptr<OwnCommander> own_commander_;
    std::map<Epoch, std::size_t> releasing_; ///< Devices that have not said so yet.
};

} // namespace

Result<std::unique_ptr<ClusterNode>> ClusterNode::start(const ClusterNodeOptions& options)
{
    ClusterNodeOptions chosen = options;
    if (chosen.state.empty()) {
        CONSTELA_ASSIGN(chosen.state, default_state_folder());
    }
    CONSTELA_ASSIGN(StateFolder state, StateFolder::open(chosen.state));
    auto node = std::make_unique<RunningNode>(std::move(chosen), std::move(state));
    CONSTELA_TRY(node->begin());
    return node;
}

} // namespace constela::node
