// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/transport/connection.h"

#include <array>
#include <netdb.h>
#include <optional>
#include <string>
#include <sys/socket.h>

namespace constela::cluster {
namespace {

std::optional<Address> peer_of(int descriptor)
{
    sockaddr_storage storage{};
    socklen_t size = sizeof(storage);
    auto* address = reinterpret_cast<sockaddr*>(&storage);
    std::array<char, NI_MAXHOST> host{};
    std::array<char, NI_MAXSERV> port{};
    if (getpeername(descriptor, address, &size) != 0 ||
        getnameinfo(address, size, host.data(), host.size(), port.data(), port.size(),
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
        return std::nullopt;
    }
    constexpr std::string_view kMapped = "::ffff:";
    std::string_view name = host.data();
    if (name.starts_with(kMapped) && name.find('.') != std::string_view::npos) {
        name.remove_prefix(kMapped.size());
    }
    return Address{std::string(name), static_cast<std::uint16_t>(std::stoul(port.data()))};
}

} // namespace

Connection connection_of(const zmq::message_t& message)
{
    const int descriptor = zmq_msg_get(message.handle(), ZMQ_SRCFD);
    return {descriptor, peer_of(descriptor).value_or(Address{})};
}

void cut(const Connection& connection)
{
    // ZeroMQ's thread may close the descriptor at any moment, and another connection get it: a peer's address and port
    // tell them apart. (In the instant between asking and closing it can still go wrong; then a session is made anew.)
    if (peer_of(connection.descriptor) == connection.peer) {
        (void)shutdown(connection.descriptor, SHUT_RDWR);
    }
}

} // namespace constela::cluster
