// SPDX-License-Identifier: GPL-3.0-or-later
//
// A pipeline over several devices of one node, as tests use it.
#pragma once

#include "engine/cluster/pipeline/device_host.h"
#include "engine/cluster/pipeline/pipeline_executor.h"
#include "tests/engine/support/engine_under_test.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace constela::test {

/// Knows nobody: everything is on this node.
class Alone final : public cluster::DataPeers {
public:
    [[nodiscard]] std::optional<cluster::PeerContact> contact(const cluster::NodeId& /*node*/) const override
    {
        return std::nullopt;
    }
    [[nodiscard]] bool trusts(const cluster::PublicKey& /*key*/) const override { return false; }
};

/// What the devices have told, awaited by the test.
class DeviceLog {
public:
    [[nodiscard]] cluster::DeviceEvents events();
    /// Waits until so many stages are ready; false as soon as one has failed.
    [[nodiscard]] bool wait_ready(std::size_t count);
    /// Waits until a stage has failed.
    [[nodiscard]] Error wait_failed();
    void wait_released(std::size_t count);

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t ready_ = 0;
    std::size_t released_ = 0;
    std::vector<Error> failed_;
};

/// A model cut into stages over `devices` devices; stage i lies on device i modulo their number.
class PipelineUnderTest {
public:
    PipelineUnderTest(std::shared_ptr<const model::Model> model, const EngineSettings& settings, std::size_t devices,
                      const std::vector<std::uint32_t>& cut);

    [[nodiscard]] cluster::PipelineExecutor& executor() { return *executor_; }
    [[nodiscard]] cluster::DeviceHost& device(std::size_t i) { return *hosts_.at(i); }
    [[nodiscard]] DeviceLog& log() { return log_; }
    void release();

private:
    zmq::context_t context_;
    cluster::KeyPair keys_;
    Alone peers_;
    cluster::DataPlane plane_;
    DeviceLog log_;
    std::vector<std::unique_ptr<cluster::DeviceHost>> hosts_;
    std::unique_ptr<cluster::PipelineExecutor> executor_;
};

} // namespace constela::test
