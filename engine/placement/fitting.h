// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether devices can hold a model together, whatever the speed; and what would fit when they cannot.
// Threads: functions of their arguments.
#pragma once

#include "engine/base/result.h"
#include "engine/placement/planner.h"

#include <optional>
#include <span>
#include <string>

namespace constela::placement {

/// Of at most this many devices the best order to fill them is found exactly; of more, the largest come first.
inline constexpr std::size_t kMostFilledExactly = 16;

/// How many shards, from the first on, the devices can hold together when they are filled in the best order.
[[nodiscard]] std::size_t shards_held(const CostModel& cost, std::span<const std::size_t> devices);

struct WouldFit {
    std::optional<std::size_t> context; ///< The longest context of the asked KV type that fits.
    std::string kv_type;                ///< The first smaller KV type with which more fits; empty: none.
    std::size_t kv_context = 0;         ///< With `kv_type`; at most the asked one.
    /// The largest part of the weights' bytes that would fit at the asked context.
    std::optional<double> weight_part;
};

/// `devices`: places in request.devices.
[[nodiscard]] WouldFit what_would_fit(const PlanRequest& request, std::span<const std::size_t> devices);

/// The sentence for a model that `devices` cannot hold.
[[nodiscard]] Error does_not_fit(const PlanRequest& request, std::span<const std::size_t> devices);

} // namespace constela::placement
