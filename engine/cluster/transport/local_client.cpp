// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/transport/local_client.h"

#include "engine/cluster/transport/curve.h"
#include "engine/cluster/transport/socket_io.h"
#include "engine/cluster/wire/codec.h"
#include "engine/cluster/wire/limits.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace constela::cluster {
namespace {

using Steady = std::chrono::steady_clock;

} // namespace

LocalClient::LocalClient(const std::filesystem::path& folder, std::unique_ptr<LocalEndpoint> endpoint,
                         std::chrono::milliseconds timeout)
    : folder_(folder.string()), endpoint_(std::move(endpoint)), socket_(context_, zmq::socket_type::dealer),
      monitor_(context_, socket_, ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_CONNECT_RETRIED)
{
    set_plane_options(socket_, Plane::local);
    socket_.set(zmq::sockopt::sndtimeo, static_cast<int>(timeout.count()));
}

Result<std::unique_ptr<LocalClient>> LocalClient::connect(const std::filesystem::path& folder,
                                                          std::chrono::milliseconds timeout)
{
    const auto until = Steady::now() + timeout;
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error)) {
        return failure("No node runs with the state folder {}: there is no such folder.", folder.string());
    }
    CONSTELA_ASSIGN(auto endpoint, LocalEndpoint::of(folder));
    // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): the constructor is private
    std::unique_ptr<LocalClient> client(new LocalClient(folder, std::move(endpoint), timeout));
    CONSTELA_TRY(client->endpoint_->connect(client->socket_));
    while (true) {
        while (const auto event = client->monitor_.next()) {
            if (event->event == ZMQ_EVENT_HANDSHAKE_SUCCEEDED) {
                refresh(client->socket_);
                return client;
            }
            return client->no_node();
        }
        if (Steady::now() >= until) {
            return failure("The node with the state folder {} does not answer. It may be stopped; end it and start it "
                           "again.",
                           client->folder_);
        }
        client->wait(until);
    }
}

tl::unexpected<Error> LocalClient::no_node() const
{
    return failure("No node runs with the state folder {}. Start one, or name another folder.", folder_);
}

tl::unexpected<Error> LocalClient::ended() const
{
    return failure("The node with the state folder {} has ended.", folder_);
}

void LocalClient::wait(std::chrono::steady_clock::time_point until)
{
    std::array<zmq::pollitem_t, 2> items{{readable(socket_), readable(monitor_.socket())}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Steady::now());
    // A signal ends the wait early, and the caller looks at the time.
    (void)zmq_poll(items.data(), static_cast<int>(items.size()),
                   static_cast<long>(std::max(left, std::chrono::milliseconds(0)).count()));
}

bool LocalClient::closed()
{
    while (const auto event = monitor_.next()) {
        closed_ = closed_ || event->event == ZMQ_EVENT_DISCONNECTED;
    }
    return closed_;
}

Result<> LocalClient::send(const Message& message)
{
    if (closed()) {
        return ended();
    }
    std::vector<std::byte> bytes = encode(message);
    if (bytes.size() > limits::kMessageBytes) {
        return failure("The command has {} bytes; at most {} can be sent.", bytes.size(), limits::kMessageBytes);
    }
    zmq::message_t body = to_message(std::move(bytes));
    while (zmq_msg_send(body.handle(), socket_.handle(), 0) < 0) {
        if (zmq_errno() != EINTR) {
            return closed()
                       ? ended()
                       : failure("The node with the state folder {} takes no more commands at the moment.", folder_);
        }
    }
    return {};
}

Result<std::optional<Message>> LocalClient::receive(std::chrono::milliseconds timeout)
{
    const auto until = Steady::now() + timeout;
    zmq::message_t body;
    while (true) {
        // What was said before the end is read before the end is told.
        const bool over = closed();
        while (cluster::receive(socket_, body)) {
            const bool whole = !body.more();
            drop_rest(socket_, body);
            if (body.size() == 0) {
                continue; // the node asks whether this program is still there
            }
            if (!whole) {
                return failure("A message has more than one part.");
            }
            CONSTELA_ASSIGN(auto message, decode({body.data<std::byte>(), body.size()}));
            return std::optional(std::move(message));
        }
        if (over) {
            return ended();
        }
        if (Steady::now() >= until) {
            return std::optional<Message>();
        }
        wait(until);
    }
}

} // namespace constela::cluster
