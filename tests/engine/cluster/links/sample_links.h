// SPDX-License-Identifier: GPL-3.0-or-later
//
// Nodes and measurements for the tests of links.
#pragma once

#include "engine/cluster/links/link_measurement.h"

namespace constela::cluster {

inline NodeId node_number(unsigned number)
{
    NodeId id;
    id.bytes[0] = static_cast<std::byte>(number);
    return id;
}

inline LinkMeasurement sample_link(unsigned from, unsigned to, double bandwidth = 100e6, double latency_us = 100)
{
    LinkMeasurement link;
    link.from = node_number(from);
    link.to = node_number(to);
    link.kind = from == to ? LinkKind::process : LinkKind::network;
    link.latency_us = latency_us;
    link.latency_spread_us = 5;
    link.bandwidth_bytes_per_s = bandwidth;
    link.spread = 0.02;
    link.when = std::chrono::system_clock::time_point(std::chrono::seconds(1'700'000'000));
    link.transport = "ZeroMQ with CURVE";
    link.encrypted = true;
    link.address = {"192.168.1.7", 7212};
    return link;
}

} // namespace constela::cluster
