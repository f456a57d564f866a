// SPDX-License-Identifier: GPL-3.0-or-later
//
// ip(7), ipv6(7): IP_PKTINFO and IPV6_RECVPKTINFO (RFC 3542) tell and choose the interface of each datagram.
#include "engine/cluster/discovery/udp_socket.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace constela::cluster::discovery {

namespace {

// What the system's interface wants: any socket address seen as a plain one, a control message's payload.
// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast)

constexpr int kNone = -1;

std::error_code last_error()
{
    return {errno, std::generic_category()};
}

bool set(int socket, int level, int name, int value)
{
    return setsockopt(socket, level, name, &value, sizeof value) == 0;
}

struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t length = sizeof(sockaddr_storage);
    [[nodiscard]] sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

SocketAddress socket_address(const IpAddress& address, std::uint16_t port, unsigned interface)
{
    SocketAddress result;
    if (address.v6) {
        sockaddr_in6 in{};
        in.sin6_family = AF_INET6;
        in.sin6_port = htons(port);
        std::memcpy(&in.sin6_addr, address.bytes.data(), 16);
        if (interface == 0 && !address.zone.empty()) {
            interface = if_nametoindex(address.zone.c_str());
        }
        in.sin6_scope_id = address.is_link_local() || address.is_multicast() ? interface : 0;
        std::memcpy(&result.storage, &in, sizeof in);
        result.length = sizeof in;
    } else {
        sockaddr_in in{};
        in.sin_family = AF_INET;
        in.sin_port = htons(port);
        std::memcpy(&in.sin_addr, address.bytes.data(), 4);
        std::memcpy(&result.storage, &in, sizeof in);
        result.length = sizeof in;
    }
    return result;
}

std::pair<IpAddress, std::uint16_t> address_and_port(const SocketAddress& from)
{
    IpAddress address;
    std::uint16_t port = 0;
    if (from.storage.ss_family == AF_INET6) {
        sockaddr_in6 in{};
        std::memcpy(&in, &from.storage, sizeof in);
        address.v6 = true;
        std::memcpy(address.bytes.data(), &in.sin6_addr, 16);
        port = ntohs(in.sin6_port);
        std::array<char, IF_NAMESIZE> name{};
        if (address.is_link_local() && if_indextoname(in.sin6_scope_id, name.data()) != nullptr) {
            address.zone = name.data();
        }
    } else {
        sockaddr_in in{};
        std::memcpy(&in, &from.storage, sizeof in);
        std::memcpy(address.bytes.data(), &in.sin_addr, 4);
        port = ntohs(in.sin_port);
    }
    return {address, port};
}

/// Room for one control message, aligned as it must be.
struct Control {
    alignas(cmsghdr) std::array<unsigned char, CMSG_SPACE(sizeof(in6_pktinfo))> bytes{};
};

template <class Info>
void add_control(msghdr& message, Control& control, int level, int type, const Info& info)
{
    message.msg_control = control.bytes.data();
    message.msg_controllen = CMSG_SPACE(sizeof info);
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = level;
    header->cmsg_type = type;
    header->cmsg_len = CMSG_LEN(sizeof info);
    std::memcpy(CMSG_DATA(header), &info, sizeof info);
}

unsigned arrival_interface(msghdr& message)
{
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level == IPPROTO_IP && header->cmsg_type == IP_PKTINFO) {
            in_pktinfo info{};
            std::memcpy(&info, CMSG_DATA(header), sizeof info);
            return static_cast<unsigned>(info.ipi_ifindex);
        }
        if (header->cmsg_level == IPPROTO_IPV6 && header->cmsg_type == IPV6_PKTINFO) {
            in6_pktinfo info{};
            std::memcpy(&info, CMSG_DATA(header), sizeof info);
            return static_cast<unsigned>(info.ipi6_ifindex);
        }
    }
    return 0;
}

tl::unexpected<Error> open_failure(std::uint16_t port, int error)
{
    if (error == EADDRINUSE) {
        return failure("UDP port {} is taken by another program that does not share it, so nodes cannot find each "
                       "other through it. End that program, or choose another port with --discovery-port on all nodes.",
                       port);
    }
    if (error == EACCES || error == EPERM) {
        return failure("This system does not permit opening UDP port {}, so nodes cannot find each other. Allow it, or "
                       "choose a port above 1023 with --discovery-port on all nodes.",
                       port);
    }
    return failure("UDP port {} could not be opened to find other nodes: {}.", port,
                   std::generic_category().message(error));
}

} // namespace

