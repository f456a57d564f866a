// SPDX-License-Identifier: GPL-3.0-or-later
//
// A node among others: what a window or a terminal sees of it is a Node as any other, whose models may lie on the
// devices of several machines. It listens, announces itself, lets paired nodes in, and obeys commands of its owner.
//
// Threads: any. It has one for the control plane, one a device, those of its LocalNode, and those of ZeroMQ.
#pragma once

#include "engine/base/result.h"
#include "engine/node/cluster/options.h"
#include "engine/node/commander.h"
#include "engine/node/node.h"

#include <memory>
#include <string>

namespace constela::node {

class ClusterNode {
public:
    /// Fails in words: the state folder is in use or not usable, a port is taken.
    [[nodiscard]] static Result<std::unique_ptr<ClusterNode>> start(const ClusterNodeOptions& options);
    /// Tells the others, ends all answers, waits for its threads.
    virtual ~ClusterNode() = default;
    ClusterNode() = default;
    ClusterNode(const ClusterNode&) = delete;
    ClusterNode& operator=(const ClusterNode&) = delete;

    [[nodiscard]] virtual Node& node() = 0;
    /// Looks at the cluster and steers it.
    [[nodiscard]] virtual Commander& commander() = 0;
    [[nodiscard]] virtual const std::string& name() const = 0;
    /// "tcp://0.0.0.0:7717"
    [[nodiscard]] virtual std::string endpoint() const = 0;
};

} // namespace constela::node
