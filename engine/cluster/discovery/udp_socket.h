// SPDX-License-Identifier: GPL-3.0-or-later
//
// A non-blocking UDP socket that knows through which interface a datagram came and says through which one it goes.
// udp_socket_posix.cpp and udp_socket_windows.cpp.
//
// Threads: one. Errors: opening fails in words; what goes wrong with a single datagram is a std::error_code.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/discovery/ip_address.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <system_error>

namespace constela::cluster::discovery {

#ifdef _WIN32
using SocketHandle = std::uintptr_t;
#else
using SocketHandle = int;
#endif

struct Datagram {
    std::size_t bytes = 0; ///< What was longer than the buffer tells the buffer's size.
    IpAddress from;
    std::uint16_t from_port = 0;
    unsigned interface = 0; ///< Index of the interface through which it came; 0: unknown.
};

class UdpSocket {
public:
    /// Takes what is sent to `port` (0: one that is free) at any address, beside other programs that do the same.
    [[nodiscard]] static Result<UdpSocket> open(bool v6, std::uint16_t port);
    ~UdpSocket();
    UdpSocket(UdpSocket&& other) noexcept;
    UdpSocket& operator=(UdpSocket&&) = delete;
    UdpSocket(const UdpSocket&) = delete;
    UdpSocket& operator=(const UdpSocket&) = delete;

    [[nodiscard]] SocketHandle handle() const { return handle_; }
    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] bool v6() const { return v6_; }

    /// Takes what is sent to the group through the interface. Being a member already is no error.
    std::error_code join(const IpAddress& group, unsigned interface);

    /// The next datagram that waits; its bytes are in `buffer`. Nothing: none waits.
    [[nodiscard]] std::optional<Datagram> receive(std::span<std::byte> buffer);

    /// `interface` 0 and `source` nullptr: as the system's routes say.
    std::error_code send(std::span<const std::byte> bytes, const IpAddress& to, std::uint16_t port,
                         unsigned interface = 0, const IpAddress* source = nullptr);

private:
    UdpSocket(SocketHandle handle, bool v6) : handle_(handle), v6_(v6) {}

    SocketHandle handle_;
    bool v6_;
    std::uint16_t port_ = 0;
};

} // namespace constela::cluster::discovery
