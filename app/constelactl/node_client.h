// SPDX-License-Identifier: GPL-3.0-or-later
//
// How commands reach a running node: the one of a state folder, or through it another paired one.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/transport/local_client.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace constela::ctl {

/// --state and --node.
struct NodeOptions {
    std::string state; ///< Empty: the user's own.
    std::string node;  ///< Empty: the node itself.
};
void add_node_options(CLI::App& app, NodeOptions& options);

/// Threads: one.
class NodeClient {
public:
    [[nodiscard]] static Result<NodeClient> connect(const NodeOptions& options);

    using OnEvent = std::function<Result<>(NodeClient& client, const nlohmann::json& event)>;
    /// Waits for the result; what comes before it goes to `on_event`, which ends the command when it fails. So does
    /// Ctrl-C.
    [[nodiscard]] Result<nlohmann::json> call(const std::string& name, nlohmann::json arguments,
                                              const OnEvent& on_event = {});
    /// Another command while one is under way, whose answer nobody waits for.
    [[nodiscard]] Result<> tell(const std::string& name, const nlohmann::json& arguments);

private:
    explicit NodeClient(std::unique_ptr<cluster::LocalClient> client, std::string node)
        : client_(std::move(client)), node_(std::move(node))
    {
    }
    std::unique_ptr<cluster::LocalClient> client_;
    std::string node_;
    std::uint64_t next_ = 1;
};

} // namespace constela::ctl
