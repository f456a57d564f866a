// SPDX-License-Identifier: GPL-3.0-or-later
//
// The node of this process: its CPU is a device, and one model is loaded on it.
#pragma once

#include "engine/node/node.h"

#include <memory>
#include <string>

namespace constela::node {

struct LocalNodeOptions {
    std::string name; ///< Empty: the machine's own.
};

/// Its destructor ends all answers and waits for its threads.
[[nodiscard]] std::unique_ptr<Node> make_local_node(const LocalNodeOptions& options = {});

} // namespace constela::node
