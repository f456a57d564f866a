// SPDX-License-Identifier: GPL-3.0-or-later
//
// The node of this process: its CPU is a device, and one model is loaded on it.
#pragma once

#include "engine/node/loading.h"
#include "engine/node/node.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace constela::node {

/// How a request becomes a model that answers; as load_model() (loading.h). Called on the node's loading thread.
using ModelLoader = std::function<Result<LoadedModel>(const LoadRequest& request, LoadProgress& progress,
                                                      const std::function<void(ModelSnapshot)>& on_described)>;

struct LocalNodeOptions {
    std::string name{};                                     ///< Empty: the machine's own.
    std::string id{};                                       ///< Empty: the name.
    ModelLoader load{};                                     ///< Empty: onto this machine's CPU.
    std::function<std::vector<DeviceSnapshot>()> devices{}; ///< Empty: this machine's CPU.
};

/// Its destructor ends all answers and waits for its threads.
[[nodiscard]] std::unique_ptr<Node> make_local_node(const LocalNodeOptions& options = {});

} // namespace constela::node
