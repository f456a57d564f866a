// SPDX-License-Identifier: GPL-3.0-or-later
//
// Announcers that really speak by UDP, on this machine's loopback interface and on a port that is free. Their time is
// virtual: it goes on only when nothing arrives.
#include "engine/cluster/discovery/announcer.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace constela::cluster::discovery {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Result<std::vector<Interface>> only_loopback()
{
    CONSTELA_ASSIGN(auto interfaces, list_interfaces());
    std::erase_if(interfaces, [](const Interface& one) { return one.kind != InterfaceKind::loopback; });
    return interfaces;
}

Result<std::vector<Interface>> no_interfaces()
{
    return std::vector<Interface>();
}

Beacon beacon(unsigned number)
{
    Beacon beacon;
    beacon.node.bytes[0] = static_cast<std::byte>(number);
    beacon.incarnation = number;
    beacon.control_port = static_cast<std::uint16_t>(7000 + number);
    beacon.name = "n" + std::to_string(number);
    return beacon;
}

Announcer announcer(unsigned number, std::uint16_t port, Result<std::vector<Interface>> (*interfaces)() = only_loopback)
{
    AnnouncerOptions options;
    options.port = port;
    options.interfaces = interfaces;
    auto opened = Announcer::open(beacon(number), number, options);
    if (!opened) {
        ADD_FAILURE() << opened.error().text();
        std::abort();
    }
    return *std::move(opened);
}

/// Waits until something can be read, at most so long in real time.
bool readable(const Announcer& announcer, milliseconds most)
{
    std::vector<pollfd> waits;
    for (const SocketHandle handle : announcer.handles()) {
        waits.push_back({handle, POLLIN, 0});
    }
    return poll(waits.data(), waits.size(), static_cast<int>(most.count())) > 0;
}

class AnnouncerTest : public testing::Test {
protected:
    void SetUp() override
    {
        const auto interfaces = only_loopback();
        if (!interfaces || interfaces->empty()) {
            GTEST_SKIP() << "the loopback interface is not up here";
        }
    }

    /// What `one` hears until a sighting fits; fails after 10 s of real time.
    static std::vector<Sighting> hear(Announcer& one, Time now, const std::function<bool(const Sighting&)>& fits)
    {
        std::vector<Sighting> all;
        while (readable(one, seconds(10))) {
            const auto heard = one.process(now);
            all.insert(all.end(), heard.begin(), heard.end());
            if (std::any_of(heard.begin(), heard.end(), fits)) {
                return all;
            }
        }
        ADD_FAILURE() << "nothing was heard";
        return all;
    }
    static std::function<bool(const Sighting&)> of(unsigned number)
    {
        return [id = beacon(number).node](const Sighting& sighting) { return sighting.beacon.node == id; };
    }
};

TEST_F(AnnouncerTest, TwoOnOneMachineHearEachOther)
{
    Announcer first = announcer(1, 0);
    Announcer second = announcer(2, first.port());
    EXPECT_EQ(first.port(), second.port());
    static_cast<void>(first.process(seconds(1)));
    const auto heard = hear(second, seconds(1), of(1)).back();
    EXPECT_EQ(heard.beacon, beacon(1));
    EXPECT_EQ(heard.from, (Address{"127.0.0.1", 7001}));
    EXPECT_EQ(heard.kind, InterfaceKind::loopback);
    EXPECT_TRUE(heard.on_link);
    hear(first, seconds(1), of(2));
}

TEST_F(AnnouncerTest, WhoIsNewIsAnsweredAtOnceAndOnce)
{
    Announcer first = announcer(1, 0);
    Announcer second = announcer(2, first.port(), no_interfaces); // says nothing of itself
    static_cast<void>(first.process(seconds(1)));
    hear(second, seconds(1), of(1));
    const auto answer = hear(first, seconds(1), of(2)).back();
    EXPECT_TRUE(answer.beacon.answer);
    EXPECT_EQ(answer.beacon.name, "n2");

    static_cast<void>(first.process(seconds(2)));
    hear(second, seconds(2), of(1));
    // Nothing more comes: not an answer to the second beacon, nor one to the answer.
    const auto more = first.process(seconds(2));
    EXPECT_TRUE(std::none_of(more.begin(), more.end(), of(2)));
}

TEST_F(AnnouncerTest, SeveralNodesOfOneMachineAllGetTheirAnswers)
{
    Announcer listener = announcer(1, 0, no_interfaces);
    std::vector<Announcer> nodes;
    for (unsigned number = 2; number < 7; ++number) {
        nodes.push_back(announcer(number, listener.port()));
    }
    static_cast<void>(listener.process(seconds(1)));
    for (unsigned i = 0; i < nodes.size(); ++i) {
        static_cast<void>(nodes[i].process(seconds(1)));
        hear(listener, seconds(1), of(i + 2));
        hear(nodes[i], seconds(1), of(1));
    }
}

TEST_F(AnnouncerTest, ATypedAddressIsAskedAndAnswers)
{
    Announcer first = announcer(1, 0, no_interfaces);
    Announcer second = announcer(2, first.port(), no_interfaces);
    // Of several on one machine, the system chooses who gets what is sent to the shared port.
    first.set_probes(std::vector<std::string>{"127.0.0.1", "no address", "239.1.2.3"});
    second.set_probes(std::vector<std::string>{"127.0.0.1"});
    static_cast<void>(first.process(seconds(1)));
    static_cast<void>(second.process(seconds(1)));
    while (readable(first, milliseconds(0)) || readable(second, milliseconds(0))) {
        const auto by_first = first.process(seconds(1));
        const auto by_second = second.process(seconds(1));
        if (std::any_of(by_first.begin(), by_first.end(), of(2)) ||
            std::any_of(by_second.begin(), by_second.end(), of(1))) {
            return;
        }
    }
    FAIL() << "neither heard the other";
}

