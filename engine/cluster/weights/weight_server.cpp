// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/weights/weight_server.h"

#include "engine/cluster/time.h"
#include "engine/cluster/transport/curve.h"
#include "engine/cluster/transport/endpoint.h"
#include "engine/cluster/weights/open_models.h"
#include "engine/cluster/weights/transfer_protocol.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <thread>

namespace constela::cluster {

namespace {

using namespace std::chrono_literals;

constexpr std::string_view kZapDomain = "bulk";

/// What the Gatekeeper called the sender; empty where nobody did.
std::string_view user_of(const zmq::message_t& message)
{
    const char* user = zmq_msg_gets(message.handle(), "User-Id");
    return user == nullptr ? std::string_view() : user;
}

std::span<const std::byte> bytes_of(const zmq::message_t& message)
{
    return {static_cast<const std::byte*>(message.data()), message.size()};
}

std::span<std::byte> writable(zmq::message_t& message)
{
    return {static_cast<std::byte*>(message.data()), message.size()};
}

} // namespace

class WeightServer::Loop {
public:
    Loop(zmq::context_t& context, Options options)
        : options_(std::move(options)), models_(options_.models), socket_(context, zmq::socket_type::router),
          wake_(context, zmq::socket_type::pair), woken_(context, zmq::socket_type::pair)
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

    Result<> begin()
    {
        set_plane_options(socket_, Plane::bulk);
        socket_.set(zmq::sockopt::linger, 0); // half a chunk is of no use to anybody
        make_curve_server(socket_, options_.own, kZapDomain);
        CONSTELA_ASSIGN(address_, bind_tcp(socket_, options_.address));
        const std::string inside = "inproc://weight-server-" + std::to_string(address_.port);
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
            zmq::poll(items, models_.empty() ? -1ms : 1000ms);
            if ((items[1].revents & ZMQ_POLLIN) != 0) {
                return;
            }
            if ((items[0].revents & ZMQ_POLLIN) != 0) {
                answer_one();
            }
            models_.let_go(clock_.now());
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
        const std::string_view user = user_of(request);
        if (!alone || !options_.admitted(user)) {
            return;
        }
        if (is_weight_request(bytes_of(request))) {
            if (const auto parsed = parse_weight_request(bytes_of(request))) {
                zmq::message_t reply = answer(*parsed);
                const std::uint64_t bytes = reply.size() - kWeightReplyHeader;
                if (send(sender, std::move(reply)) && options_.on_sent && bytes > 0) {
                    options_.on_sent(user, bytes);
                }
            }
        } else if (options_.other) {
            if (const auto reply = options_.other(bytes_of(request)); !reply.empty()) {
                send(sender, zmq::message_t(reply.data(), reply.size()));
            }
        }
    }

    /// A peer with more requests open than its queue holds loses replies; a fair one's credit is less.
    bool send(zmq::message_t& to, zmq::message_t reply)
    {
        return socket_.send(to, zmq::send_flags::sndmore | zmq::send_flags::dontwait).has_value() &&
               socket_.send(reply, zmq::send_flags::dontwait).has_value();
    }

    static zmq::message_t not_here(const WeightRequest& request)
    {
        zmq::message_t reply(kWeightReplyHeader);
        write_reply({request.kind, false, request.number, 0}, writable(reply));
        return reply;
    }

    zmq::message_t answer(const WeightRequest& request)
    {
        OpenModels::Opened* model = models_.find(request.model, clock_.now());
        if (model == nullptr) {
            return not_here(request);
        }
        switch (request.kind) {
        case WeightKind::manifest: return manifest_piece(request, *model);
        case WeightKind::chunk: return chunk_piece(request, *model);
        case WeightKind::held: return held(request, *model);
        }
        return not_here(request);
    }

    static zmq::message_t held(const WeightRequest& request, const OpenModels::Opened& model)
    {
        const std::size_t chunks = model.reader->manifest().chunks.size();
        const std::size_t bytes = (chunks + 7) / 8;
        if (request.length < bytes) {
            return not_here(request);
        }
        zmq::message_t reply(kWeightReplyHeader + bytes);
        write_reply({request.kind, true, request.number, chunks}, writable(reply));
        const std::span<std::byte> bits = writable(reply).subspan(kWeightReplyHeader);
        std::ranges::fill(bits, std::byte{0});
        for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
            bits[chunk / 8] |= std::byte{model.reader->has(chunk)} << (chunk % 8);
        }
        return reply;
    }

    static zmq::message_t manifest_piece(const WeightRequest& request, OpenModels::Opened& model)
    {
        const std::string& encoded = OpenModels::manifest(model);
        if (request.offset >= encoded.size()) {
            return not_here(request);
        }
        const std::size_t length = std::min<std::size_t>(request.length, encoded.size() - request.offset);
        zmq::message_t reply(kWeightReplyHeader + length);
        write_reply({request.kind, true, request.number, encoded.size()}, writable(reply));
        std::memcpy(writable(reply).data() + kWeightReplyHeader, encoded.data() + request.offset, length);
        return reply;
    }

    zmq::message_t chunk_piece(const WeightRequest& request, const OpenModels::Opened& model)
    {
        if (!model.reader->has(request.chunk)) {
            return not_here(request);
        }
        zmq::message_t reply(kWeightReplyHeader + request.length);
        write_reply({request.kind, true, request.number, 0}, writable(reply));
        if (!model.reader->read(request.chunk, request.offset, writable(reply).subspan(kWeightReplyHeader))) {
            models_.drop(request.model); // the file may have changed: look anew when it is asked for again
            return not_here(request);
        }
        return reply;
    }

    Options options_;
    SteadyClock clock_;
    OpenModels models_;
    zmq::socket_t socket_;
    zmq::socket_t wake_;
    zmq::socket_t woken_;
    Address address_;
    std::thread thread_;
};

WeightServer::WeightServer(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}

WeightServer::~WeightServer() = default;

Result<std::unique_ptr<WeightServer>> WeightServer::start(zmq::context_t& context, Options options)
{
    auto loop = std::make_unique<Loop>(context, std::move(options));
    CONSTELA_TRY(loop->begin());
    return std::unique_ptr<WeightServer>(new WeightServer(std::move(loop)));
}

const Address& WeightServer::address() const
{
    return loop_->address();
}

} // namespace constela::cluster
