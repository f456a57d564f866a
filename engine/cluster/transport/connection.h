// SPDX-License-Identifier: GPL-3.0-or-later
//
// The TCP connection that brought a message. ZeroMQ has no way to close one connection of a listening socket, which
// revoking a key and hanging up need; so it is closed underneath, and ZeroMQ sees it as closed by the peer.
//
// Threads: any. Errors: none; a connection that is gone already is as it should be.
#pragma once

#include "engine/cluster/node_id.h"

#include <zmq.hpp>

namespace constela::cluster {

struct Connection {
    int descriptor = -1; ///< As the events of a SocketMonitor name it; another one may have it later.
    Address peer;        ///< By which cut() knows it again; empty when it was gone already.
};

/// Over which this message came.
[[nodiscard]] Connection connection_of(const zmq::message_t& message);

/// Closes it for both sides, with what is still on its way.
void cut(const Connection& connection);

} // namespace constela::cluster
