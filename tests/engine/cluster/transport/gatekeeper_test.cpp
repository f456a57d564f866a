// SPDX-License-Identifier: GPL-3.0-or-later
//
// The keys of a plane's sockets and who is let in, without the control plane: as the data plane and the bulk plane use
// them.
#include "engine/cluster/transport/gatekeeper.h"

#include "engine/cluster/identity/keys.h"
#include "engine/cluster/transport/curve.h"
#include "engine/cluster/transport/endpoint.h"
#include "engine/cluster/transport/socket_io.h"

#include <gtest/gtest.h>

namespace constela::cluster {
namespace {

constexpr std::chrono::seconds kPatience{20};

TEST(GatekeeperTest, NamesTheSenderOfAMessage)
{
    zmq::context_t context;
    Gatekeeper gatekeeper(context);
    const KeyPair server_keys = make_key_pair();
    const KeyPair client_keys = make_key_pair();
    gatekeeper.allow({client_keys.public_key});
    zmq::socket_t server(context, zmq::socket_type::pull);
    zmq::socket_t client(context, zmq::socket_type::push);
    set_plane_options(server, Plane::data);
    set_plane_options(client, Plane::data);
    make_curve_server(server, server_keys, "data");
    make_curve_client(client, client_keys, server_keys.public_key);
    client.set(zmq::sockopt::immediate, false);
    const auto address = bind_tcp(server, {"127.0.0.1", 0});
    ASSERT_TRUE(address);
    ASSERT_TRUE(connect_tcp(client, *address));
    ASSERT_EQ(send(client, zmq::message_t(std::string_view("rows")), false), Sent::yes);
    zmq::pollitem_t item = readable(server);
    ASSERT_EQ(zmq::poll(&item, 1, kPatience), 1);
    zmq::message_t message;
    ASSERT_TRUE(receive(server, message));
    EXPECT_EQ(message.to_string_view(), "rows");
    EXPECT_EQ(sender(message), client_keys.public_key);
    EXPECT_TRUE(gatekeeper.allowed()->contains(*sender(message)));
    // A message that waits is known by its key also when that is taken away.
    gatekeeper.allow({});
    EXPECT_FALSE(gatekeeper.allowed()->contains(*sender(message)));
    EXPECT_EQ(gatekeeper.counts().admitted, 1U);
    EXPECT_EQ(gatekeeper.counts().refused, 0U);
}

TEST(GatekeeperTest, KnowsNoSenderOfAMessageWithoutKeys)
{
    EXPECT_EQ(sender(zmq::message_t(std::string_view("anybody"))), std::nullopt);
}

TEST(GatekeeperTest, RefusesEverythingButCurve)
{
    zmq::context_t context;
    Gatekeeper gatekeeper(context);
    zmq::socket_t asker(context, zmq::socket_type::req);
    asker.set(zmq::sockopt::linger, 0);
    asker.connect("inproc://zeromq.zap.01");
    const KeyPair keys = make_key_pair();
    gatekeeper.allow({keys.public_key});
    const std::string key(reinterpret_cast<const char*>(keys.public_key.bytes.data()), keys.public_key.bytes.size());
    const auto ask = [&](const std::vector<std::string>& frames) {
        for (std::size_t i = 0; i < frames.size(); ++i) {
            EXPECT_EQ(send(asker, zmq::message_t(frames[i]), i + 1 < frames.size()), Sent::yes);
        }
        zmq::pollitem_t item = readable(asker);
        EXPECT_EQ(zmq::poll(&item, 1, kPatience), 1);
        std::vector<std::string> answer;
        zmq::message_t frame;
        do {
            EXPECT_TRUE(receive(asker, frame));
            answer.push_back(frame.to_string());
        } while (frame.more());
        return answer;
    };
    const auto good = ask({"1.0", "7", "data", "127.0.0.1", "", "CURVE", key});
    EXPECT_EQ(good, (std::vector<std::string>{"1.0", "7", "200", "", to_text(keys.public_key), ""}));
    EXPECT_EQ(ask({"1.0", "8", "data", "127.0.0.1", "", "CURVE", key.substr(1)}).at(2), "400");
    EXPECT_EQ(ask({"1.0", "8", "data", "127.0.0.1", "", "NULL"}).at(2), "400");
    EXPECT_EQ(ask({"1.0", "8", "data", "127.0.0.1", "", "PLAIN", key}).at(2), "400");
    EXPECT_EQ(ask({"1.0", "8", "data", "127.0.0.1", "", "PLAIN", "name", "word"}).at(2), "400");
    EXPECT_EQ(ask({"2.0", "8", "data", "127.0.0.1", "", "CURVE", key}).at(2), "400");
    gatekeeper.allow({});
    EXPECT_EQ(ask({"1.0", "9", "data", "127.0.0.1", "", "CURVE", key}).at(2), "400");
}

} // namespace
} // namespace constela::cluster
