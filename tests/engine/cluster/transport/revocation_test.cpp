// SPDX-License-Identifier: GPL-3.0-or-later
//
// Strangers, and peers whose key is taken away: nothing that they send is read.
#include "engine/cluster/wire/codec.h"
#include "tests/engine/cluster/transport/transport_node.h"

#include <gtest/gtest.h>

namespace constela::cluster {
namespace {

using test::run_until;
using test::TransportNode;

TEST(Revocation, AStrangerNeverReachesAReader)
{
    TransportNode node;
    test::RawClient stranger(node);
    const std::vector<std::byte> bytes = encode(Heartbeat{1, 1});
    ASSERT_TRUE(stranger.send({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
    ASSERT_TRUE(run_until({&node}, [&] { return node.gatekeeper.counts().refused == 1; }));
    EXPECT_TRUE(node.events.empty());
    EXPECT_EQ(node.transport->refused_messages(), 0U) << "not even a message came in";
    EXPECT_EQ(node.transport->traffic(node_id(stranger.keys.public_key)).messages_in, 0U);
    EXPECT_EQ(node.gatekeeper.counts().admitted, 0U);
}

TEST(Revocation, OnlyCurveComesIn)
{
    TransportNode node;
    zmq::context_t context;
    zmq::socket_t plain(context, zmq::socket_type::dealer);
    plain.set(zmq::sockopt::linger, 0);
    plain.connect("tcp://127.0.0.1:" + std::to_string(node.transport->address().port));
    SocketMonitor monitor(context, plain, ZMQ_EVENT_ALL);
    ASSERT_TRUE(plain.send(zmq::message_t(std::string_view("hello")), zmq::send_flags::dontwait));
    bool refused = false;
    ASSERT_TRUE(run_until({&node}, [&] {
        while (const auto event = monitor.next()) {
            refused = refused || event->event == ZMQ_EVENT_DISCONNECTED;
        }
        return refused;
    }));
    EXPECT_TRUE(node.events.empty());
    EXPECT_EQ(node.transport->refused_messages(), 0U);
}

TEST(Revocation, CutsALiveSessionOfADialer)
{
    TransportNode a;
    TransportNode b;
    a.allow({&b});
    b.allow({&a});
    a.connect(b);
    ASSERT_TRUE(run_until({&a, &b}, [&] { return a.is_up(b); }));
    ASSERT_TRUE(a.transport->send(b.id, Heartbeat{1, 1}));
    ASSERT_TRUE(run_until({&a, &b}, [&] { return b.received().size() == 1; }));
    b.allow({});
    EXPECT_FALSE(b.is_up(a));
    EXPECT_FALSE(b.transport->send(a.id, Goodbye{}));
    EXPECT_TRUE(run_until({&a, &b}, [&] { return a.count<event::Down>(b.id) == 1; }));
    // And for good: a comes back in no more.
    const auto refused = b.gatekeeper.counts().refused;
    a.connect(b);
    EXPECT_TRUE(run_until({&a, &b}, [&] { return b.gatekeeper.counts().refused > refused; }));
    EXPECT_FALSE(a.is_up(b));
    EXPECT_EQ(b.received().size(), 1U);
}

TEST(Revocation, CutsALiveSessionThatThisNodeMade)
{
    TransportNode a;
    TransportNode b;
    a.allow({&b});
    b.allow({&a});
    a.connect(b);
    ASSERT_TRUE(run_until({&a, &b}, [&] { return a.is_up(b); }));
    ASSERT_TRUE(a.transport->send(b.id, Heartbeat{1, 1}));
    ASSERT_TRUE(run_until({&a, &b}, [&] { return b.is_up(a); }));
    a.allow({});
    EXPECT_FALSE(a.is_up(b));
    EXPECT_TRUE(run_until({&a, &b}, [&] { return b.count<event::Down>(a.id) == 1; }));
}

TEST(Revocation, DropsWhatLiesUnread)
{
    TransportNode a;
    TransportNode b;
    a.allow({&b});
    b.allow({&a});
    a.connect(b);
    ASSERT_TRUE(run_until({&a, &b}, [&] { return a.is_up(b); }));
    // b's thread is busy meanwhile: the messages wait in its socket.
    for (std::uint64_t i = 0; i < 20; ++i) {
        ASSERT_TRUE(a.transport->send(b.id, Heartbeat{1, i}));
    }
    std::vector<zmq::pollitem_t> items;
    b.transport->add_poll_items(items);
    ASSERT_GT(zmq::poll(items, test::kPatience), 0);
    b.allow({});
    ASSERT_TRUE(run_until({&a, &b}, [&] { return a.count<event::Down>(b.id) == 1; }));
    EXPECT_TRUE(b.events.empty());
    EXPECT_GE(b.transport->refused_messages(), 1U);
}

TEST(Revocation, LeavesOthersAlone)
{
    TransportNode a;
    TransportNode b;
    TransportNode c;
    a.allow({&b, &c});
    b.allow({&a});
    c.allow({&a});
    b.connect(a);
    c.connect(a);
    ASSERT_TRUE(run_until({&a, &b, &c}, [&] { return b.is_up(a) && c.is_up(a); }));
    ASSERT_TRUE(b.transport->send(a.id, Heartbeat{1, 1}));
    ASSERT_TRUE(c.transport->send(a.id, Heartbeat{1, 1}));
    ASSERT_TRUE(run_until({&a, &b, &c}, [&] { return a.received().size() == 2; }));
    a.allow({&c});
    ASSERT_TRUE(run_until({&a, &b, &c}, [&] { return b.count<event::Down>(a.id) == 1; }));
    ASSERT_TRUE(c.transport->send(a.id, Heartbeat{1, 2}));
    ASSERT_TRUE(run_until({&a, &b, &c}, [&] { return a.received().size() == 3; }));
    EXPECT_EQ(c.count<event::Down>(a.id), 0U);
}

} // namespace
} // namespace constela::cluster
