// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the terminal program of the same user reaches a node on this machine: commands over a socket in the node's state
// folder, which only its owner may enter.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/messages.h"
#include "engine/cluster/transport/connection_watch.h"
#include "engine/cluster/transport/curve.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include <zmq.hpp>

namespace constela::cluster {

using ClientId = std::string;

struct LocalEvent {
    ClientId client;
    std::optional<Message> message; ///< None: the client has gone.
};

/// Threads: one.
class LocalServer {
public:
    [[nodiscard]] static Result<std::unique_ptr<LocalServer>> open(zmq::context_t& context,
                                                                   const std::filesystem::path& state_folder);
    ~LocalServer();
    LocalServer(const LocalServer&) = delete;
    LocalServer& operator=(const LocalServer&) = delete;

    [[nodiscard]] std::vector<zmq::pollitem_t> poll_items();
    [[nodiscard]] std::vector<LocalEvent> process();
    void send(const ClientId& client, const Message& message);

private:
    LocalServer(zmq::context_t& context, zmq::socket_t router, int folder, std::filesystem::path socket_file);

    zmq::socket_t router_;
    ConnectionWatch watch_;
    std::map<ClientId, int> clients_; ///< With the descriptor of the connection.
    int folder_;
    std::filesystem::path socket_file_;
};

/// Threads: one.
class LocalClient {
public:
    /// Fails in words when no node of that folder runs.
    [[nodiscard]] static Result<std::unique_ptr<LocalClient>> connect(const std::filesystem::path& state_folder);
    ~LocalClient();
    LocalClient(const LocalClient&) = delete;
    LocalClient& operator=(const LocalClient&) = delete;

    [[nodiscard]] Result<> send(const Message& message);
    /// The next message; none when nothing came in time. Fails when the node has gone.
    [[nodiscard]] Result<std::optional<Message>> receive(std::chrono::milliseconds patience);

private:
    LocalClient(int folder, const std::string& endpoint);
    static zmq::socket_t make(zmq::context_t& context);

    zmq::context_t context_;
    zmq::socket_t socket_;
    ConnectionWatch watch_;
    int folder_;
};

} // namespace constela::cluster
