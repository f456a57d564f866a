// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/transport/gatekeeper.h"

#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace constela::cluster {

namespace {

constexpr const char* kStop = "inproc://gatekeeper/stop";

/// The frames of a request: version, request id, domain, address, identity, mechanism, credentials (one for CURVE).
constexpr std::size_t kRequestId = 1;
constexpr std::size_t kMechanism = 5;
constexpr std::size_t kCredentials = 6;

std::vector<zmq::message_t> receive_all(zmq::socket_t& socket)
{
    std::vector<zmq::message_t> frames;
    do {
        frames.emplace_back();
        if (!socket.recv(frames.back(), zmq::recv_flags::none)) {
            return {};
        }
    } while (frames.back().more());
    return frames;
}

} // namespace

Gatekeeper::Gatekeeper(zmq::context_t& context) : stop_(context, zmq::socket_type::push)
{
    zmq::socket_t handler(context, zmq::socket_type::rep);
    handler.set(zmq::sockopt::linger, 0);
    handler.bind("inproc://zeromq.zap.01");
    zmq::socket_t stop(context, zmq::socket_type::pull);
    stop.bind(kStop);
    stop_.connect(kStop);
    thread_ = std::thread([this, handler = std::move(handler), stop = std::move(stop)]() mutable {
        run(std::move(handler), std::move(stop));
    });
}

Gatekeeper::~Gatekeeper()
{
    stop_.send(zmq::message_t(), zmq::send_flags::none);
    thread_.join();
}

void Gatekeeper::allow(std::set<PublicKey> keys)
{
    const std::lock_guard lock(mutex_);
    keys_ = std::move(keys);
}

bool Gatekeeper::allows(const PublicKey& key) const
{
    const std::lock_guard lock(mutex_);
    return keys_.count(key) > 0;
}

void Gatekeeper::run(zmq::socket_t socket, zmq::socket_t stop)
{
    for (;;) {
        std::array items{zmq::pollitem_t{stop.handle(), 0, ZMQ_POLLIN, 0},
                         zmq::pollitem_t{socket.handle(), 0, ZMQ_POLLIN, 0}};
        zmq::poll(items.data(), items.size(), std::chrono::milliseconds(-1));
        if ((items[0].revents & ZMQ_POLLIN) != 0) {
            return;
        }
        const std::vector<zmq::message_t> frames = receive_all(socket);
        PublicKey key;
        const bool curve = frames.size() == kCredentials + 1 && frames[kMechanism].to_string_view() == "CURVE" &&
                           frames[kCredentials].size() == key.bytes.size();
        if (curve) {
            std::memcpy(key.bytes.data(), frames[kCredentials].data(), key.bytes.size());
        }
        const bool welcome = curve && allows(key);
        refused_ += welcome ? 0 : 1;
        const auto say = [&](std::string_view text, bool more) {
            socket.send(zmq::buffer(text), more ? zmq::send_flags::sndmore : zmq::send_flags::none);
        };
        say("1.0", true);
        say(frames.size() > kRequestId ? frames[kRequestId].to_string_view() : std::string_view(), true);
        say(welcome ? "200" : "400", true);
        say(welcome ? "OK" : "not paired", true);
        say(welcome ? to_text(key) : std::string(), true); // becomes the messages' User-Id
        say("", false);
    }
}

std::optional<PublicKey> sender(zmq::message_t& message)
{
    const char* user = nullptr;
    try {
        user = message.gets("User-Id");
    } catch (const zmq::error_t&) {
        return std::nullopt; // the connection had no key: the message came from this process
    }
    return user == nullptr ? std::nullopt : public_key_from_text(user);
}

} // namespace constela::cluster
