// SPDX-License-Identifier: GPL-3.0-or-later
//
// What was measured of the way between two nodes, or within one. Plain values.
#pragma once

#include "engine/cluster/node_id.h"

#include <chrono>
#include <string>
#include <string_view>

namespace constela::cluster {

enum class LinkKind {
    process, ///< Two devices in the process of one node: a copy in memory.
    network,
};
[[nodiscard]] std::string_view link_kind_name(LinkKind kind);

/// One direction.
struct LinkMeasurement {
    NodeId from;
    NodeId to; ///< The same as `from`: between two devices of one node.
    LinkKind kind = LinkKind::network;
    double latency_us = 0;            ///< One way, of 2 kB: the median of half a round trip.
    double latency_spread_us = 0;     ///< Between the quartiles.
    double bandwidth_bytes_per_s = 0; ///< The median.
    double spread = 0;                ///< Of the bandwidth, between the quartiles, as a part of the median.
    std::chrono::system_clock::time_point when{};
    std::string transport;  ///< "ZeroMQ with CURVE", "same process"
    bool encrypted = false; ///< What goes over it can be read by no third party; within a process there is none.
    Address address;        ///< Where `to` was reached or, when `from` was asked for the data, `from`.
};

/// Whether one way to a node is to be preferred to another: more bandwidth, or as much (to a tenth) and less latency.
[[nodiscard]] bool better(const LinkMeasurement& one, const LinkMeasurement& other);

} // namespace constela::cluster
