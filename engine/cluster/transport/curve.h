// SPDX-License-Identifier: GPL-3.0-or-later
//
// What every socket between nodes gets before it is bound or connected: its keys (CURVE, rfc.zeromq.org/spec/26) and
// the options of its plane. Each key alone opens nothing: who may come in is the Gatekeeper's to say (gatekeeper.h),
// and each receiver asks once more per message.
//
// Threads: the socket's. Errors: zmq::error_t when the library itself is broken (built without CURVE), nothing else.
#pragma once

#include "engine/cluster/node_id.h"

#include <cstddef>
#include <string_view>
#include <zmq.hpp>

namespace constela::cluster {

/// What a socket is for; each has its own limits.
enum class Plane {
    control, ///< Messages of messages.h.
    data,    ///< Rows of activations, and results.
    bulk,    ///< Weights, and measurements of links.
    local,   ///< Commands of the same user on this machine (ipc, without keys).
};

struct PlaneLimits {
    std::size_t max_message =
        0;                 ///< Bytes of one frame; a peer that sends more is cut off before anything is allocated.
    int send_queue = 0;    ///< Messages that wait for one peer; what comes on top is not taken.
    int receive_queue = 0; ///< Messages of one peer that wait to be read; then TCP holds the peer back.
};

[[nodiscard]] PlaneLimits plane_limits(Plane plane);

/// Bytes that CURVE adds to each frame (command name, nonce, authentication code, flags).
inline constexpr std::size_t kCurveOverhead = 33;

/// Every socket of ours: the limits of its plane, a short linger, keepalive, no queue for a peer that is not there.
/// (TCP_NODELAY is libzmq's own doing: it sets it on each TCP connection, and there is no option for it.)
void set_plane_options(zmq::socket_t& socket, Plane plane);

/// Lets in only who knows `own.public_key` and whom the Gatekeeper of the socket's context knows. `zap_domain` names
/// the socket to the Gatekeeper and must not be empty: with an empty one libzmq would ask nobody.
void make_curve_server(zmq::socket_t& socket, const KeyPair& own, std::string_view zap_domain);

/// Talks only to the one who holds the secret half of `server`.
void make_curve_client(zmq::socket_t& socket, const KeyPair& own, const PublicKey& server);

} // namespace constela::cluster
