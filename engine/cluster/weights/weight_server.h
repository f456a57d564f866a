// SPDX-License-Identifier: GPL-3.0-or-later
//
// Serves weights to paired nodes over the bulk port (transfer_protocol.h): what a ModelSource has, by content hash and
// number of a chunk, never by path. It keeps nothing between two requests but a few opened models; what waits for a
// slow peer is bounded by the plane's queue (transport/curve.h), and what comes on top of it is not sent.
//
// Threads: one of its own. start() and the destructor by the owner's; the functions in Options are called by the
// server's. Errors: a port that cannot be had, in words.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/node_id.h"
#include "engine/cluster/weights/model_reader.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <zmq.hpp>

namespace constela::cluster {

class WeightServer {
public:
    struct Options {
        KeyPair own;
        Address address; ///< Port 0 takes a free one.
        std::shared_ptr<ModelSource> models;
        /// Whether a message of this ZAP user is still to be answered; asked for each.
        std::function<bool(std::string_view user)> admitted;
        /// Answers what is no request for weights, so that one port may serve both (links/probe_protocol.h); empty
        /// bytes: no answer. May be empty.
        std::function<std::span<const std::byte>(std::span<const std::byte>)> other{};
        /// Bytes of weights that were handed to the network for this user. May be empty.
        std::function<void(std::string_view user, std::uint64_t bytes)> on_sent{};
    };

    /// `context`: the one in which the Gatekeeper runs; it lives longer than the server.
    [[nodiscard]] static Result<std::unique_ptr<WeightServer>> start(zmq::context_t& context, Options options);
    ~WeightServer();
    WeightServer(const WeightServer&) = delete;
    WeightServer& operator=(const WeightServer&) = delete;

    /// Where it listens, with the port in use.
    [[nodiscard]] const Address& address() const;

private:
    class Loop;
    explicit WeightServer(std::unique_ptr<Loop> loop);
    std::unique_ptr<Loop> loop_;
};

} // namespace constela::cluster
