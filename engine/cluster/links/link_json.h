// SPDX-License-Identifier: GPL-3.0-or-later
//
// A measurement as JSON: what `constelactl links --json` shows, and how a node reports to the coordinator that asked it
// to measure. Threads: functions of their arguments. Errors: what comes from another node is checked field by field.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/links/link_measurement.h"

#include <nlohmann/json_fwd.hpp>

namespace constela::cluster {

/// {from, to, kind, latency_us, latency_spread_us, bandwidth_bytes_per_s, spread, when (seconds since 1970), transport,
/// encrypted, address}; from and to are ids of nodes.
[[nodiscard]] nlohmann::ordered_json link_json(const LinkMeasurement& link);

[[nodiscard]] Result<LinkMeasurement> parse_link(const nlohmann::ordered_json& json);

} // namespace constela::cluster
