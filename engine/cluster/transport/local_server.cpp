// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/transport/local_server.h"

#include "engine/cluster/transport/curve.h"
#include "engine/cluster/transport/socket_io.h"
#include "engine/cluster/wire/codec.h"

#include <algorithm>
#include <span>
#include <utility>

namespace constela::cluster {
namespace {

constexpr Time kPingEvery = std::chrono::milliseconds(500);
constexpr int kAtOnce = 256;
constexpr std::size_t kClients = 256;

} // namespace

LocalServer::LocalServer(zmq::context_t& context, std::unique_ptr<LocalEndpoint> endpoint, const Clock& clock)
    : endpoint_(std::move(endpoint)), socket_(context, zmq::socket_type::router), clock_(clock)
{
    set_plane_options(socket_, Plane::local);
    // Sending to one who has gone is how it is known.
    socket_.set(zmq::sockopt::router_mandatory, true);
}

Result<std::unique_ptr<LocalServer>> LocalServer::listen(zmq::context_t& context, const std::filesystem::path& folder,
                                                         const Clock& clock)
{
    CONSTELA_ASSIGN(auto endpoint, LocalEndpoint::of(folder));
    // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): the constructor is private
    std::unique_ptr<LocalServer> server(new LocalServer(context, std::move(endpoint), clock));
    CONSTELA_TRY(server->endpoint_->bind(server->socket_));
    return server;
}

std::vector<LocalEvent> LocalServer::process()
{
    std::vector<LocalEvent> events;
    for (int count = 0; count < kAtOnce; ++count) {
        zmq::message_t name;
        zmq::message_t body;
        if (!receive(socket_, name)) {
            break;
        }
        if (!name.more() || !receive(socket_, body)) {
            continue;
        }
        const bool whole = !body.more();
        auto message = decode({body.data<std::byte>(), body.size()});
        drop_rest(socket_, body);
        auto known = clients_.find(name.to_string());
        if (known == clients_.end()) {
            if (clients_.size() == kClients) {
                continue;
            }
            known = clients_.emplace(name.to_string(), Client{++last_id_}).first;
        }
        if (whole && message) {
            events.emplace_back(event::FromClient{known->second.id, *std::move(message)});
        }
    }
    ping();
    std::erase_if(clients_, [&](const auto& client) {
        if (client.second.gone) {
            events.emplace_back(event::ClientGone{client.second.id});
        }
        return client.second.gone;
    });
    return events;
}

void LocalServer::ping()
{
    const Time now = clock_.now();
    if (now < next_ping_) {
        return;
    }
    next_ping_ = now + kPingEvery;
    refresh(socket_);
    for (auto& [name, client] : clients_) {
        const Sent sent = cluster::send(socket_, zmq::message_t(name), true);
        if (sent == Sent::yes) {
            (void)cluster::send(socket_, zmq::message_t(), false);
        }
        client.gone = client.gone || sent == Sent::gone;
    }
}

bool LocalServer::send(ClientId id, const Message& message)
{
    const auto found = std::ranges::find_if(clients_, [&](const auto& client) { return client.second.id == id; });
    if (found == clients_.end() || found->second.gone) {
        return false;
    }
    const Sent sent = cluster::send(socket_, zmq::message_t(found->first), true);
    found->second.gone = sent == Sent::gone;
    return sent == Sent::yes && cluster::send(socket_, to_message(encode(message)), false) == Sent::yes;
}

void LocalServer::add_poll_items(std::vector<zmq::pollitem_t>& items)
{
    items.push_back(readable(socket_));
}

} // namespace constela::cluster
