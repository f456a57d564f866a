// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/pairing/pairing_connections.h"

#include <algorithm>
#include <utility>

namespace constela::cluster {
namespace {

/// Pieces of up to 8 KiB that wait in each direction of each connection.
constexpr int kQueue = 4;
constexpr int kLingerMs = 1000;
constexpr int kReconnectMs = 200;
/// So many pieces are taken at once, so that a flood does not keep the caller from its other work.
constexpr int kMostPieces = 64;

/// One part of a ZMQ_STREAM message, which always has two: route and bytes.
std::optional<zmq::message_t> part(zmq::socket_t& socket)
{
    zmq::message_t message;
    try {
        if (socket.recv(message, zmq::recv_flags::dontwait)) {
            return message;
        }
    } catch (const zmq::error_t&) { // the context ends, or a signal came: nothing to read now
        return std::nullopt;
    }
    return std::nullopt;
}

/// Whether what has come so far can still become a message of this version, or is one.
bool goes_on(std::span<const std::byte> bytes)
{
    return bytes.size() < kPairingHeaderBytes || (bytes.size() < kPairingBytes && begins_own_version(bytes));
}

} // namespace

PairingConnections::PairingConnections(zmq::context_t& context, const Clock& clock, const Limits& limits)
    : clock_(&clock), limits_(limits), socket_(context, zmq::socket_type::stream)
{
    socket_.set(zmq::sockopt::ipv6, true);
    socket_.set(zmq::sockopt::rcvhwm, kQueue);
    socket_.set(zmq::sockopt::sndhwm, kQueue);
    socket_.set(zmq::sockopt::linger, kLingerMs);
    socket_.set(zmq::sockopt::reconnect_ivl, kReconnectMs);
    socket_.set(zmq::sockopt::backlog, static_cast<int>(limits.connections));
}

std::vector<PairingConnections::Event> PairingConnections::receive()
{
    std::vector<Event> events;
    for (int i = 0; i < kMostPieces; ++i) {
        auto route = part(socket_);
        if (!route) {
            break;
        }
        const auto piece = part(socket_);
        if (!piece) {
            break;
        }
        if (piece->size() == 0) {
            on_open_or_close(events, route->to_string());
        } else {
            on_piece(events, route->to_string(), {static_cast<const std::byte*>(piece->data()), piece->size()});
        }
    }
    return events;
}

void PairingConnections::on_open_or_close(std::vector<Event>& events, const std::string& route)
{
    if (connections_.erase(route) > 0) {
        events.push_back({Event::Kind::closed, route, {}});
    } else if (connections_.size() >= limits_.connections) {
        cut(route);
    } else {
        connections_[route].heard = clock_->now();
        events.push_back({Event::Kind::opened, route, {}});
    }
}

void PairingConnections::on_piece(std::vector<Event>& events, const std::string& route,
                                  std::span<const std::byte> piece)
{
    const auto place = connections_.find(route);
    if (place == connections_.end() || place->second.close_at) {
        return; // cut off already
    }
    Connection& connection = place->second;
    connection.heard = clock_->now();
    while (!piece.empty()) {
        const std::size_t missing =
            (connection.bytes.size() < kPairingHeaderBytes ? kPairingHeaderBytes : kPairingBytes) -
            connection.bytes.size();
        const auto taken = piece.first(std::min(missing, piece.size()));
        connection.bytes.insert(connection.bytes.end(), taken.begin(), taken.end());
        piece = piece.subspan(taken.size());
        if (goes_on(connection.bytes)) {
            continue;
        }
        const bool whole = connection.bytes.size() == kPairingBytes;
        events.push_back({Event::Kind::message, route, std::exchange(connection.bytes, std::vector<std::byte>())});
        if (!whole) { // another version or no pairing at all: where its next message begins is anyone's guess
            close_soon(route);
            return;
        }
    }
}

void PairingConnections::send(const std::string& route, const PairingBytes& bytes)
{
    try {
        socket_.send(zmq::buffer(route), zmq::send_flags::sndmore | zmq::send_flags::dontwait);
        socket_.send(zmq::buffer(bytes.data(), bytes.size()), zmq::send_flags::dontwait);
    } catch (const zmq::error_t&) { // it is gone, which comes as an event
        return;
    }
}

void PairingConnections::close_soon(const std::string& route)
{
    const auto place = connections_.find(route);
    if (place != connections_.end() && !place->second.close_at) {
        place->second.close_at = clock_->now() + limits_.farewell;
    }
    if (kept_ == route) {
        kept_.clear();
    }
}

void PairingConnections::tick()
{
    const Time now = clock_->now();
    std::vector<std::string> due;
    for (const auto& [route, connection] : connections_) {
        const bool silent = route != kept_ && now - connection.heard >= limits_.silence;
        if (silent || (connection.close_at && now >= *connection.close_at)) {
            due.push_back(route);
        }
    }
    for (const std::string& route : due) {
        connections_.erase(route);
        cut(route);
    }
}

void PairingConnections::cut(const std::string& route)
{
    try {
        socket_.send(zmq::buffer(route), zmq::send_flags::sndmore | zmq::send_flags::dontwait);
        socket_.send(zmq::message_t(), zmq::send_flags::dontwait);
    } catch (const zmq::error_t&) { // it is gone already
        return;
    }
}

} // namespace constela::cluster
