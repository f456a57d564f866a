// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the shards of a real model cost. Threads: a function of its arguments.
#pragma once

#include "engine/model/model.h"
#include "engine/placement/cost_model.h"
#include "engine/placement/planner.h"
#include "kernels/kernels.h"

#include <vector>

namespace constela::placement {

/// What the runtime adds to a model's own sizes (runtime::context_memory tells it).
struct RuntimeCosts {
    kernels::KvType kv_type = kernels::KvType::f16;
    std::uint64_t kv_extra_positions = 0;  ///< Of each block, beyond the context.
    std::uint64_t kv_window_positions = 0; ///< Held at most by a block that sees only a window; 0: the whole context.
    std::uint64_t workspace = 0;
    std::uint64_t head_workspace = 0;
    std::uint64_t activation_element_bytes = 4; ///< 4: f32, 2: f16.
};

[[nodiscard]] ModelCosts model_costs(const model::Model& model, const RuntimeCosts& runtime);

/// The types that take less than `type`, the larger ones first.
[[nodiscard]] std::vector<SmallerKv> smaller_kv(const model::Model& model, kernels::KvType type);

} // namespace constela::placement