TEST_F(AnnouncerTest, NewWordsAreSaidAtOnce)
{
    Announcer first = announcer(1, 0);
    Announcer second = announcer(2, first.port());
    static_cast<void>(first.process(seconds(1)));
    EXPECT_EQ(first.next_time(), Time(milliseconds(1200)));
    hear(second, seconds(1), of(1));
    Beacon changed = beacon(1);
    changed.pairing_port = 4242;
    first.set_self(changed);
    EXPECT_LE(first.next_time(), Time(milliseconds(1000)));
    static_cast<void>(first.process(milliseconds(1010)));
    hear(second, milliseconds(1010), [&](const Sighting& sighting) { return sighting.beacon == changed; });
}

TEST_F(AnnouncerTest, RubbishAndItsOwnVoiceAreNotHeard)
{
    Announcer listener = announcer(1, 0, no_interfaces);
    Announcer other = announcer(2, listener.port());
    auto socket = UdpSocket::open(false, 0);
    ASSERT_TRUE(socket) << socket.error().text();
    const auto all = ip_address("127.255.255.255").value();
    const auto send = [&](std::span<const std::byte> bytes) {
        EXPECT_FALSE(socket->send(bytes, all, listener.port())) << "could not send";
    };
    BeaconBytes wrong = encode(beacon(3));
    wrong[0] = std::byte{'X'};
    std::vector<std::byte> longer(1400, std::byte{'C'});
    const BeaconBytes right = encode(beacon(3));
    std::copy(right.begin(), right.end(), longer.begin());
    send(wrong);
    send(longer);
    send(std::span(right).first(63));
    send({});
    send(encode(beacon(1))); // forged, or its own come back
    static_cast<void>(other.process(seconds(1)));
    const auto heard = hear(listener, seconds(1), of(2));
    EXPECT_EQ(heard.size(), 1U) << heard.front().beacon.name;
}

TEST_F(AnnouncerTest, AFloodIsTakenInBoundedPieces)
{
    Announcer listener = announcer(1, 0, no_interfaces);
    auto socket = UdpSocket::open(false, 0);
    ASSERT_TRUE(socket) << socket.error().text();
    std::size_t heard = 0;
    for (unsigned round = 0; round < 20; ++round) {
        for (unsigned i = 0; i < 500; ++i) {
            Beacon forged = beacon(3);
            forged.node.bytes[4] = static_cast<std::byte>(i);
            forged.node.bytes[5] = static_cast<std::byte>(i >> 8U);
            static_cast<void>(socket->send(encode(forged), ip_address("127.255.255.255").value(), listener.port()));
        }
        while (readable(listener, milliseconds(0))) {
            const auto sightings = listener.process(milliseconds(50) * round);
            ASSERT_LE(sightings.size(), Announcer::kMostAtOnce);
            heard += sightings.size();
        }
    }
    EXPECT_GT(heard, 100U);
    EXPECT_LE(heard, 300U) << "a source says no more than so much in a second";
}

TEST_F(AnnouncerTest, APortThatAnotherProgramKeepsForItselfIsNamed)
{
    const int other = ::socket(AF_INET, SOCK_DGRAM, 0);
    ASSERT_GE(other, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    socklen_t length = sizeof address;
    // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast)
    ASSERT_EQ(bind(other, reinterpret_cast<sockaddr*>(&address), length), 0);
    ASSERT_EQ(getsockname(other, reinterpret_cast<sockaddr*>(&address), &length), 0);
    // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
    AnnouncerOptions options;
    options.port = ntohs(address.sin_port);
    const auto opened = Announcer::open(beacon(1), 1, options);
    ::close(other);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().text(),
              "UDP port " + std::to_string(options.port) +
                  " is taken by another program that does not share it, so nodes cannot find each other through it. "
                  "End that program, or choose another port with --discovery-port on all nodes.");
}

TEST_F(AnnouncerTest, NoNetworkIsAProblemInWords)
{
    Announcer alone = announcer(1, 0);
    static_cast<void>(alone.process(seconds(1)));
    const auto problems = alone.problems();
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems.front().text(), "This machine has no network at the moment: no interface is up and has an "
                                       "address. Other machines cannot be found until one is.");
}

TEST_F(AnnouncerTest, AnInterfaceThatComesIsAnnouncedOn)
{
    AnnouncerOptions options;
    options.port = 0;
    bool up = false;
    options.interfaces = [&up]() { return up ? only_loopback() : no_interfaces(); };
    auto first = Announcer::open(beacon(1), 1, options);
    ASSERT_TRUE(first) << first.error().text();
    Announcer second = announcer(2, first->port(), no_interfaces);
    static_cast<void>(first->process(seconds(1)));
    static_cast<void>(first->process(milliseconds(1900)));
    EXPECT_FALSE(readable(second, milliseconds(0)));
    EXPECT_LE(first->next_time(), Time(seconds(2)));
    up = true;
    static_cast<void>(first->process(seconds(2)));
    hear(second, seconds(2), of(1));
    EXPECT_EQ(first->next_time(), Time(milliseconds(2200))) << "quickly at first, as at the start";
}

} // namespace
} // namespace constela::cluster::discovery
