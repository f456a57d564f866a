// SPDX-License-Identifier: GPL-3.0-or-later
//
// A device as an actor: a thread that owns the device's backend and the stages on it, and is spoken to in messages.
// Steps come in over the data plane, and rows or outcomes go out to the next stage or the coordinator, without the
// node's other threads having a part in it.
//
// A device holds the stages of one epoch at a time; those of another one are refused until it is released.
#pragma once

#include "engine/cluster/messages.h"
#include "engine/cluster/pipeline/data_socket.h"
#include "engine/model/model.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace constela::cluster {

struct DeviceHostOptions {
    std::string name;               ///< "cpu0"
    unsigned threads = 1;           ///< Of its backend.
    std::uint64_t memory_limit = 0; ///< Bytes that weights, KV cache and workspace may take; 0: what the machine has.
    std::uint16_t port = 0;         ///< Where it takes rows; 0: a free one.
};

/// What a device tells. Called on the device's thread; must return quickly.
struct DeviceEvents {
    std::function<void(const StageProgress&)> on_progress;
    std::function<void(const StageReady&)> on_ready;
    std::function<void(const StageFailed&)> on_failed;
    std::function<void(Epoch)> on_released; ///< All that was held for it is free.
};

/// A stage to be held.
struct StageAssignment {
    StageOrder order;
    NodeId coordinator;
    std::shared_ptr<const model::Model> model; ///< Of order.context.context positions.
    std::shared_ptr<const void> keep{};        ///< Held for as long as the stage is: what keeps its file in place.
};

/// Threads: any.
class DeviceHost {
public:
    /// What `plane` refers to must outlive it.
    [[nodiscard]] static Result<std::unique_ptr<DeviceHost>>
    create(const DataPlane& plane, const DeviceHostOptions& options, DeviceEvents events);
    virtual ~DeviceHost() = default;
    DeviceHost() = default;
    DeviceHost(const DeviceHost&) = delete;
    DeviceHost& operator=(const DeviceHost&) = delete;

    [[nodiscard]] virtual const DeviceHostOptions& options() const = 0;
    [[nodiscard]] virtual std::uint16_t port() const = 0;
    /// Bytes that its stages hold.
    [[nodiscard]] virtual std::uint64_t held() const = 0;
    /// The kernel set in use; empty while it holds nothing.
    [[nodiscard]] virtual std::string kernels() const = 0;

    virtual void assign(StageAssignment assignment) = 0;
    /// Stops what is under way for the epoch, frees it, and tells on_released; also when it holds nothing of it.
    virtual void release(Epoch epoch) = 0;
};

} // namespace constela::cluster
