// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/cluster/pipeline/pipeline_under_test.h"

#include "engine/cluster/identity/keys.h"

#include <fmt/format.h>
#include <stdexcept>

namespace constela::test {

using namespace cluster;

namespace {

constexpr Epoch kEpoch = 7;

StageOrder order_for(const EngineSettings& settings, const NodeId& node, std::size_t devices,
                     const std::vector<std::uint32_t>& cut)
{
    StageOrder order;
    order.epoch = kEpoch;
    order.model_name = "model under test";
    order.kernels = settings.kernels->name;
    const runtime::ContextOptions& options = settings.context;
    order.context = {static_cast<std::uint32_t>(options.context),        options.positions,
                     static_cast<std::uint32_t>(options.max_batch),      static_cast<std::uint32_t>(options.sequences),
                     static_cast<std::uint32_t>(options.page_positions), static_cast<std::uint8_t>(options.kv_type)};
    std::uint32_t first = 0;
    for (std::size_t i = 0; i < cut.size(); ++i) {
        order.stages.push_back({node, fmt::format("cpu{}", i % devices), first, cut[i]});
        first += cut[i];
    }
    return order;
}

} // namespace

DeviceEvents DeviceLog::events()
{
    DeviceEvents events;
    events.on_progress = [](const StageProgress&) {};
    events.on_ready = [this](const StageReady&) {
        const std::lock_guard lock(mutex_);
        ++ready_;
        changed_.notify_all();
    };
    events.on_failed = [this](const StageFailed& failed) {
        const std::lock_guard lock(mutex_);
        failed_.push_back(failed.reason);
        changed_.notify_all();
    };
    events.on_released = [this](Epoch) {
        const std::lock_guard lock(mutex_);
        ++released_;
        changed_.notify_all();
    };
    return events;
}

bool DeviceLog::wait_ready(std::size_t count)
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ready_ >= count || !failed_.empty(); });
    return failed_.empty();
}

Error DeviceLog::wait_failed()
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !failed_.empty(); });
    return failed_.front();
}

void DeviceLog::wait_released(std::size_t count)
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return released_ >= count; });
}

PipelineUnderTest::PipelineUnderTest(std::shared_ptr<const model::Model> model, const EngineSettings& settings,
                                     std::size_t devices, const std::vector<std::uint32_t>& cut)
    : keys_(make_key_pair()), plane_{context_, keys_, node_id(keys_.public_key), peers_, "127.0.0.1"}
{
    const StageOrder order = order_for(settings, plane_.self, devices, cut);
    for (std::size_t i = 0; i < devices; ++i) {
        auto host = DeviceHost::create(plane_, {fmt::format("cpu{}", i), settings.threads, 0, 0}, log_.events());
        hosts_.push_back(std::move(host).value());
    }
    for (std::uint32_t i = 0; i < cut.size(); ++i) {
        StageOrder own = order;
        own.stage = i;
        hosts_[i % devices]->assign({own, plane_.self, model});
    }
    if (!log_.wait_ready(cut.size())) {
        throw std::runtime_error(log_.wait_failed().text());
    }
    ReadyPipeline ready{kEpoch, {}, 0};
    for (const StagePlacement& stage : order.stages) {
        ready.stages.push_back({stage.node, stage.device, 0});
    }
    executor_ = PipelineExecutor::create(plane_, std::move(model), settings.context, ready).value();
}

void PipelineUnderTest::release()
{
    for (const auto& host : hosts_) {
        host->release(kEpoch);
    }
    log_.wait_released(hosts_.size());
}

} // namespace constela::test
