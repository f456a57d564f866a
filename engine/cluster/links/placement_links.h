// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measured links as the planner takes them. Threads: a function of its arguments.
#pragma once

#include "engine/cluster/links/link_book.h"
#include "engine/placement/cost_model.h"

#include <span>

namespace constela::cluster {

/// The links between devices, each on one of `device_nodes`, and from and to the coordinator's node. Where nothing has
/// been measured stands `unknown`: by default no link.
[[nodiscard]] placement::LinkTable placement_links(const LinkBook& book, std::span<const NodeId> device_nodes,
                                                   const NodeId& coordinator, placement::LinkCosts unknown = {});

} // namespace constela::cluster
