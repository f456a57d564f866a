// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measuring over real CURVE sockets on this machine. How fast it is is not asked, only that it is measured.
#include "engine/cluster/identity/keys.h"
#include "engine/cluster/links/memory_link.h"
#include "engine/cluster/links/probe_client.h"
#include "engine/cluster/links/probe_protocol.h"
#include "engine/cluster/links/probe_server.h"
#include "engine/cluster/transport/curve.h"
#include "engine/cluster/transport/endpoint.h"
#include "tests/engine/cluster/links/sample_links.h"

#include <array>
#include <atomic>
#include <gtest/gtest.h>
#include <thread>

namespace constela::cluster {
namespace {

using namespace std::chrono_literals;

/// Lets in every key and calls it "friend": stands in for the Gatekeeper (ZAP, rfc.zeromq.org/spec/27).
class OpenGate {
public:
    explicit OpenGate(zmq::context_t& context) : handler_(context, zmq::socket_type::rep)
    {
        handler_.set(zmq::sockopt::linger, 0);
        handler_.bind("inproc://zeromq.zap.01");
        thread_ = std::thread([this] { run(); });
    }
    ~OpenGate()
    {
        over_ = true;
        thread_.join();
    }

private:
    void run()
    {
        while (!over_) {
            std::array<zmq::pollitem_t, 1> items{{{handler_.handle(), 0, ZMQ_POLLIN, 0}}};
            if (zmq::poll(items, 10ms) == 0) {
                continue;
            }
            std::vector<std::string> frames;
            bool more = true;
            while (more) {
                zmq::message_t frame;
                (void)handler_.recv(frame);
                more = frame.more();
                frames.push_back(frame.to_string());
            }
            for (const std::string& frame :
                 {std::string("1.0"), frames.at(1), std::string("200"), std::string(), std::string("friend")}) {
                handler_.send(zmq::buffer(frame), zmq::send_flags::sndmore);
            }
            handler_.send(zmq::message_t(), zmq::send_flags::none);
        }
    }

    zmq::socket_t handler_;
    std::atomic<bool> over_{false};
    std::thread thread_;
};

class LinkProbe : public testing::Test {
protected:
    [[nodiscard]] std::unique_ptr<LinkProbeServer> start()
    {
        auto server = LinkProbeServer::start(context_, server_keys_, {"127.0.0.1", 0},
                                             [this](std::string_view user) { return user == "friend" && open_; });
        EXPECT_TRUE(server) << server.error().text();
        return *std::move(server);
    }
    [[nodiscard]] ProbeOptions options(const Address& address) const
    {
        ProbeOptions options;
        options.address = address;
        options.server = server_keys_.public_key;
        options.name = "attic";
        options.bulk = 200ms;
        return options;
    }

