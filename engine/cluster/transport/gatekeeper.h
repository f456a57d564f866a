// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who may come in: the one that ZeroMQ asks about each CURVE handshake of a context's servers (ZAP,
// rfc.zeromq.org/spec/27). It knows a set of keys and lets in nobody else, so that no byte of a stranger reaches a
// reader of messages. What a peer that was let in sends bears its key, which no peer can choose.
//
// A handshake happens once; a key can be taken away later. So every receiver asks again per message: is sender() still
// in allowed()?
#pragma once

#include "engine/cluster/node_id.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <zmq.hpp>

namespace constela::cluster {

using AllowedKeys = std::set<PublicKey>;

/// Threads: any; it has one of its own. One for each context, made before the first CURVE server of it is bound: a
/// context without one lets everybody in whom the server's key is known to. It must go before its context.
class Gatekeeper {
public:
    struct Counts {
        std::uint64_t admitted = 0; ///< Handshakes.
        std::uint64_t refused = 0;
    };

    /// At first nobody is allowed.
    explicit Gatekeeper(zmq::context_t& context);
    ~Gatekeeper();
    Gatekeeper(const Gatekeeper&) = delete;
    Gatekeeper& operator=(const Gatekeeper&) = delete;

    /// These and no others, from the next handshake and the next message on.
    void allow(std::set<PublicKey> keys);
    [[nodiscard]] std::shared_ptr<const AllowedKeys> allowed() const;
    [[nodiscard]] Counts counts() const { return {admitted_.load(), refused_.load()}; }

private:
    void run();
    void answer();

    mutable std::mutex mutex_;
    std::shared_ptr<const AllowedKeys> allowed_ = std::make_shared<AllowedKeys>();
    std::atomic<std::uint64_t> admitted_ = 0;
    std::atomic<std::uint64_t> refused_ = 0;
    zmq::socket_t requests_; ///< The thread's, once it runs.
    zmq::socket_t stopped_;  ///< The thread's end of a pair ...
    zmq::socket_t stop_;     ///< ... whose other end says when to end.
    std::thread thread_;
};

/// The key that sent this message, as the handshake proved it. Nothing when it came without CURVE or past the
/// Gatekeeper: drop it then.
[[nodiscard]] std::optional<PublicKey> sender(const zmq::message_t& message);

} // namespace constela::cluster
