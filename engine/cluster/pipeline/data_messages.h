// SPDX-License-Identifier: GPL-3.0-or-later
//
// The messages of the data plane as plain values, and how they are packed (data.fbs says how they lie). decode() checks
// the form and every bound; whether what a step asks for is possible is for the stage to say (stage_runner.h).
// Threads: any.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/messages.h"
#include "engine/runtime/executor.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace constela::cluster {

struct SequenceOp {
    enum class Kind : std::uint8_t { open, close, fork, truncate };
    Kind kind = Kind::open;
    runtime::SequenceId sequence = 0;
    runtime::SequenceId from = 0; ///< fork
    std::uint64_t length = 0;     ///< fork, truncate
};

struct StepWork {
    runtime::SequenceId sequence = 0;
    std::uint64_t length = 0; ///< Tokens that the sequence holds before.
    std::uint32_t count = 0;  ///< Tokens that are appended.
    std::optional<runtime::SampleRequest> choose;
};

struct DataStep {
    std::uint64_t number = 0; ///< One more each time.
    std::vector<SequenceOp> ops;
    std::vector<StepWork> works;
    std::vector<std::int32_t> tokens; ///< Of all works, in order.
};

struct RouteStage {
    NodeId node;
    std::string device;
    std::uint16_t port = 0;
};

struct DataRoute {
    std::vector<RouteStage> stages;
    std::uint16_t results_port = 0; ///< At the coordinator.
};

struct DataOutcome {
    std::uint64_t number = 0;
    std::vector<runtime::Executor::Chosen> choices;
};

struct DataPacket {
    Epoch epoch = 0;
    std::variant<DataRoute, DataStep, DataOutcome> body;
};

inline constexpr std::size_t kMostStages = 256;
inline constexpr std::size_t kMostTokensOfAStep = 8192;

[[nodiscard]] std::vector<std::byte> encode(const DataPacket& packet);
[[nodiscard]] Result<DataPacket> decode_packet(std::span<const std::byte> bytes);

} // namespace constela::cluster
