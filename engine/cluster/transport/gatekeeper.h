// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who may come in: answers ZeroMQ's question about each new connection of a context (ZAP, rfc.zeromq.org/spec/27). Only
// CURVE with a key of the list passes; nothing of anybody else reaches a socket. A key that is taken off the list still
// has its live connections, so each receiver asks allows() for each message too.
#pragma once

#include "engine/cluster/node_id.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <zmq.hpp>

namespace constela::cluster {

/// Threads: any; it has one of its own. Made before the first socket that asks it, gone after the last one.
class Gatekeeper {
public:
    explicit Gatekeeper(zmq::context_t& context);
    ~Gatekeeper();
    Gatekeeper(const Gatekeeper&) = delete;
    Gatekeeper& operator=(const Gatekeeper&) = delete;

    /// The whole list.
    void allow(std::set<PublicKey> keys);
    [[nodiscard]] bool allows(const PublicKey& key) const;
    /// Connections that were turned away.
    [[nodiscard]] std::uint64_t refused() const { return refused_; }

private:
    void run(zmq::socket_t socket, zmq::socket_t stop);

    mutable std::mutex mutex_;
    std::set<PublicKey> keys_;
    std::atomic<std::uint64_t> refused_{0};
    zmq::socket_t stop_;
    std::thread thread_;
};

/// The key with which the connection that a message came by was made; nothing where there was none.
[[nodiscard]] std::optional<PublicKey> sender(zmq::message_t& message);

} // namespace constela::cluster
