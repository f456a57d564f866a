// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/transport/curve.h"

#include <span>
#include <string>

namespace constela::cluster {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20U;

/// A machine that is busy with a model still has to answer within this, or the connection begins anew.
constexpr int kHandshakeMs = 10'000;
/// What was sent before a socket is closed (a Goodbye) may take this long to leave.
constexpr int kLingerMs = 200;
/// A peer whose machine is gone without a word: probed after 5 s of silence, given up after another 6 s. Heartbeats
/// notice long before; this only takes the dead connection away.
constexpr int kKeepaliveIdleS = 5;
constexpr int kKeepaliveIntervalS = 2;
constexpr int kKeepaliveProbes = 3;
constexpr int kUnacknowledgedMs = 10'000;
/// Reconnecting begins quickly, since a node that restarts is missed, and slows down while nobody is there.
constexpr int kReconnectMs = 100;
constexpr int kReconnectMaxMs = 1'000;

zmq::const_buffer buffer(std::span<const std::byte> bytes)
{
    return zmq::buffer(bytes.data(), bytes.size());
}

} // namespace

PlaneLimits plane_limits(Plane plane)
{
    switch (plane) {
    case Plane::control: return {kMiB + kCurveOverhead, 1024, 256};
    case Plane::data: return {64 * kMiB + kCurveOverhead, 256, 256};
    case Plane::bulk: return {8 * kMiB + kCurveOverhead, 64, 64};
    case Plane::local: return {kMiB, 4096, 1024};
    }
    return {};
}

void set_plane_options(zmq::socket_t& socket, Plane plane)
{
    const PlaneLimits limits = plane_limits(plane);
    socket.set(zmq::sockopt::maxmsgsize, static_cast<std::int64_t>(limits.max_message));
    socket.set(zmq::sockopt::sndhwm, limits.send_queue);
    socket.set(zmq::sockopt::rcvhwm, limits.receive_queue);
    socket.set(zmq::sockopt::linger, kLingerMs);
    socket.set(zmq::sockopt::immediate, true);
    socket.set(zmq::sockopt::handshake_ivl, kHandshakeMs);
    socket.set(zmq::sockopt::reconnect_ivl, kReconnectMs);
    socket.set(zmq::sockopt::reconnect_ivl_max, kReconnectMaxMs);
    if (plane != Plane::local) {
        socket.set(zmq::sockopt::ipv6, true);
        socket.set(zmq::sockopt::tcp_keepalive, 1);
        socket.set(zmq::sockopt::tcp_keepalive_idle, kKeepaliveIdleS);
        socket.set(zmq::sockopt::tcp_keepalive_intvl, kKeepaliveIntervalS);
        socket.set(zmq::sockopt::tcp_keepalive_cnt, kKeepaliveProbes);
        socket.set(zmq::sockopt::tcp_maxrt, kUnacknowledgedMs);
    }
}

void make_curve_server(zmq::socket_t& socket, const KeyPair& own, std::string_view zap_domain)
{
    socket.set(zmq::sockopt::curve_server, true);
    socket.set(zmq::sockopt::curve_secretkey, buffer(own.secret_key.bytes));
    socket.set(zmq::sockopt::zap_domain, std::string(zap_domain));
}

void make_curve_client(zmq::socket_t& socket, const KeyPair& own, const PublicKey& server)
{
    socket.set(zmq::sockopt::curve_serverkey, buffer(server.bytes));
    socket.set(zmq::sockopt::curve_publickey, buffer(own.public_key.bytes));
    socket.set(zmq::sockopt::curve_secretkey, buffer(own.secret_key.bytes));
}

} // namespace constela::cluster
