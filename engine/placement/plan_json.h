// SPDX-License-Identifier: GPL-3.0-or-later
//
// A plan in the words of `constelactl plan --json`: {placement, predicted: {tokens_per_second, ttft_ms, memory:
// [{device, weights, kv, workspace, free_after}]}, why, left_out: [{device, reason}], alternatives: [{what, placement,
// predicted}]}. Bytes, milliseconds. Threads: functions of their arguments.
#pragma once

#include "engine/placement/planner.h"

#include <nlohmann/json_fwd.hpp>

namespace constela::placement {

[[nodiscard]] nlohmann::ordered_json prediction_json(const Prediction& predicted);
/// `total`: all shards of the model.
[[nodiscard]] nlohmann::ordered_json plan_json(const Plan& plan, std::size_t total);

} // namespace constela::placement
