// SPDX-License-Identifier: GPL-3.0-or-later
//
// Winsock's WSARecvMsg and WSASendMsg, which tell and choose the interface of each datagram. Winsock itself is started
// by ZeroMQ or, if that has not been, here; it is counted, and ends with the process.
#include "engine/cluster/discovery/udp_socket.h"

#define WIN32_LEAN_AND_MEAN // without what makes a macro of "interface"
#define NOMINMAX
#include <winsock2.h> // before the others, which would bring the old one

#include <mswsock.h>
#include <ws2tcpip.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <tuple>
#include <utility>

namespace constela::cluster::discovery {

namespace {

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): what Winsock wants

std::error_code last_error()
{
    return {WSAGetLastError(), std::system_category()};
}

bool set(SOCKET socket, int level, int name, DWORD value)
{
    return setsockopt(socket, level, name, reinterpret_cast<const char*>(&value), sizeof value) == 0;
}

struct SocketAddress {
    sockaddr_storage storage{};
    int length = sizeof(sockaddr_storage);
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
            interface = static_cast<unsigned>(std::strtoul(address.zone.c_str(), nullptr, 10));
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
    if (from.storage.ss_family == AF_INET6) {
        sockaddr_in6 in{};
        std::memcpy(&in, &from.storage, sizeof in);
        address.v6 = true;
        std::memcpy(address.bytes.data(), &in.sin6_addr, 16);
        if (address.is_link_local()) {
            address.zone = std::to_string(in.sin6_scope_id);
        }
        return {address, ntohs(in.sin6_port)};
    }
    sockaddr_in in{};
    std::memcpy(&in, &from.storage, sizeof in);
    std::memcpy(address.bytes.data(), &in.sin_addr, 4);
    return {address, ntohs(in.sin_port)};
}

struct Control {
    alignas(WSACMSGHDR) std::array<char, WSA_CMSG_SPACE(sizeof(IN6_PKTINFO))> bytes{};
};

template <class Function>
Function extension(SOCKET socket, GUID id)
{
    Function function = nullptr;
    DWORD bytes = 0;
    WSAIoctl(socket, SIO_GET_EXTENSION_FUNCTION_POINTER, &id, sizeof id, &function, sizeof function, &bytes, nullptr,
             nullptr);
    return function;
}

template <class Info>
void add_control(WSAMSG& message, Control& control, int level, int type, const Info& info)
{
    message.Control.buf = control.bytes.data();
    message.Control.len = WSA_CMSG_SPACE(sizeof info);
    WSACMSGHDR* header = WSA_CMSG_FIRSTHDR(&message);
    header->cmsg_level = level;
    header->cmsg_type = type;
    header->cmsg_len = WSA_CMSG_LEN(sizeof info);
    std::memcpy(WSA_CMSG_DATA(header), &info, sizeof info);
}

unsigned arrival_interface(WSAMSG& message)
{
    for (WSACMSGHDR* header = WSA_CMSG_FIRSTHDR(&message); header != nullptr;
         header = WSA_CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level == IPPROTO_IP && header->cmsg_type == IP_PKTINFO) {
            IN_PKTINFO info{};
            std::memcpy(&info, WSA_CMSG_DATA(header), sizeof info);
            return info.ipi_ifindex;
        }
        if (header->cmsg_level == IPPROTO_IPV6 && header->cmsg_type == IPV6_PKTINFO) {
            IN6_PKTINFO info{};
            std::memcpy(&info, WSA_CMSG_DATA(header), sizeof info);
            return info.ipi6_ifindex;
        }
    }
    return 0;
}

tl::unexpected<Error> open_failure(std::uint16_t port, int error)
{
    if (error == WSAEADDRINUSE) {
        return failure("UDP port {} is taken by another program that does not share it, so nodes cannot find each "
                       "other through it. End that program, or choose another port with --discovery-port on all nodes.",
                       port);
    }
    if (error == WSAEACCES) {
        return failure("This system does not permit opening UDP port {}, so nodes cannot find each other. Allow it, or "
                       "choose a port above 1023 with --discovery-port on all nodes.",
                       port);
    }
    return failure("UDP port {} could not be opened to find other nodes: {}.", port,
                   std::system_category().message(error));
}

} // namespace

