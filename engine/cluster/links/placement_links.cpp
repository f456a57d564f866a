// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/links/placement_links.h"

namespace constela::cluster {

namespace {

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
                table.at(from, to) = {link->latency_us * 1e-6, link->bandwidth_bytes_per_s};
            } else {
                table.at(from, to) = node(from) == node(to) ? kWithinNode : unknown;
            }
        }
    }
    return table;
}

} // namespace constela::cluster
