// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/transport/gatekeeper.h"

#include "engine/cluster/transport/socket_io.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace constela::cluster {
namespace {

constexpr const char* kZapEndpoint = "inproc://zeromq.zap.01";

// The frames of a request, in their order.
constexpr std::size_t kVersion = 0;
constexpr std::size_t kRequestId = 1;
constexpr std::size_t kMechanism = 5;
constexpr std::size_t kCredentials = 6;
constexpr std::size_t kRequestFrames = 7;

/// The property of a message under which the user of the reply comes back.
constexpr const char* kUserId = "User-Id";

} // namespace

Gatekeeper::Gatekeeper(zmq::context_t& context)
    : requests_(context, zmq::socket_type::rep), stopped_(context, zmq::socket_type::pair),
      stop_(context, zmq::socket_type::pair)
{
    requests_.set(zmq::sockopt::linger, 0);
    requests_.bind(kZapEndpoint);
    // A name that no other object of this process has; the context is the process's own.
    const std::string name = "inproc://gatekeeper-" + std::to_string(reinterpret_cast<std::uintptr_t>(this));
    stopped_.bind(name);
    stop_.connect(name);
    thread_ = std::thread([this] { run(); });
}

Gatekeeper::~Gatekeeper()
{
    stop_.send(zmq::message_t(), zmq::send_flags::none);
    thread_.join();
}

void Gatekeeper::allow(std::set<PublicKey> keys)
{
    auto allowed = std::make_shared<const AllowedKeys>(std::move(keys));
    const std::lock_guard lock(mutex_);
    allowed_.swap(allowed);
}

std::shared_ptr<const AllowedKeys> Gatekeeper::allowed() const
{
    const std::lock_guard lock(mutex_);
    return allowed_;
}

void Gatekeeper::run()
{
    std::array<zmq::pollitem_t, 2> items{
        {{requests_.handle(), 0, ZMQ_POLLIN, 0}, {stopped_.handle(), 0, ZMQ_POLLIN, 0}}};
    while (true) {
        try {
            zmq::poll(items.data(), items.size(), std::chrono::milliseconds(-1));
        } catch (const zmq::error_t& error) {
            if (error.num() == EINTR) {
                continue;
            }
            return; // the context ends
        }
        if (items[1].revents != 0) {
            return;
        }
        answer();
    }
}

void Gatekeeper::answer()
{
    std::vector<zmq::message_t> frames;
    zmq::message_t frame;
    while (receive(requests_, frame)) {
        const bool more = frame.more();
        frames.push_back(std::move(frame));
        frame = zmq::message_t();
        if (!more) {
            break;
        }
    }
    if (frames.size() < 2) {
        return;
    }
    PublicKey key;
    bool admitted = false;
    if (frames.size() == kRequestFrames && frames[kVersion].to_string_view() == "1.0" &&
        frames[kMechanism].to_string_view() == "CURVE" && frames[kCredentials].size() == key.bytes.size()) {
        std::copy_n(frames[kCredentials].data<std::byte>(), key.bytes.size(), key.bytes.begin());
        admitted = allowed()->contains(key);
    }
    ++(admitted ? admitted_ : refused_);
    // Version, request, status code, status text, user, metadata.
    const std::string user = admitted ? to_text(key) : std::string();
    send(requests_, zmq::message_t(std::string_view("1.0")), true);
    send(requests_, std::move(frames[kRequestId]), true);
    send(requests_, zmq::message_t(std::string_view(admitted ? "200" : "400")), true);
    send(requests_, zmq::message_t(std::string_view(admitted ? "" : "this key is not known here")), true);
    send(requests_, zmq::message_t(user), true);
    send(requests_, zmq::message_t(), false);
}

std::optional<PublicKey> sender(const zmq::message_t& message)
{
    const char* user = zmq_msg_gets(message.handle(), kUserId);
    return user == nullptr ? std::nullopt : public_key_from_text(user);
}

} // namespace constela::cluster