Result<UdpSocket> UdpSocket::open(bool v6, std::uint16_t port)
{
    UdpSocket result(::socket(v6 ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), v6);
    const int socket = result.handle_;
    if (socket < 0) {
        return open_failure(port, errno);
    }
    bool good = set(socket, SOL_SOCKET, SO_REUSEADDR, 1) && set(socket, SOL_SOCKET, SO_BROADCAST, 1);
    if (v6) {
        good = good && set(socket, IPPROTO_IPV6, IPV6_V6ONLY, 1) && set(socket, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1) &&
               set(socket, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, 1) && set(socket, IPPROTO_IPV6, IPV6_MULTICAST_LOOP, 1);
    } else {
        good = good && set(socket, IPPROTO_IP, IP_PKTINFO, 1) && set(socket, IPPROTO_IP, IP_MULTICAST_TTL, 1) &&
               set(socket, IPPROTO_IP, IP_MULTICAST_LOOP, 1);
    }
#ifdef IP_MULTICAST_ALL
    // Only groups that this socket itself has joined, on the interfaces on which it has.
    good = good && (v6 || set(socket, IPPROTO_IP, IP_MULTICAST_ALL, 0));
#endif
    SocketAddress any = socket_address(IpAddress{v6, {}, {}}, port, 0);
    if (!good || bind(socket, any.get(), any.length) != 0) {
        return open_failure(port, errno);
    }
    SocketAddress bound;
    if (getsockname(socket, bound.get(), &bound.length) != 0) {
        return open_failure(port, errno);
    }
    result.port_ = address_and_port(bound).second;
    return result;
}

UdpSocket::~UdpSocket()
{
    if (handle_ >= 0) {
        ::close(handle_);
    }
}

UdpSocket::UdpSocket(UdpSocket&& other) noexcept
    : handle_(std::exchange(other.handle_, kNone)), v6_(other.v6_), port_(other.port_)
{
}

std::error_code UdpSocket::join(const IpAddress& group, unsigned interface)
{
    int outcome = 0;
    if (v6_) {
        ipv6_mreq request{};
        std::memcpy(&request.ipv6mr_multiaddr, group.bytes.data(), 16);
        request.ipv6mr_interface = interface;
        outcome = setsockopt(handle_, IPPROTO_IPV6, IPV6_JOIN_GROUP, &request, sizeof request);
    } else {
        ip_mreqn request{};
        std::memcpy(&request.imr_multiaddr, group.bytes.data(), 4);
        request.imr_ifindex = static_cast<int>(interface);
        outcome = setsockopt(handle_, IPPROTO_IP, IP_ADD_MEMBERSHIP, &request, sizeof request);
    }
    return outcome == 0 || errno == EADDRINUSE ? std::error_code() : last_error();
}

std::optional<Datagram> UdpSocket::receive(std::span<std::byte> buffer)
{
    // A few tries: an earlier datagram that nobody took is told as an error of the socket (ICMP).
    for (int attempt = 0; attempt < 8; ++attempt) {
        SocketAddress from;
        Control control;
        iovec part{buffer.data(), buffer.size()};
        msghdr message{};
        message.msg_name = &from.storage;
        message.msg_namelen = from.length;
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = control.bytes.data();
        message.msg_controllen = control.bytes.size();
        const ssize_t got = recvmsg(handle_, &message, 0);
        if (got >= 0) {
            Datagram datagram;
            datagram.bytes = static_cast<std::size_t>(got);
            std::tie(datagram.from, datagram.from_port) = address_and_port(from);
            datagram.interface = arrival_interface(message);
            return datagram;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            break;
        }
    }
    return std::nullopt;
}

std::error_code UdpSocket::send(std::span<const std::byte> bytes, const IpAddress& to, std::uint16_t port,
                                unsigned interface, const IpAddress* source)
{
    SocketAddress address = socket_address(to, port, interface);
    iovec part{const_cast<std::byte*>(bytes.data()), // NOLINT(cppcoreguidelines-pro-type-const-cast): sendmsg reads it
               bytes.size()};
    msghdr message{};
    message.msg_name = &address.storage;
    message.msg_namelen = address.length;
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    Control control;
    if (v6_ && interface != 0) {
        in6_pktinfo info{};
        info.ipi6_ifindex = interface;
        if (source != nullptr) {
            std::memcpy(&info.ipi6_addr, source->bytes.data(), 16);
        }
        add_control(message, control, IPPROTO_IPV6, IPV6_PKTINFO, info);
    } else if (!v6_ && interface != 0) {
        in_pktinfo info{};
        info.ipi_ifindex = static_cast<int>(interface);
        if (source != nullptr) {
            std::memcpy(&info.ipi_spec_dst, source->bytes.data(), 4);
        }
        add_control(message, control, IPPROTO_IP, IP_PKTINFO, info);
    }
    return sendmsg(handle_, &message, 0) >= 0 ? std::error_code() : last_error();
}

// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)

} // namespace constela::cluster::discovery
