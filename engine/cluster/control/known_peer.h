// SPDX-License-Identifier: GPL-3.0-or-later
//
// A peer as the store of trusted peers knows it.
#pragma once

#include "engine/cluster/node_id.h"

#include <optional>
#include <string>
#include <vector>

namespace constela::cluster {

struct KnownPeer {
    NodeId id;
    PublicKey key;
    std::string name;
    std::vector<Address> addresses;   ///< Best first.
    std::optional<Address> pinned;    ///< Tried before all others.
    std::optional<NodeId> vouched_by; ///< Nothing: paired with this node itself.
};

} // namespace constela::cluster
