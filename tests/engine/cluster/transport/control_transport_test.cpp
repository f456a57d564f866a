// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sessions between transports in one process: how they come, what goes over them, how they end.
#include "engine/cluster/transport/control_transport.h"

#include "engine/base/descriptor.h"
#include "engine/cluster/transport/endpoint.h"
#include "engine/cluster/wire/codec.h"
#include "engine/cluster/wire/limits.h"
#include "tests/engine/cluster/transport/transport_node.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace constela::cluster {
namespace {

using test::run_until;
using test::TransportNode;

class ControlTransportTest : public testing::Test {
protected:
    ControlTransportTest()
    {
        a_.allow({&b_});
        b_.allow({&a_});
    }
    [[nodiscard]] bool until(const std::function<bool()>& done) { return run_until({&a_, &b_}, done); }
    /// b knows of the session only when a has said something over it.
    [[nodiscard]] bool make_session()
    {
        a_.connect(b_);
        return until([&] { return a_.is_up(b_); }) && a_.transport->send(b_.id, Heartbeat{1, 0}) &&
               until([&] { return b_.is_up(a_); });
    }

    TransportNode a_;
    TransportNode b_;
};

TEST_F(ControlTransportTest, CarriesMessagesBothWaysOverOneSession)
{
    a_.connect(b_);
    ASSERT_TRUE(until([&] { return a_.count<event::Up>(b_.id) == 1; }));
    ASSERT_TRUE(a_.transport->send(b_.id, Heartbeat{7, 1}));
    ASSERT_TRUE(until([&] { return b_.received().size() == 1; }));
    // b never dialed: it answers over what a made.
    ASSERT_EQ(b_.count<event::Up>(a_.id), 1U);
    EXPECT_TRUE(std::holds_alternative<event::Up>(b_.events.at(0))) << "Up comes before what is received";
    ASSERT_TRUE(b_.transport->send(a_.id, HeartbeatReply{8, 1}));
    ASSERT_TRUE(until([&] { return a_.received().size() == 1; }));
    EXPECT_EQ(std::get<Heartbeat>(b_.received()[0]).incarnation, 7U);
    EXPECT_EQ(std::get<HeartbeatReply>(a_.received()[0]).incarnation, 8U);
    EXPECT_EQ(std::get<event::Up>(a_.events.at(0)).over, b_.transport->address());
    EXPECT_EQ(std::get<event::Up>(b_.events.at(0)).over, std::nullopt);
    EXPECT_EQ(a_.transport->address_of(b_.id), b_.transport->address());
    EXPECT_EQ(b_.transport->address_of(a_.id)->host, "127.0.0.1");
}

TEST_F(ControlTransportTest, KeepsTheOrderOfMessages)
{
    ASSERT_TRUE(make_session());
    for (std::uint64_t i = 1; i <= 100; ++i) {
        ASSERT_TRUE(a_.transport->send(b_.id, Heartbeat{1, i}));
    }
    ASSERT_TRUE(until([&] { return b_.received().size() == 101; }));
    for (std::uint64_t i = 0; i <= 100; ++i) {
        EXPECT_EQ(std::get<Heartbeat>(b_.received()[i]).number, i);
    }
}

TEST_F(ControlTransportTest, CarriesTheLargestBody)
{
    ASSERT_TRUE(make_session());
    const std::string body(limits::kBody, 'x');
    ASSERT_TRUE(a_.transport->send(b_.id, Command{1, "ask", body}));
    ASSERT_TRUE(until([&] { return b_.received().size() == 2; }));
    EXPECT_EQ(std::get<Command>(b_.received()[1]).arguments, body);
    EXPECT_FALSE(a_.transport->send(b_.id, Command{1, "ask", std::string(limits::kMessageBytes, 'x')}));
    EXPECT_EQ(a_.transport->traffic(b_.id).dropped, 1U);
}

TEST_F(ControlTransportTest, CountsTraffic)
{
    ASSERT_TRUE(make_session());
    const std::size_t size = encode(Heartbeat{1, 0}).size();
    EXPECT_EQ(a_.transport->traffic(b_.id).bytes_out, size);
    EXPECT_EQ(a_.transport->traffic(b_.id).messages_out, 1U);
    EXPECT_EQ(b_.transport->traffic(a_.id).bytes_in, size);
    EXPECT_EQ(b_.transport->traffic(a_.id).messages_in, 1U);
}

TEST_F(ControlTransportTest, SeesADialerEnd)
{
    ASSERT_TRUE(make_session());
    a_.stop();
    EXPECT_TRUE(until([&] { return b_.count<event::Down>(a_.id) == 1; }));
    EXPECT_FALSE(b_.is_up(a_));
    EXPECT_FALSE(b_.transport->send(a_.id, Goodbye{}));
}

TEST_F(ControlTransportTest, SeesAListenerEnd)
{
    ASSERT_TRUE(make_session());
    b_.stop();
    EXPECT_TRUE(until([&] { return a_.count<event::Down>(b_.id) == 1; }));
    EXPECT_FALSE(a_.is_up(b_));
    EXPECT_FALSE(a_.transport->send(b_.id, Goodbye{}));
}

TEST_F(ControlTransportTest, TellsAGoodbyeBeforeTheEnd)
{
    for (const bool dialer_leaves : {true, false}) {
        ASSERT_TRUE(make_session());
        TransportNode& leaves = dialer_leaves ? a_ : b_;
        TransportNode& stays = dialer_leaves ? b_ : a_;
        a_.events.clear();
        b_.events.clear();
        ASSERT_TRUE(leaves.transport->send(stays.id, Goodbye{}));
        leaves.transport->disconnect(stays.id);
        EXPECT_FALSE(leaves.transport->send(stays.id, Heartbeat{})) << "there is no session any more";
        ASSERT_TRUE(until([&] { return stays.count<event::Down>(leaves.id) == 1; }));
        ASSERT_EQ(stays.received().size(), 1U);
        EXPECT_TRUE(std::holds_alternative<Goodbye>(stays.received()[0]));
        EXPECT_TRUE(std::holds_alternative<event::Down>(stays.events.back()));
        EXPECT_EQ(leaves.count<event::Down>(stays.id), 0U) << "who hangs up knows it";
    }
}

TEST_F(ControlTransportTest, DoesNotHearWhatComesAfterHangingUp)
{
    ASSERT_TRUE(make_session());
    b_.transport->disconnect(a_.id);
    b_.events.clear();
    (void)a_.transport->send(b_.id, Heartbeat{1, 1});
    ASSERT_TRUE(until([&] { return a_.count<event::Down>(b_.id) == 1; }));
    EXPECT_TRUE(b_.received().empty());
    EXPECT_EQ(b_.count<event::Up>(a_.id), 0U);
    // A new session is another matter.
    ASSERT_TRUE(make_session());
}

TEST_F(ControlTransportTest, KeepsOneSessionWhenBothDialAtOnce)
{
    for (int round = 0; round < 10; ++round) {
        a_.connect(b_);
        b_.connect(a_);
        // As nodes do: each says Hello whenever a session stands.
        std::size_t seen_a = a_.events.size();
        std::size_t seen_b = b_.events.size();
        const auto greet = [](TransportNode& node, const TransportNode& peer, std::size_t& seen) {
            for (; seen < node.events.size(); ++seen) {
                if (std::holds_alternative<event::Up>(node.events[seen])) {
                    (void)node.transport->send(peer.id, Heartbeat{1, 1});
                }
            }
        };
        bool both = false;
        ASSERT_TRUE(until([&] {
            greet(a_, b_, seen_a);
            greet(b_, a_, seen_b);
            if (!a_.is_up(b_) || !b_.is_up(a_)) {
                return false;
            }
            // Both talk over the connection that one of them made.
            const bool a_made = a_.transport->address_of(b_.id) == b_.transport->address();
            const bool b_made = b_.transport->address_of(a_.id) == a_.transport->address();
            both = a_made != b_made;
            return both;
        }));
        // What is lost with a session that another one replaced is said again after its Up.
        const std::size_t before = b_.received().size();
        (void)a_.transport->send(b_.id, Heartbeat{1, 2});
        ASSERT_TRUE(until([&] {
            greet(a_, b_, seen_a);
            greet(b_, a_, seen_b);
            return b_.received().size() > before;
        }));
        a_.transport->disconnect(b_.id);
        b_.transport->disconnect(a_.id);
        ASSERT_TRUE(until([&] { return !a_.is_up(b_) && !b_.is_up(a_); }));
    }
}

TEST_F(ControlTransportTest, SaysWhyAPeerIsNotReached)
{
    // A port that is taken, so that nobody else gets it, and at which nobody listens.
    const Descriptor taken(socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in local{};
    local.sin_family = AF_INET;
    local.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(local);
    ASSERT_EQ(bind(taken.number(), reinterpret_cast<const sockaddr*>(&local), size), 0);
    ASSERT_EQ(getsockname(taken.number(), reinterpret_cast<sockaddr*>(&local), &size), 0);
    const Address nobody{"127.0.0.1", ntohs(local.sin_port)};
    a_.transport->connect(b_.id, b_.keys.public_key, nobody);
    ASSERT_TRUE(until([&] { return a_.count<event::Unreachable>(b_.id) == 1; }));
    const auto& unreachable = std::get<event::Unreachable>(a_.events.at(0));
    EXPECT_EQ(unreachable.reason.text(), "Port " + std::to_string(nobody.port) + " of 127.0.0.1 does not answer.");
    EXPECT_EQ(a_.count<event::Down>(b_.id), 0U);
}

TEST_F(ControlTransportTest, SaysThatThePeerDoesNotLetItIn)
{
    b_.allow({});
    a_.connect(b_);
    ASSERT_TRUE(until([&] { return a_.count<event::Unreachable>(b_.id) >= 1; }));
    EXPECT_EQ(std::get<event::Unreachable>(a_.events.at(0)).reason.text(),
              "The node at 127.0.0.1 does not let this one in. Pair the two again.");
    // The next try is asked again.
    b_.allow({&a_});
    a_.connect(b_);
    EXPECT_TRUE(until([&] { return a_.is_up(b_); }));
}

TEST_F(ControlTransportTest, TalksToNobodyWithAnotherKey)
{
    // c answers where b is expected.
    TransportNode c;
    c.allow({&a_});
    a_.transport->connect(b_.id, b_.keys.public_key, c.transport->address());
    ASSERT_TRUE(run_until({&a_, &c}, [&] { return a_.count<event::Unreachable>(b_.id) >= 1; }));
    EXPECT_FALSE(a_.is_up(b_));
    EXPECT_TRUE(c.events.empty());
}

TEST_F(ControlTransportTest, DialsOnlyWhoIsAllowed)
{
    TransportNode c;
    c.allow({&a_});
    a_.connect(c);
    std::vector<zmq::pollitem_t> items;
    a_.transport->add_poll_items(items);
    EXPECT_EQ(items.size(), 2U) << "only the listening socket and its monitor";
}

TEST_F(ControlTransportTest, SaysThatAPortIsTaken)
{
    const auto second = ControlTransport::listen(a_.context, a_.gatekeeper, a_.keys, a_.transport->address(), a_.clock);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().text(), "Port " + std::to_string(a_.transport->address().port) +
                                         " of 127.0.0.1 is in use by another program. End that program, or choose "
                                         "another port.");
}

TEST_F(ControlTransportTest, CountsGarbageAndGoesOn)
{
    ASSERT_TRUE(make_session());
    test::RawClient raw(b_, a_.keys); // a, gone mad
    const std::vector<std::byte> good = encode(Heartbeat{5, 5});
    const std::string_view heartbeat(reinterpret_cast<const char*>(good.data()), good.size());
    ASSERT_TRUE(raw.send(""));
    ASSERT_TRUE(raw.send("garbage"));
    ASSERT_TRUE(raw.send(std::string(5000, '\xFF')));
    ASSERT_TRUE(raw.send(heartbeat, true));
    ASSERT_TRUE(raw.send(heartbeat, true));
    ASSERT_TRUE(raw.send(heartbeat));
    ASSERT_TRUE(raw.send(heartbeat));
    ASSERT_TRUE(until([&] { return b_.received().size() == 2; }));
    EXPECT_EQ(std::get<Heartbeat>(b_.received()[1]).number, 5U);
    EXPECT_EQ(b_.transport->traffic(a_.id).bad_messages, 4U);
    EXPECT_EQ(b_.transport->traffic(a_.id).messages_in, 6U);
}

TEST_F(ControlTransportTest, CutsOffWhoSendsTooMuchAtOnce)
{
    ASSERT_TRUE(make_session());
    test::RawClient raw(b_, a_.keys);
    ASSERT_TRUE(raw.send("x"));
    ASSERT_TRUE(until([&] { return b_.count<event::Up>(a_.id) == 2; }));
    ASSERT_TRUE(raw.send(std::string((std::size_t{1} << 20U) + 100, 'x')));
    EXPECT_TRUE(until([&] { return b_.count<event::Down>(a_.id) == 1; }));
    EXPECT_EQ(b_.transport->traffic(a_.id).messages_in, 2U) << "the large one was never read";
}

TEST_F(ControlTransportTest, ReadsABoundedPartOfAFlood)
{
    ASSERT_TRUE(make_session());
    test::RawClient raw(b_, a_.keys);
    int sent = 0;
    while (sent < 900 && raw.send("flood")) {
        ++sent;
    }
    ASSERT_EQ(sent, 900);
    std::vector<zmq::pollitem_t> items;
    std::uint64_t read = 0;
    const auto until = std::chrono::steady_clock::now() + test::kPatience;
    while (b_.transport->traffic(a_.id).bad_messages < 900 && std::chrono::steady_clock::now() < until) {
        items.clear();
        b_.transport->add_poll_items(items);
        zmq::poll(items, std::chrono::milliseconds(50));
        const std::uint64_t before = b_.transport->traffic(a_.id).messages_in;
        (void)b_.transport->process();
        read = std::max(read, b_.transport->traffic(a_.id).messages_in - before);
    }
    EXPECT_EQ(b_.transport->traffic(a_.id).bad_messages, 900U);
    EXPECT_LE(read, 256U);
}

TEST_F(ControlTransportTest, DropsWhatAFrozenPeerDoesNotTake)
{
    ASSERT_TRUE(make_session());
    // b's thread reads nothing from now on; its sockets take what fits, and then a must not wait.
    const Message large = Command{1, "ask", std::string(std::size_t{512} << 10U, 'x')};
    int dropped = 0;
    for (int i = 0; i < 3000 && dropped == 0; ++i) {
        dropped += a_.transport->send(b_.id, large) ? 0 : 1;
    }
    EXPECT_EQ(dropped, 1);
    EXPECT_EQ(a_.transport->traffic(b_.id).dropped, 1U);
    // To others it talks as before.
    TransportNode c;
    c.allow({&a_});
    a_.transport->set_allowed({b_.keys.public_key, c.keys.public_key});
    a_.connect(c);
    ASSERT_TRUE(run_until({&a_, &c}, [&] { return a_.is_up(c); }));
    ASSERT_TRUE(a_.transport->send(c.id, Heartbeat{1, 1}));
    EXPECT_TRUE(run_until({&a_, &c}, [&] { return c.received().size() == 1; }));
}

} // namespace
} // namespace constela::cluster
