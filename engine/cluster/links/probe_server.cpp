// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/links/probe_server.h"

#include "engine/cluster/links/probe_protocol.h"
#include "engine/cluster/transport/curve.h"
#include "engine/cluster/transport/endpoint.h"

#include <array>
#include <fmt/format.h>
#include <string>
#include <thread>

namespace constela::cluster {

namespace {

constexpr std::string_view kZapDomain = "links";

/// What the Gatekeeper called the sender; empty where nobody did.
std::string_view user_of(const zmq::message_t& message)
{
    const char* user = zmq_msg_gets(message.handle(), "User-Id");
    return user == nullptr ? std::string_view() : user;
}

} // namespace

class LinkProbeServer::Loop {
public:
    Loop(zmq::context_t& context, Admitted admitted)
        : socket_(context, zmq::socket_type::router), wake_(context, zmq::socket_type::pair),
          woken_(context, zmq::socket_type::pair), admitted_(std::move(admitted))
    {
    }
    ~Loop()
    {
        if (thread_.joinable()) {
            wake_.send(zmq::message_t(), zmq::send_flags::none);
            thread_.join();
        }
    }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    Result<> begin(const KeyPair& own, const Address& address)
    {
        set_plane_options(socket_, Plane::bulk);
        make_curve_server(socket_, own, kZapDomain);
        CONSTELA_ASSIGN(address_, bind_tcp(socket_, address));
        const std::string inside = fmt::format("inproc://link-probe-server-{}", fmt::ptr(this));
        woken_.bind(inside);
        wake_.connect(inside);
        thread_ = std::thread([this] { run(); });
        return {};
    }

    [[nodiscard]] const Address& address() const { return address_; }

private:
    void run()
    {
        std::array<zmq::pollitem_t, 2> items{
            {{socket_.handle(), 0, ZMQ_POLLIN, 0}, {woken_.handle(), 0, ZMQ_POLLIN, 0}}};
        while (true) {
            zmq::poll(items, std::chrono::milliseconds(-1));
            if ((items[1].revents & ZMQ_POLLIN) != 0) {
                return;
            }
            answer_one();
        }
    }

    /// Takes one message: sender and request. One of more frames is dropped whole.
    void answer_one()
    {
        zmq::message_t sender;
        zmq::message_t request;
        if (!socket_.recv(sender, zmq::recv_flags::dontwait) || !sender.more() ||
            !socket_.recv(request, zmq::recv_flags::dontwait)) {
            return;
        }
        bool alone = true;
        for (bool more = request.more(); more;) {
            zmq::message_t rest;
            alone = false;
            more = socket_.recv(rest, zmq::recv_flags::dontwait).has_value() && rest.more();
        }
        if (!alone || !admitted_(user_of(request))) {
            return;
        }
        const auto reply = responder_.answer({static_cast<const std::byte*>(request.data()), request.size()});
        if (reply.empty()) {
            return;
        }
        // Whoever asks for more than its queue holds loses replies; a fair asker's credit is less.
        if (socket_.send(sender, zmq::send_flags::sndmore | zmq::send_flags::dontwait)) {
            socket_.send(zmq::buffer(reply.data(), reply.size()), zmq::send_flags::dontwait);
        }
    }

    zmq::socket_t socket_;
    zmq::socket_t wake_;
    zmq::socket_t woken_;
    Admitted admitted_;
    ProbeResponder responder_;
    Address address_;
    std::thread thread_;
};

LinkProbeServer::LinkProbeServer(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}

LinkProbeServer::~LinkProbeServer() = default;

Result<std::unique_ptr<LinkProbeServer>> LinkProbeServer::start(zmq::context_t& context, const KeyPair& own,
                                                                const Address& address, Admitted admitted)
{
    auto loop = std::make_unique<Loop>(context, std::move(admitted));
    CONSTELA_TRY(loop->begin(own, address));
    return std::unique_ptr<LinkProbeServer>(new LinkProbeServer(std::move(loop)));
}

const Address& LinkProbeServer::address() const
{
    return loop_->address();
}

} // namespace constela::cluster
