// SPDX-License-Identifier: GPL-3.0-or-later
//
// The two ends over real sockets on this machine's own address, and a listener among machines that mean it ill.
#include "engine/cluster/pairing/pairing_dialer.h"
#include "engine/cluster/pairing/pairing_listener.h"
#include "engine/cluster/transport/endpoint.h"
#include "tests/engine/cluster/pairing/pairing_fixture.h"

#include <functional>
#include <gtest/gtest.h>

namespace constela::cluster {
namespace {

using State = PairingExchange::State;
using test::PairingNode;

/// Real time for the sockets, with a hand on it for what takes minutes.
class SkippingClock final : public Clock {
public:
    [[nodiscard]] Time now() const override { return SteadyClock().now() + skipped_; }
    void skip(Time time) { skipped_ += time; }

private:
    Time skipped_{};
};

/// Somebody with a bare TCP connection.
class Stranger {
public:
    Stranger(zmq::context_t& context, const Address& address) : socket_(context, zmq::socket_type::stream)
    {
        socket_.set(zmq::sockopt::linger, 0);
        socket_.set(zmq::sockopt::reconnect_ivl, 60'000); // not in this test (never, -1, would hide the end from it)
        socket_.set(zmq::sockopt::rcvtimeo, 10'000);
        socket_.connect(tcp_endpoint(address));
        zmq::message_t empty;
        connected_ = socket_.recv(route_) && socket_.recv(empty);
    }
    [[nodiscard]] bool connected() const { return connected_; }
    void send(std::span<const std::byte> bytes)
    {
        zmq::message_t route(route_.data(), route_.size());
        socket_.send(route, zmq::send_flags::sndmore);
        socket_.send(zmq::buffer(bytes.data(), bytes.size()), zmq::send_flags::none);
    }
    /// What has come since, without waiting: bytes, or the end.
    void look()
    {
        zmq::message_t route;
        zmq::message_t piece;
        while (socket_.recv(route, zmq::recv_flags::dontwait) && socket_.recv(piece)) {
            closed_ = closed_ || piece.size() == 0;
            const auto* data = static_cast<const std::byte*>(piece.data());
            got_.insert(got_.end(), data, data + piece.size());
        }
    }
    [[nodiscard]] bool closed() const { return closed_; }
    [[nodiscard]] const std::vector<std::byte>& got() const { return got_; }

private:
    zmq::socket_t socket_;
    zmq::message_t route_;
    bool connected_ = false;
    bool closed_ = false;
    std::vector<std::byte> got_;
};

class Sockets : public testing::Test {
protected:
    void listen()
    {
        auto opened = PairingListener::open(context_, address_, rui_.self, rui_.surroundings, options_);
        EXPECT_TRUE(opened) << opened.error().text();
        listener_ = std::move(opened).value(); // throws, and so ends the test
        address_ = listener_->address();
    }
    void dial()
    {
        auto dialed = PairingDialer::dial(context_, address_, ana_.self, ana_.surroundings);
        EXPECT_TRUE(dialed) << dialed.error().text();
        dialer_ = std::move(dialed).value();
    }
    /// Lets both work until something is so; false when it takes too long.
    bool until(const std::function<bool()>& is_so)
    {
        const Time end = SteadyClock().now() + std::chrono::seconds(20);
        while (!is_so()) {
            if (SteadyClock().now() > end) {
                return false;
            }
            std::vector<zmq::pollitem_t> items;
            for (zmq::socket_ref socket : {listener_ ? listener_->socket() : zmq::socket_ref(),
                                           dialer_ ? dialer_->socket() : zmq::socket_ref()}) {
                if (socket) {
                    items.push_back({socket.handle(), 0, ZMQ_POLLIN, 0});
                }
            }
            zmq::poll(items, std::chrono::milliseconds(10));
            if (listener_) {
                listener_->process();
            }
            if (dialer_) {
                dialer_->process();
            }
        }
        return true;
    }
    [[nodiscard]] bool both_compare() const
    {
        return listener_->exchange() != nullptr && listener_->exchange()->state() == State::comparing &&
               dialer_->exchange().state() == State::comparing;
    }

    zmq::context_t context_;
    SkippingClock clock_;
    test::SeededChance chance_{21};
    PairingNode ana_{"ana", clock_, chance_};
    PairingNode rui_{"rui", clock_, chance_};
    Address address_{"127.0.0.1", 0};
    PairingListenerOptions options_;
    std::unique_ptr<PairingListener> listener_;
    std::unique_ptr<PairingDialer> dialer_;
};

TEST_F(Sockets, Pair)
{
    listen();
    dial();
    ASSERT_TRUE(until([&] { return both_compare(); }));
    EXPECT_EQ(listener_->exchange()->digits(), dialer_->exchange().digits());
    dialer_->confirm(true);
    listener_->confirm(true);
    ASSERT_TRUE(until([&] { return listener_->exchange()->paired() && dialer_->exchange().paired(); }));
    EXPECT_EQ(listener_->exchange()->paired()->key, ana_.self.keys.public_key);
    EXPECT_EQ(dialer_->exchange().paired()->key, rui_.self.keys.public_key);
}

TEST_F(Sockets, PairOverIpv6)
{
    address_.host = "::1";
    auto opened = PairingListener::open(context_, address_, rui_.self, rui_.surroundings);
    if (!opened) {
        GTEST_SKIP() << "this machine has no IPv6: " << opened.error().text();
    }
    listener_ = *std::move(opened);
    address_ = listener_->address();
    dial();
    ASSERT_TRUE(until([&] { return both_compare(); }));
}

TEST_F(Sockets, TheLastWordArrivesThoughTheListenerIsClosedAtOnce)
{
    listen();
    dial();
    ASSERT_TRUE(until([&] { return both_compare(); }));
    dialer_->confirm(true);
    listener_->confirm(true);
    ASSERT_TRUE(until([&] { return listener_->exchange()->paired().has_value(); }));
    listener_.reset();
    EXPECT_TRUE(until([&] { return dialer_->exchange().paired().has_value(); }));
}

TEST_F(Sockets, WhoDialsFirstWaitsForTheOther)
{
    listen(); // to learn of a free port
    listener_.reset();
    dial();
    ASSERT_FALSE(dialer_->connected());
    listen();
    EXPECT_TRUE(until([&] { return both_compare(); }));
}

TEST_F(Sockets, SayThatNobodyIsThere)
{
    listen();
    listener_.reset();
    dial();
    clock_.skip(std::chrono::seconds(31));
    ASSERT_TRUE(until([&] { return dialer_->failed(); }));
    EXPECT_NE(dialer_->error().text().find("Nobody answers at 127.0.0.1"), std::string::npos);
    EXPECT_EQ(ana_.tries.locked_for(), Time::zero());
}

TEST_F(Sockets, WhoClosesWithoutAWordIsAskedAgain)
{
    zmq::socket_t moody(context_, zmq::socket_type::stream);
    moody.bind("tcp://127.0.0.1:*");
    address_ = address_of_endpoint(moody.get(zmq::sockopt::last_endpoint)).value();
    dial();
    int commits = 0;
    ASSERT_TRUE(until([&] {
        zmq::message_t route;
        zmq::message_t piece;
        while (moody.recv(route, zmq::recv_flags::dontwait) && moody.recv(piece)) {
            if (piece.size() > 0) {
                EXPECT_EQ(piece.size(), kPairingBytes) << "what one connection did not take goes to no other";
                ++commits;
                moody.send(route, zmq::send_flags::sndmore);
                moody.send(zmq::message_t(), zmq::send_flags::none);
            }
        }
        return commits == 3;
    }));
    EXPECT_FALSE(dialer_->failed());
    EXPECT_EQ(ana_.tries.locked_for(), Time::zero());
}

TEST_F(Sockets, DenyingReachesTheOther)
{
    listen();
    dial();
    ASSERT_TRUE(until([&] { return both_compare(); }));
    listener_->confirm(false);
    ASSERT_TRUE(until([&] { return dialer_->failed(); }));
    EXPECT_NE(dialer_->error().text().find("digits differ"), std::string::npos) << dialer_->error().text();
}

TEST_F(Sockets, ClosingThePageReachesTheOther)
{
    listen();
    dial();
    ASSERT_TRUE(until([&] { return both_compare(); }));
    listener_.reset();
    ASSERT_TRUE(until([&] { return dialer_->failed(); }));

    listen();
    dialer_.reset();
    dial();
    ASSERT_TRUE(until([&] { return both_compare(); }));
    dialer_.reset();
    ASSERT_TRUE(until([&] { return listener_->exchange()->state() == State::failed; }));
}

TEST_F(Sockets, APortInUseIsSaidToBe)
{
    listen();
    const auto second = PairingListener::open(context_, address_, ana_.self, ana_.surroundings);
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().text().find("in use"), std::string::npos);
}

TEST_F(Sockets, LockedIsSaidBeforeAnyConnection)
{
    listen();
    for (int i = 0; i < PairingTries::kMost; ++i) {
        ana_.tries.wrong();
        rui_.tries.wrong();
    }
    const auto dialed = PairingDialer::dial(context_, address_, ana_.self, ana_.surroundings);
    ASSERT_FALSE(dialed);
    EXPECT_NE(dialed.error().text().find("locked here"), std::string::npos);
    clock_.skip(PairingTries::kLockFor);
    for (int i = 0; i < PairingTries::kMost; ++i) {
        rui_.tries.wrong();
    }
    dial();
    ASSERT_TRUE(until([&] { return dialer_->failed(); }));
    EXPECT_NE(dialer_->error().text().find("other node has locked"), std::string::npos) << dialer_->error().text();
}

TEST_F(Sockets, NoiseIsCutOffWhilePairingGoesOn)
{
    options_.limits.farewell = std::chrono::milliseconds(1);
    listen();
    std::vector<std::unique_ptr<Stranger>> strangers;
    for (int i = 0; i < 8; ++i) {
        auto stranger = std::make_unique<Stranger>(context_, address_);
        ASSERT_TRUE(stranger->connected());
        std::vector<std::byte> noise(kPairingBytes + chance_.below(20'000));
        chance_.fill(noise);
        if (i % 2 == 0) {
            stranger->send(noise);
        } else { // looks right at first
            const PairingBytes refused = refusal(PairingReason::cancelled);
            std::copy(refused.begin(), refused.end(), noise.begin());
            stranger->send(noise);
        }
        strangers.push_back(std::move(stranger));
    }
    dial();
    ASSERT_TRUE(until([&] { return both_compare(); }));
    EXPECT_TRUE(until([&] {
        bool all = true;
        for (const auto& stranger : strangers) {
            stranger->look();
            all = all && stranger->closed();
        }
        return all;
    }));
    for (const auto& stranger : strangers) {
        EXPECT_TRUE(stranger->got().empty());
    }
    EXPECT_EQ(listener_->exchange()->state(), State::comparing);
    EXPECT_EQ(rui_.tries.locked_for(), Time::zero());
}

TEST_F(Sockets, TooManyConnectionsAndSilentOnesAreCutOff)
{
    options_.limits.connections = 4;
    listen();
    std::vector<std::unique_ptr<Stranger>> strangers;
    for (int i = 0; i < 7; ++i) {
        strangers.push_back(std::make_unique<Stranger>(context_, address_));
    }
    const auto closed = [&] {
        std::size_t count = 0;
        for (const auto& stranger : strangers) {
            stranger->look();
            count += stranger->closed() ? 1U : 0U;
        }
        return count;
    };
    ASSERT_TRUE(until([&] { return closed() == 3; }));
    clock_.skip(std::chrono::seconds(11));
    ASSERT_TRUE(until([&] { return closed() == 7; }));
    dial();
    ASSERT_TRUE(until([&] { return both_compare(); }));
    clock_.skip(std::chrono::seconds(60)); // persons are slow; that is no silence
    dialer_->confirm(true);
    listener_->confirm(true);
    EXPECT_TRUE(until([&] { return listener_->exchange()->paired() && dialer_->exchange().paired(); }));
}

TEST_F(Sockets, MessagesMayComeInPieces)
{
    listen();
    Stranger stranger(context_, address_);
    ASSERT_TRUE(stranger.connected());
    PairingExchange own(PairingExchange::Role::initiator, ana_.self, ana_.surroundings);
    const PairingBytes commit = *own.begin();
    stranger.send(std::span(commit).first(3));
    stranger.send(std::span(commit).subspan(3, 100));
    stranger.send(std::span(commit).subspan(103));
    ASSERT_TRUE(until([&] {
        stranger.look();
        return stranger.got().size() == kPairingBytes;
    }));
    ASSERT_TRUE(own.on_message(stranger.got()));
    EXPECT_EQ(own.claimed_name(), "rui");
}

TEST_F(Sockets, ANewerNodeIsToldWhichVersionThisIs)
{
    listen();
    Stranger stranger(context_, address_);
    ASSERT_TRUE(stranger.connected());
    std::array<std::byte, 500> newer{}; // longer than ours
    const PairingBytes commit = encode({PairingKind::commit, {}, {}, {}, 0, {}});
    std::copy(commit.begin(), commit.begin() + kPairingHeaderBytes, newer.begin());
    newer[4] = std::byte{2};
    stranger.send(newer);
    ASSERT_TRUE(until([&] {
        stranger.look();
        return stranger.got().size() == kPairingBytes;
    }));
    const auto parsed = parse_pairing(stranger.got());
    ASSERT_TRUE(std::holds_alternative<PairingMessage>(parsed));
    EXPECT_EQ(std::get<PairingMessage>(parsed).reason, PairingReason::other_version);
}

} // namespace
} // namespace constela::cluster
