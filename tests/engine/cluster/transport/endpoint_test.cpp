// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/transport/endpoint.h"

#include "engine/cluster/transport/curve.h"

#include <gtest/gtest.h>

namespace constela::cluster {
namespace {

TEST(Endpoint, IsWrittenAndRead)
{
    EXPECT_EQ(tcp_endpoint({"10.0.0.1", 7710}), "tcp://10.0.0.1:7710");
    EXPECT_EQ(tcp_endpoint({"fe80::1%eth0", 1}), "tcp://[fe80::1%eth0]:1");
    EXPECT_EQ(address_of_endpoint("tcp://10.0.0.1:7710"), (Address{"10.0.0.1", 7710}));
    EXPECT_EQ(address_of_endpoint("tcp://[fe80::1]:7710"), (Address{"fe80::1", 7710}));
    EXPECT_EQ(address_of_endpoint("tcp://[::ffff:10.0.0.1]:7710"), (Address{"10.0.0.1", 7710}));
    for (const char* endpoint : {"", "ipc:///tmp/x", "tcp://", "tcp://10.0.0.1", "tcp://10.0.0.1:", "tcp://:1",
                                 "tcp://10.0.0.1:65536", "tcp://10.0.0.1:1x", "tcp://10.0.0.1:-1"}) {
        EXPECT_EQ(address_of_endpoint(endpoint), std::nullopt) << endpoint;
    }
}

class Binding : public testing::Test {
protected:
    Binding() : socket_(context_, zmq::socket_type::router) { set_plane_options(socket_, Plane::control); }
    zmq::context_t context_;
    zmq::socket_t socket_;
};

TEST_F(Binding, TakesAFreePort)
{
    const auto address = bind_tcp(socket_, {"127.0.0.1", 0});
    ASSERT_TRUE(address);
    EXPECT_EQ(address->host, "127.0.0.1");
    EXPECT_NE(address->port, 0);
}

TEST_F(Binding, ListensOnAllAddresses)
{
    for (const char* host : {"0.0.0.0", "::"}) {
        const auto address = bind_tcp(socket_, {host, 0});
        if (!address && std::string_view(host) == "::") {
            GTEST_SKIP() << "this machine has no IPv6: " << address.error().text();
        }
        ASSERT_TRUE(address) << address.error().text();
        zmq::socket_t client(context_, zmq::socket_type::dealer);
        set_plane_options(client, Plane::control);
        ASSERT_TRUE(connect_tcp(client, {"127.0.0.1", address->port}));
        client.set(zmq::sockopt::sndtimeo, 20'000);
        EXPECT_TRUE(client.send(zmq::message_t(std::string_view("x")), zmq::send_flags::none)) << host;
    }
}

TEST_F(Binding, SaysThatThisMachineHasNoSuchAddress)
{
    const auto address = bind_tcp(socket_, {"192.0.2.1", 0}); // for documentation, RFC 5737
    ASSERT_FALSE(address);
    EXPECT_EQ(address.error().text(), "This machine has no network address 192.0.2.1. Choose one that it has.");
}

TEST_F(Binding, RefusesToConnectToWhatIsNoAddress)
{
    EXPECT_FALSE(connect_tcp(socket_, {"not an address", 1}));
    EXPECT_FALSE(connect_tcp(socket_, {"", 1}));
}

} // namespace
} // namespace constela::cluster
