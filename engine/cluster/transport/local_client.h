// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a program of the same user gives commands to the node of a state folder on this machine (local_server.h).
//
// Threads: one, which waits. Errors: sentences for a person at a terminal.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/messages.h"
#include "engine/cluster/transport/local_endpoint.h"
#include "engine/cluster/transport/socket_monitor.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace constela::cluster {

class LocalClient {
public:
    /// Fails in words when no node runs there, or it does not answer in time.
    [[nodiscard]] static Result<std::unique_ptr<LocalClient>> connect(const std::filesystem::path& folder,
                                                                      std::chrono::milliseconds timeout);

    /// Waits for room when the node is slow, at most as long as was given to connect().
    [[nodiscard]] Result<> send(const Message& message);
    /// The next message; nothing when none came in time. Fails when the node ended.
    [[nodiscard]] Result<std::optional<Message>> receive(std::chrono::milliseconds timeout);

private:
    LocalClient(const std::filesystem::path& folder, std::unique_ptr<LocalEndpoint> endpoint,
                std::chrono::milliseconds timeout);
    [[nodiscard]] tl::unexpected<Error> no_node() const;
    [[nodiscard]] tl::unexpected<Error> ended() const;
    /// Until the socket can be read, something happened to it, or the time is over.
    void wait(std::chrono::steady_clock::time_point until);
    /// True: the node closed the connection.
    [[nodiscard]] bool closed();

    std::string folder_;
    std::unique_ptr<LocalEndpoint> endpoint_;
    zmq::context_t context_;
    zmq::socket_t socket_;
    SocketMonitor monitor_;
    bool closed_ = false;
};

} // namespace constela::cluster
