// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is known of all links: the newest measurement of each direction, and what had failed.
// Threads: one.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/links/link_measurement.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace constela::cluster {

class LinkBook {
public:
    /// Keeps it. A sentence when the link has become much slower than it was.
    std::optional<Error> add(LinkMeasurement measurement, const std::string& from_name, const std::string& to_name);
    /// Forgets what has to do with a node that is no longer of the cluster.
    void forget(const NodeId& node);

    [[nodiscard]] const LinkMeasurement* find(const NodeId& from, const NodeId& to) const;
    /// By `from`, then `to`.
    [[nodiscard]] std::vector<LinkMeasurement> all() const;

private:
    std::map<std::pair<NodeId, NodeId>, LinkMeasurement> links_;
};

} // namespace constela::cluster
