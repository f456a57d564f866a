// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/pipeline/data_socket.h"

#include "engine/cluster/transport/endpoint.h"
#include "engine/cluster/transport/gatekeeper.h"

#include <cstring>
#include <fmt/format.h>

namespace constela::cluster {

namespace {

/// Stage, packet, rows.
constexpr std::size_t kMostFrames = 3;
constexpr auto kConnectTime = std::chrono::milliseconds(5000);
constexpr auto kLookTime = std::chrono::milliseconds(20);

std::string local_endpoint(const std::string& name)
{
    return "inproc://data/" + name;
}

/// Reads all frames of a message, so that none is left of one that is dropped.
std::vector<zmq::message_t> receive_frames(zmq::socket_t& socket)
{
    std::vector<zmq::message_t> frames;
    bool more = true;
    while (more) {
        zmq::message_t frame;
        if (!socket.recv(frame, zmq::recv_flags::dontwait)) {
            break;
        }
        more = frame.more();
        if (frames.size() <= kMostFrames) {
            frames.push_back(std::move(frame));
        }
    }
    return frames;
}

} // namespace

Result<DataInlet> DataInlet::open(const DataPlane& plane, const std::string& name, std::uint16_t port)
{
    zmq::socket_t remote(plane.context, zmq::socket_type::pull);
    set_plane_options(remote, Plane::data);
    make_curve_server(remote, plane.keys, "data");
    CONSTELA_ASSIGN(const Address bound, bind_tcp(remote, {plane.bind_host, port}));
    zmq::socket_t local(plane.context, zmq::socket_type::pull);
    set_plane_options(local, Plane::data);
    local.bind(local_endpoint(name));
    return DataInlet(plane, std::move(remote), std::move(local), bound.port);
}

DataInlet::DataInlet(const DataPlane& plane, zmq::socket_t remote, zmq::socket_t local, std::uint16_t port)
    : peers_(&plane.peers), self_(plane.self), remote_(std::move(remote)), local_(std::move(local)), port_(port)
{
}

std::array<zmq::pollitem_t, 2> DataInlet::poll_items()
{
    return {zmq::pollitem_t{local_.handle(), 0, ZMQ_POLLIN, 0}, zmq::pollitem_t{remote_.handle(), 0, ZMQ_POLLIN, 0}};
}

std::optional<NodeId> DataInlet::sender_of(const zmq::message_t& message) const
{
    const auto key = cluster::sender(message);
    return key && peers_->trusts(*key) ? std::optional(node_id(*key)) : std::nullopt;
}

std::optional<DataMessage> DataInlet::receive()
{
    if (auto frames = receive_frames(local_); !frames.empty()) {
        return DataMessage{self_, std::move(frames)};
    }
    for (;;) {
        auto frames = receive_frames(remote_);
        if (frames.empty()) {
            return std::nullopt;
        }
        const auto from = sender_of(frames.front());
        if (from && frames.size() <= kMostFrames) {
            return DataMessage{*from, std::move(frames)};
        }
    }
}

DataOutlet::DataOutlet(zmq::socket_t socket, NodeId node, std::unique_ptr<SocketMonitor> watch)
    : node_(node), socket_(std::move(socket)), watch_(std::move(watch))
{
}

Result<DataOutlet> DataOutlet::open(const DataPlane& plane, const NodeId& node, const std::string& name,
                                    std::uint16_t port)
{
    zmq::socket_t socket(plane.context, zmq::socket_type::push);
    set_plane_options(socket, Plane::data);
    socket.set(zmq::sockopt::linger, 0);
    if (node == plane.self) {
        socket.connect(local_endpoint(name));
        return DataOutlet(std::move(socket), node, nullptr);
    }
    const auto contact = plane.peers.contact(node);
    if (!contact) {
        return failure(
            "The node {} is to take part, but this node is not connected with it. Pair the two, then load the "
            "model again.",
            to_text(node));
    }
    make_curve_client(socket, plane.keys, contact->key);
    auto watch =
        std::make_unique<SocketMonitor>(plane.context, socket, ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED);
    CONSTELA_TRY(connect_tcp(socket, {contact->host, port}));
    return DataOutlet(std::move(socket), node, std::move(watch));
}

bool DataOutlet::broken()
{
    // libzmq makes a new connection by itself, but what was under way in the old one is lost.
    while (watch_ != nullptr) {
        const auto event = watch_->next();
        if (!event) {
            break;
        }
        const bool up = event->event == ZMQ_EVENT_HANDSHAKE_SUCCEEDED;
        broken_ = broken_ || (connected_ && !up);
        connected_ = connected_ || up;
    }
    return broken_;
}

Result<> DataOutlet::send(std::vector<zmq::message_t> frames, const std::atomic<bool>& cancelled)
{
    const auto until = std::chrono::steady_clock::now() + kConnectTime;
    for (std::size_t i = 0; i < frames.size();) {
        const auto more = i + 1 < frames.size() ? zmq::send_flags::sndmore : zmq::send_flags::none;
        if (broken()) {
            return failure("The connection that carries the model's activations broke.");
        }
        if (socket_.send(frames[i], more | zmq::send_flags::dontwait)) {
            ++i;
            continue;
        }
        if (cancelled || std::chrono::steady_clock::now() > until) {
            return failure(
                "The connection that carries the model's activations could not be made. A firewall may block "
                "the port.");
        }
        zmq::pollitem_t item{socket_.handle(), 0, ZMQ_POLLOUT, 0};
        zmq::poll(&item, 1, kLookTime);
    }
    return {};
}

zmq::message_t stage_frame(std::uint32_t stage)
{
    const std::array<std::uint8_t, 4> bytes{static_cast<std::uint8_t>(stage), static_cast<std::uint8_t>(stage >> 8U),
                                            static_cast<std::uint8_t>(stage >> 16U),
                                            static_cast<std::uint8_t>(stage >> 24U)};
    return {bytes.data(), bytes.size()};
}

std::optional<std::uint32_t> stage_of_frame(const zmq::message_t& frame)
{
    if (frame.size() != 4) {
        return std::nullopt;
    }
    const auto* bytes = static_cast<const std::uint8_t*>(frame.data());
    return bytes[0] | std::uint32_t{bytes[1]} << 8U | std::uint32_t{bytes[2]} << 16U | std::uint32_t{bytes[3]} << 24U;
}

zmq::message_t bytes_frame(std::span<const std::byte> bytes)
{
    return {bytes.data(), bytes.size()};
}

} // namespace constela::cluster
