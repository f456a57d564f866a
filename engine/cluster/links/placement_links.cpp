// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/links/placement_links.h"

#include <algorithm>

namespace constela::cluster {

namespace {

/// What a measurement of latency sends each way (probe_protocol.h).
constexpr double kEchoBytes = 2048;
/// Between threads of one process, before it has been measured: less than any network.
constexpr placement::LinkCosts kWithinNode{20e-6, 5e9};

} // namespace

placement::LinkTable placement_links(const LinkBook& book, std::span<const NodeId> device_nodes,
                                     const NodeId& coordinator, placement::LinkCosts unknown)
{
    placement::LinkTable table(device_nodes.size());
    const auto node = [&](std::size_t end) { return end == device_nodes.size() ? coordinator : device_nodes[end]; };
    for (std::size_t from = 0; from <= device_nodes.size(); ++from) {
        for (std::size_t to = 0; to <= device_nodes.size(); ++to) {
            if (from == to) {
                continue;
            }
            const LinkMeasurement* link = book.find(node(from), node(to));
            if (link != nullptr) {
                // The cost model adds the time that bytes take; those of the measurement itself are not to count twice.
                const double bandwidth = link->bandwidth_bytes_per_s;
                const double sending = bandwidth > 0 ? kEchoBytes / bandwidth : 0;
                table.at(from, to) = {std::max(link->latency_us * 1e-6 - sending, 0.0), bandwidth};
            } else {
                table.at(from, to) = node(from) == node(to) ? kWithinNode : unknown;
            }
        }
    }
    return table;
}

} // namespace constela::cluster
