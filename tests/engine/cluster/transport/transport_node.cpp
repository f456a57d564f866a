// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/cluster/transport/transport_node.h"

#include "engine/cluster/transport/curve.h"
#include "engine/cluster/transport/endpoint.h"

#include <gtest/gtest.h>

namespace constela::test {

using namespace cluster; // NOLINT(google-build-using-namespace): this file is about its types

TransportNode::TransportNode()
    : transport(ControlTransport::listen(context, gatekeeper, keys, {"127.0.0.1", 0}, clock).value())
{
}

void TransportNode::allow(const std::vector<const TransportNode*>& peers)
{
    std::set<PublicKey> allowed;
    for (const TransportNode* peer : peers) {
        allowed.insert(peer->keys.public_key);
    }
    transport->set_allowed(std::move(allowed));
}

void TransportNode::connect(const TransportNode& peer)
{
    transport->connect(peer.id, peer.keys.public_key, peer.transport->address());
}

std::vector<Message> TransportNode::received() const
{
    std::vector<Message> messages;
    for (const TransportEvent& happened : events) {
        if (const auto* received = std::get_if<event::Received>(&happened)) {
            messages.push_back(received->message);
        }
    }
    return messages;
}

bool run_until(const std::vector<TransportNode*>& nodes, const std::function<bool()>& done)
{
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (!done()) {
        if (std::chrono::steady_clock::now() > until) {
            return false;
        }
        std::vector<zmq::pollitem_t> items;
        for (TransportNode* node : nodes) {
            if (node->transport) {
                node->transport->add_poll_items(items);
            }
        }
        zmq::poll(items, std::chrono::milliseconds(50));
        for (TransportNode* node : nodes) {
            if (node->transport) {
                for (TransportEvent& event : node->transport->process()) {
                    node->events.push_back(std::move(event));
                }
            }
        }
    }
    return true;
}

RawClient::RawClient(const TransportNode& server, const KeyPair& own)
    : keys(own), socket_(context_, zmq::socket_type::dealer)
{
    set_plane_options(socket_, Plane::control);
    make_curve_client(socket_, keys, server.keys.public_key);
    // What is sent waits here until a session stands, if one ever does.
    socket_.set(zmq::sockopt::immediate, false);
    socket_.set(zmq::sockopt::linger, 0);
    EXPECT_TRUE(connect_tcp(socket_, server.transport->address()));
}

bool RawClient::send(std::string_view bytes, bool more)
{
    return cluster::send(socket_, zmq::message_t(bytes), more) == Sent::yes;
}

} // namespace constela::test
