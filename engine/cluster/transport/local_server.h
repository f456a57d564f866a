// SPDX-License-Identifier: GPL-3.0-or-later
//
// The side of a node on which the terminal program, and the window of the same user, give it commands: Command,
// CommandCancel in, CommandReply out. Who can open the node's state folder may do so; there are no keys.
//
// Threads: one drives it: wait for add_poll_items(), then process(), at least twice a second. Nothing waits inside.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/messages.h"
#include "engine/cluster/time.h"
#include "engine/cluster/transport/local_endpoint.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace constela::cluster {

/// Of one run of a client; never used twice.
using ClientId = std::uint64_t;

namespace event {

struct FromClient {
    ClientId client = 0;
    Message message;
};

/// It has ended, or its program has; noticed within half a second. What it asked for is to be cancelled.
struct ClientGone {
    ClientId client = 0;
};

} // namespace event

using LocalEvent = std::variant<event::FromClient, event::ClientGone>;

class LocalServer {
public:
    /// The caller holds the lock of `folder`.
    [[nodiscard]] static Result<std::unique_ptr<LocalServer>>
    listen(zmq::context_t& context, const std::filesystem::path& folder, const Clock& clock);

    [[nodiscard]] std::vector<LocalEvent> process();
    /// False: the client has gone, or does not read what it is sent (then its command is better cancelled, since its
    /// answer has a hole).
    bool send(ClientId client, const Message& message);
    void add_poll_items(std::vector<zmq::pollitem_t>& items);

private:
    struct Client {
        ClientId id = 0;
        bool gone = false;
    };

    LocalServer(zmq::context_t& context, std::unique_ptr<LocalEndpoint> endpoint, const Clock& clock);
    void ping();

    std::unique_ptr<LocalEndpoint> endpoint_;
    zmq::socket_t socket_;
    const Clock& clock_;
    std::map<std::string, Client> clients_; ///< By what ZeroMQ calls them.
    ClientId last_id_ = 0;
    Time next_ping_{};
};

} // namespace constela::cluster
