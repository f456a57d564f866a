// SPDX-License-Identifier: GPL-3.0-or-later
//
// Answers those who measure their link to this node (probe_protocol.h), on a socket and a thread of its own. A program
// whose bulk port serves more than this gives its socket's messages to a ProbeResponder itself.
//
// Threads: start() and the destructor by the owner's; `admitted` is called by the server's. Errors: a port that cannot
// be had, in words.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/node_id.h"

#include <functional>
#include <memory>
#include <string_view>
#include <zmq.hpp>

namespace constela::cluster {

class LinkProbeServer {
public:
    /// Whether a message of this ZAP user is still to be answered; asked for each.
    using Admitted = std::function<bool(std::string_view user)>;

    /// `context`: the one in which the Gatekeeper runs; it lives longer than the server. Port 0 takes a free one.
    [[nodiscard]] static Result<std::unique_ptr<LinkProbeServer>> start(zmq::context_t& context, const KeyPair& own,
                                                                        const Address& address, Admitted admitted);
    ~LinkProbeServer();
    LinkProbeServer(const LinkProbeServer&) = delete;
    LinkProbeServer& operator=(const LinkProbeServer&) = delete;

    [[nodiscard]] const Address& address() const;

private:
    class Loop;
    explicit LinkProbeServer(std::unique_ptr<Loop> loop);
    std::unique_ptr<Loop> loop_;
};

} // namespace constela::cluster
