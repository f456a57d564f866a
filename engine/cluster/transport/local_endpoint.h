// SPDX-License-Identifier: GPL-3.0-or-later
//
// How programs of the same user on the same machine reach a node, by the folder of its state. What differs between
// systems is here: on POSIX a socket file in that folder, which is open to its owner only.
//
// Threads: one. It must live as long as the sockets that use it.
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <memory>
#include <string>
#include <zmq.hpp>

namespace constela::cluster {

class LocalEndpoint {
public:
    /// Of the node of `folder`, whether it runs or not. Fails when the folder is not there.
    [[nodiscard]] static Result<std::unique_ptr<LocalEndpoint>> of(const std::filesystem::path& folder);
    virtual ~LocalEndpoint() = default;
    LocalEndpoint(const LocalEndpoint&) = delete;
    LocalEndpoint& operator=(const LocalEndpoint&) = delete;

    /// For one node at a time: whoever calls it holds the folder's lock. What a node that crashed left is replaced.
    [[nodiscard]] virtual Result<> bind(zmq::socket_t& server) = 0;
    [[nodiscard]] virtual Result<> connect(zmq::socket_t& client) = 0;

protected:
    LocalEndpoint() = default;
};

} // namespace constela::cluster
