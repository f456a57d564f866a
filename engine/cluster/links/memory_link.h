// SPDX-License-Identifier: GPL-3.0-or-later
//
// The link between two devices in one process: handing rows from a thread to another and copying them in memory.
// Threads: the caller's and one of its own, for about a quarter of a second.
#pragma once

#include "engine/cluster/links/link_measurement.h"
#include "engine/cluster/links/statistics.h"

namespace constela::cluster {

struct MemoryLink {
    Summary latency;   ///< Seconds until another thread that waits has 2 kB.
    Summary bandwidth; ///< Bytes a second that one thread copies, from memory that no cache holds.
};

[[nodiscard]] MemoryLink measure_memory_link();

[[nodiscard]] LinkMeasurement measurement(const MemoryLink& link, const NodeId& node,
                                          std::chrono::system_clock::time_point when);

} // namespace constela::cluster
