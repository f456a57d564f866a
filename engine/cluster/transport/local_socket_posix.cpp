// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/transport/local_socket.h"

#include "engine/cluster/wire/codec.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace constela::cluster {

namespace {

constexpr const char* kSocketName = "node.sock";
constexpr int kMessagesAtOnce = 64;

/// A socket's path may have some 100 bytes only; through the folder's descriptor every folder is near enough.
std::string endpoint_in(int folder)
{
    return fmt::format("ipc:///proc/self/fd/{}/{}", folder, kSocketName);
}

int open_folder(const std::filesystem::path& folder)
{
    return open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/// Whether somebody listens: libzmq itself would wait for them to come.
bool is_served(int folder)
{
    const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (probe < 0) {
        return false;
    }
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = fmt::format("/proc/self/fd/{}/{}", folder, kSocketName);
    path.copy(static_cast<char*>(address.sun_path), sizeof address.sun_path - 1);
    const bool served = connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    close(probe);
    return served;
}

Result<std::optional<Message>> decoded(const zmq::message_t& frame)
{
    CONSTELA_ASSIGN(Message message, decode({static_cast<const std::byte*>(frame.data()), frame.size()}));
    return std::optional(std::move(message));
}

} // namespace

LocalServer::LocalServer(zmq::context_t& context, zmq::socket_t router, int folder, std::filesystem::path socket_file)
    : router_(std::move(router)), watch_(context, router_), folder_(folder), socket_file_(std::move(socket_file))
{
}

LocalServer::~LocalServer()
{
    std::error_code ignored;
    std::filesystem::remove(socket_file_, ignored);
    router_.close();
    close(folder_);
}

Result<std::unique_ptr<LocalServer>> LocalServer::open(zmq::context_t& context,
                                                       const std::filesystem::path& state_folder)
{
    const int folder = open_folder(state_folder);
    if (folder < 0) {
        return failure("The folder {} cannot be opened: {}.", state_folder.string(), std::strerror(errno));
    }
    zmq::socket_t router(context, zmq::socket_type::router);
    set_plane_options(router, Plane::local);
    const std::filesystem::path file = state_folder / kSocketName;
    std::error_code ignored;
    std::filesystem::remove(file, ignored); // of a node that was killed; the folder's lock says that it is gone
    try {
        router.bind(endpoint_in(folder));
    } catch (const zmq::error_t& problem) {
        close(folder);
        return failure("The node cannot listen for commands in {}: {}.", file.string(), problem.what());
    }
    return std::unique_ptr<LocalServer>(new LocalServer(context, std::move(router), folder, file));
}

std::vector<zmq::pollitem_t> LocalServer::poll_items()
{
    return {{router_.handle(), 0, ZMQ_POLLIN, 0}, {watch_.handle(), 0, ZMQ_POLLIN, 0}};
}

std::vector<LocalEvent> LocalServer::process()
{
    std::vector<LocalEvent> events;
    for (int i = 0; i < kMessagesAtOnce; ++i) {
        zmq::message_t id;
        zmq::message_t frame;
        if (!router_.recv(id, zmq::recv_flags::dontwait) || !id.more() ||
            !router_.recv(frame, zmq::recv_flags::dontwait)) {
            break;
        }
        const ClientId client = id.to_string();
        clients_[client] = zmq_msg_get(frame.handle(), ZMQ_SRCFD);
        if (auto message = decoded(frame)) {
            events.push_back({client, std::move(*message)});
        }
    }
    for (const ConnectionWatch::Event& event : watch_.read()) {
        for (auto client = clients_.begin(); client != clients_.end();) {
            if (!event.up && client->second == event.descriptor) {
                events.push_back({client->first, std::nullopt});
                client = clients_.erase(client);
            } else {
                ++client;
            }
        }
    }
    return events;
}

void LocalServer::send(const ClientId& client, const Message& message)
{
    const auto bytes = encode(message);
    if (router_.send(zmq::buffer(client), zmq::send_flags::sndmore | zmq::send_flags::dontwait)) {
        router_.send(zmq::buffer(bytes.data(), bytes.size()), zmq::send_flags::dontwait);
    }
}

LocalClient::LocalClient(int folder, const std::string& endpoint)
    : socket_(make(context_)), watch_(context_, socket_), folder_(folder)
{
    socket_.connect(endpoint);
}

zmq::socket_t LocalClient::make(zmq::context_t& context)
{
    zmq::socket_t socket(context, zmq::socket_type::dealer);
    set_plane_options(socket, Plane::local);
    return socket;
}

LocalClient::~LocalClient()
{
    socket_.close();
    close(folder_);
}

Result<std::unique_ptr<LocalClient>> LocalClient::connect(const std::filesystem::path& state_folder)
{
    const int folder = open_folder(state_folder);
    if (folder < 0 || !is_served(folder)) {
        if (folder >= 0) {
            close(folder);
        }
        return failure("No node is running with the state folder {}. Start one with constelad --state {}, or open the "
                       "window.",
                       state_folder.string(), state_folder.string());
    }
    return std::unique_ptr<LocalClient>(new LocalClient(folder, endpoint_in(folder)));
}

Result<> LocalClient::send(const Message& message)
{
    const auto bytes = encode(message);
    if (!socket_.send(zmq::buffer(bytes.data(), bytes.size()), zmq::send_flags::none)) {
        return failure("The node has ended.");
    }
    return {};
}

Result<std::optional<Message>> LocalClient::receive(std::chrono::milliseconds patience)
{
    std::array items{zmq::pollitem_t{socket_.handle(), 0, ZMQ_POLLIN, 0},
                     zmq::pollitem_t{watch_.handle(), 0, ZMQ_POLLIN, 0}};
    zmq::poll(items.data(), items.size(), patience);
    zmq::message_t frame;
    if (socket_.recv(frame, zmq::recv_flags::dontwait)) {
        return decoded(frame);
    }
    for (const ConnectionWatch::Event& event : watch_.read()) {
        if (!event.up) {
            return failure("The node has ended.");
        }
    }
    return std::optional<Message>();
}

} // namespace constela::cluster