Result<UdpSocket> UdpSocket::open(bool v6, std::uint16_t port)
{
    WSADATA data{};
    if (const int outcome = WSAStartup(MAKEWORD(2, 2), &data); outcome != 0) {
        return open_failure(port, outcome);
    }
    UdpSocket result(WSASocketW(v6 ? AF_INET6 : AF_INET, SOCK_DGRAM, IPPROTO_UDP, nullptr, 0,
                                WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT),
                     v6);
    const SOCKET socket = result.handle_;
    if (socket == INVALID_SOCKET) {
        return open_failure(port, WSAGetLastError());
    }
    u_long non_blocking = 1;
    bool good = ioctlsocket(socket, FIONBIO, &non_blocking) == 0 && set(socket, SOL_SOCKET, SO_BROADCAST, 1) &&
                (port == 0 || set(socket, SOL_SOCKET, SO_REUSEADDR, 1));
    if (v6) {
        good = good && set(socket, IPPROTO_IPV6, IPV6_V6ONLY, 1) && set(socket, IPPROTO_IPV6, IPV6_PKTINFO, 1) &&
               set(socket, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, 1);
    } else {
        good = good && set(socket, IPPROTO_IP, IP_PKTINFO, 1) && set(socket, IPPROTO_IP, IP_MULTICAST_TTL, 1);
    }
    SocketAddress any = socket_address(IpAddress{v6, {}, {}}, port, 0);
    SocketAddress bound;
    if (!good || bind(socket, any.get(), any.length) != 0 || getsockname(socket, bound.get(), &bound.length) != 0) {
        return open_failure(port, WSAGetLastError());
    }
    result.port_ = address_and_port(bound).second;
    return result;
}

UdpSocket::~UdpSocket()
{
    if (handle_ != INVALID_SOCKET) {
        closesocket(handle_);
    }
}

UdpSocket::UdpSocket(UdpSocket&& other) noexcept
    : handle_(std::exchange(other.handle_, INVALID_SOCKET)), v6_(other.v6_), port_(other.port_)
{
}

std::error_code UdpSocket::join(const IpAddress& group, unsigned interface)
{
    GROUP_REQ request{};
    request.gr_interface = interface;
    const SocketAddress address = socket_address(group, 0, interface);
    std::memcpy(&request.gr_group, &address.storage, sizeof address.storage);
    const int outcome = setsockopt(handle_, v6_ ? static_cast<int>(IPPROTO_IPV6) : static_cast<int>(IPPROTO_IP),
                                   MCAST_JOIN_GROUP, reinterpret_cast<const char*>(&request), sizeof request);
    return outcome == 0 || WSAGetLastError() == WSAEADDRNOTAVAIL || WSAGetLastError() == WSAEINVAL ? std::error_code()
                                                                                                   : last_error();
}

std::optional<Datagram> UdpSocket::receive(std::span<std::byte> buffer)
{
    const auto receive_message = extension<LPFN_WSARECVMSG>(handle_, WSAID_WSARECVMSG);
    if (receive_message == nullptr) {
        return std::nullopt;
    }
    // A few tries: an earlier datagram that nobody took is told as an error of the socket (ICMP).
    for (int attempt = 0; attempt < 8; ++attempt) {
        SocketAddress from;
        Control control;
        WSABUF part{static_cast<ULONG>(buffer.size()), reinterpret_cast<char*>(buffer.data())};
        WSAMSG message{};
        message.name = from.get();
        message.namelen = from.length;
        message.lpBuffers = &part;
        message.dwBufferCount = 1;
        message.Control.buf = control.bytes.data();
        message.Control.len = static_cast<ULONG>(control.bytes.size());
        DWORD got = 0;
        const bool failed = receive_message(handle_, &message, &got, nullptr, nullptr) != 0;
        const int error = failed ? WSAGetLastError() : 0;
        if (failed && error == WSAEWOULDBLOCK) {
            break;
        }
        if (!failed || error == WSAEMSGSIZE) {
            Datagram datagram;
            datagram.bytes = failed ? buffer.size() : got;
            std::tie(datagram.from, datagram.from_port) = address_and_port(from);
            datagram.interface = failed ? 0 : arrival_interface(message);
            return datagram;
        }
    }
    return std::nullopt;
}

std::error_code UdpSocket::send(std::span<const std::byte> bytes, const IpAddress& to, std::uint16_t port,
                                unsigned interface, const IpAddress* source)
{
    SocketAddress address = socket_address(to, port, interface);
    WSABUF part{static_cast<ULONG>(bytes.size()),
                // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): WSASendMsg reads it
                reinterpret_cast<char*>(const_cast<std::byte*>(bytes.data()))};
    WSAMSG message{};
    message.name = address.get();
    message.namelen = address.length;
    message.lpBuffers = &part;
    message.dwBufferCount = 1;
    Control control;
    if (v6_ && interface != 0) {
        IN6_PKTINFO info{};
        info.ipi6_ifindex = interface;
        if (source != nullptr) {
            std::memcpy(&info.ipi6_addr, source->bytes.data(), 16);
        }
        add_control(message, control, IPPROTO_IPV6, IPV6_PKTINFO, info);
    } else if (!v6_ && interface != 0) {
        IN_PKTINFO info{};
        info.ipi_ifindex = interface;
        if (source != nullptr) {
            std::memcpy(&info.ipi_addr, source->bytes.data(), 4);
        }
        add_control(message, control, IPPROTO_IP, IP_PKTINFO, info);
    }
    DWORD sent = 0;
    return WSASendMsg(handle_, &message, 0, &sent, nullptr, nullptr) == 0 ? std::error_code() : last_error();
}

// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)

} // namespace constela::cluster::discovery
