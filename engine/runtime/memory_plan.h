// SPDX-License-Identifier: GPL-3.0-or-later
//
// What loading a model will take, found out before it is loaded.
#pragma once

#include "engine/base/result.h"
#include "engine/model/model.h"
#include "engine/runtime/context.h"

#include <cstdint>
#include <string>

namespace constela::runtime {

struct MemoryPlan {
    ContextOptions options;    ///< With the context that was chosen.
    std::uint64_t weights = 0; ///< Bytes, as the others.
    std::uint64_t kv = 0;      ///< For `options.context` positions; more are used only while memory is plenty.
    std::uint64_t workspace = 0;

    [[nodiscard]] std::uint64_t total() const { return weights + kv + workspace; }
};

/// Left of `available` for the rest of the program and for others.
inline constexpr std::uint64_t kMachineReserve = 200'000'000;

/// wanted.context 0: the model's own, but at most 8192 and what fits (at least 512). `available`: bytes that are free.
/// Fails with both numbers when it does not fit.
[[nodiscard]] Result<MemoryPlan> plan_memory(const model::Model& model, const ContextOptions& wanted,
                                             std::uint64_t available);

/// "5.1 GB": decimal units, as on disks' labels.
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

} // namespace constela::runtime