    zmq::context_t context_;
    OpenGate gate_{context_};
    KeyPair server_keys_ = make_key_pair();
    KeyPair own_keys_ = make_key_pair();
    std::atomic<bool> open_{true};
};

TEST_F(LinkProbe, MeasuresLatencyAndBothBandwidths)
{
    const auto server = start();
    const auto result = probe_link(context_, own_keys_, options(server->address()));
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ(result->latency.samples, 200U);
    EXPECT_GT(result->latency.median, 0);
    EXPECT_LE(result->latency.low, result->latency.median);
    EXPECT_GT(result->bandwidth_in.median, 1e6);
    EXPECT_GT(result->bandwidth_out.median, 1e6);

    const auto both =
        measurements(*result, node_number(1), node_number(2), server->address(), std::chrono::system_clock::now());
    EXPECT_EQ(both.out.from, node_number(1));
    EXPECT_EQ(both.in.from, node_number(2));
    EXPECT_EQ(both.in.to, node_number(1));
    EXPECT_TRUE(both.in.encrypted);
    EXPECT_DOUBLE_EQ(both.in.latency_us, result->latency.median * 1e6);
}

TEST_F(LinkProbe, EndsTheEchoesInTimeOnALongLink)
{
    const auto server = start();
    ProbeOptions asked = options(server->address());
    asked.echoes = 1U << 30U;
    asked.echo_time = 1ns;
    const auto result = probe_link(context_, own_keys_, asked);
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ(result->latency.samples, 20U);
}

TEST_F(LinkProbe, SaysWhoDoesNotAnswer)
{
    Address address;
    { // a port at which nobody listens any more
        zmq::socket_t taken(context_, zmq::socket_type::router);
        const auto bound = bind_tcp(taken, {"127.0.0.1", 0});
        ASSERT_TRUE(bound) << bound.error().text();
        address = *bound;
    }
    ProbeOptions asked = options(address);
    asked.answer_within = 100ms;
    const auto result = probe_link(context_, own_keys_, asked);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().args.at(0), "attic");
    EXPECT_NE(result.error().text().find("attic did not answer at 127.0.0.1"), std::string::npos)
        << result.error().text();
}

TEST_F(LinkProbe, GetsNoAnswerFromAnotherKey)
{
    const auto server = start();
    ProbeOptions asked = options(server->address());
    asked.server = make_key_pair().public_key;
    asked.answer_within = 200ms;
    EXPECT_FALSE(probe_link(context_, own_keys_, asked));
}

TEST_F(LinkProbe, GetsNoAnswerWhereItIsNoLongerWelcome)
{
    const auto server = start();
    open_ = false;
    ProbeOptions asked = options(server->address());
    asked.answer_within = 200ms;
    EXPECT_FALSE(probe_link(context_, own_keys_, asked));
}

TEST_F(LinkProbe, CanBeStopped)
{
    const auto server = start();
    open_ = false;
    const std::atomic<bool> abort{true};
    ProbeOptions asked = options(server->address());
    asked.answer_within = 1h;
    asked.abort = &abort;
    const auto result = probe_link(context_, own_keys_, asked);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().text(), "Measuring the link to attic was stopped.");
}

TEST_F(LinkProbe, IsNotHurtByWhatIsNoProbe)
{
    const auto server = start();
    zmq::socket_t rude(context_, zmq::socket_type::dealer);
    set_plane_options(rude, Plane::bulk);
    make_curve_client(rude, own_keys_, server_keys_.public_key);
    ASSERT_TRUE(connect_tcp(rude, server->address()));
    rude.send(zmq::message_t(), zmq::send_flags::none);
    rude.send(zmq::str_buffer("hello"), zmq::send_flags::none);
    for (int i = 0; i < 3; ++i) {
        rude.send(zmq::str_buffer("many"), zmq::send_flags::sndmore);
    }
    rude.send(zmq::str_buffer("frames"), zmq::send_flags::none);
    // The same socket then asks rightly: all before it was read and dropped.
    const ProbeHeader header{ProbeKind::pull, kSmallBlock, 1, 1};
    std::array<std::byte, kProbeHeader> frame{};
    write_header(header, frame);
    rude.send(zmq::buffer(frame), zmq::send_flags::none);
    rude.set(zmq::sockopt::rcvtimeo, 20'000);
    zmq::message_t reply;
    ASSERT_TRUE(rude.recv(reply));
    EXPECT_EQ(parse_reply({static_cast<const std::byte*>(reply.data()), reply.size()}), header);
}

TEST_F(LinkProbe, SaysThatAPortIsTaken)
{
    const auto server = start();
    const auto second = LinkProbeServer::start(context_, server_keys_, server->address(), [](auto) { return true; });
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().text().find("in use"), std::string::npos) << second.error().text();
}

TEST(MemoryLink, IsMeasuredToo)
{
    const MemoryLink link = measure_memory_link();
    EXPECT_EQ(link.latency.samples, 200U);
    EXPECT_GT(link.bandwidth.median, 1e6);
    const LinkMeasurement kept = measurement(link, node_number(1), std::chrono::system_clock::now());
    EXPECT_EQ(kept.from, kept.to);
    EXPECT_EQ(kept.kind, LinkKind::process);
    EXPECT_EQ(kept.transport, "same process");
}

} // namespace
} // namespace constela::cluster
