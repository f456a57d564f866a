// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sockets of the data plane. Each receiver has two: one for other nodes (TCP with CURVE) and one for devices of its
// own node (inproc), so that a message's way says which of the two it came. Who sent what came by TCP is the key that
// the connection was made with, never a field of the message.
//
// Threads: one each. A peer is asked for (contact()) on the thread of the socket.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/node_id.h"
#include "engine/cluster/transport/curve.h"
#include "engine/cluster/transport/socket_monitor.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include <zmq.hpp>

namespace constela::cluster {

struct PeerContact {
    PublicKey key;
    std::string host; ///< As in Address.
};

/// What the data plane needs to know of the nodes around it. Threads: any.
class DataPeers {
public:
    virtual ~DataPeers() = default;
    DataPeers() = default;
    DataPeers(const DataPeers&) = delete;
    DataPeers& operator=(const DataPeers&) = delete;
    /// Nothing for one that is not trusted or not reached at present.
    [[nodiscard]] virtual std::optional<PeerContact> contact(const NodeId& node) const = 0;
    [[nodiscard]] virtual bool trusts(const PublicKey& key) const = 0;
};

/// Everything that a socket of the data plane needs. What it refers to must outlive the socket.
struct DataPlane {
    zmq::context_t& context;
    const KeyPair& keys;
    NodeId self;
    const DataPeers& peers;
    std::string bind_host; ///< "::", "0.0.0.0", or one address.
};

/// A connection that breaks is seen here before the control plane knows whose fault it is. So long it gets to say so in
/// words that name a node; only then it is told as what it is here.
inline constexpr auto kVerdictTime = std::chrono::milliseconds(1500);

/// What came in, with the node that sent it.
struct DataMessage {
    NodeId from;
    std::vector<zmq::message_t> frames;
};

class DataInlet {
public:
    /// `name`: of the inproc endpoint. `port` 0: a free one.
    [[nodiscard]] static Result<DataInlet> open(const DataPlane& plane, const std::string& name, std::uint16_t port);

    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] std::array<zmq::pollitem_t, 2> poll_items();
    /// The next message, local ones first; nothing where there is none. What comes from keys that are not trusted is
    /// dropped unread, and so is what has more frames than any message.
    [[nodiscard]] std::optional<DataMessage> receive();

private:
    DataInlet(const DataPlane& plane, zmq::socket_t remote, zmq::socket_t local, std::uint16_t port);
    [[nodiscard]] std::optional<NodeId> sender_of(const zmq::message_t& message) const;

    const DataPeers* peers_;
    NodeId self_;
    zmq::socket_t remote_;
    zmq::socket_t local_;
    std::uint16_t port_;
};

class DataOutlet {
public:
    /// To `node`'s receiver of this name (where it is this node) or port.
    [[nodiscard]] static Result<DataOutlet> open(const DataPlane& plane, const NodeId& node, const std::string& name,
                                                 std::uint16_t port);

    /// Waits for a connection for at most a few seconds, or until `cancelled`. Fails when it does not come about, and
    /// once one has broken: what was in it may be lost.
    [[nodiscard]] Result<> send(std::vector<zmq::message_t> frames, const std::atomic<bool>& cancelled);
    [[nodiscard]] const NodeId& node() const { return node_; }

private:
    DataOutlet(zmq::socket_t socket, NodeId node, std::unique_ptr<SocketMonitor> watch);

public:
    /// Whether a connection has broken since it was made. Looked at between messages.
    [[nodiscard]] bool broken();

private:
    NodeId node_;
    zmq::socket_t socket_;
    std::unique_ptr<SocketMonitor> watch_; ///< Of one that leads to another node.
    bool connected_ = false;
    bool broken_ = false;
};

/// The frames of a message for a stage (data.fbs).
[[nodiscard]] zmq::message_t stage_frame(std::uint32_t stage);
[[nodiscard]] std::optional<std::uint32_t> stage_of_frame(const zmq::message_t& frame);
[[nodiscard]] zmq::message_t bytes_frame(std::span<const std::byte> bytes);
[[nodiscard]] inline std::span<const std::byte> bytes_of(const zmq::message_t& frame)
{
    return {static_cast<const std::byte*>(frame.data()), frame.size()};
}

} // namespace constela::cluster
