// SPDX-License-Identifier: GPL-3.0-or-later
//
// Placement files, which a person writes by hand or keeps from a plan:
//     {"stages": [{"device": "studio/cpu0", "shards": "embed,block.0-14"}, ...]}
// in the order of a token's way; a device's id is NODE/NAME.
//
// Threads: any. Errors: a sentence with the place in the text (line and column, or the stage's number from 1).
#pragma once

#include "engine/base/result.h"
#include "engine/placement/placement.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

namespace constela::placement {

/// Longer files are refused before they are read.
inline constexpr std::size_t kLargestPlacementFile = std::size_t{1} << 20U;

/// Every shard of the model exactly once and in order, every device one of `devices` and named once.
[[nodiscard]] Result<Placement> parse_placement(std::string_view text, std::size_t total,
                                                std::span<const std::string> devices);

/// The same checks for a placement that came another way (a command, a drag).
[[nodiscard]] Result<> check_placement(const Placement& placement, std::size_t total,
                                       std::span<const std::string> devices);

[[nodiscard]] nlohmann::ordered_json placement_json(const Placement& placement, std::size_t total);
/// As a file: one stage a line, with a line end.
[[nodiscard]] std::string placement_text(const Placement& placement, std::size_t total);

} // namespace constela::placement
