// SPDX-License-Identifier: GPL-3.0-or-later
//
// From an Address to what ZeroMQ calls an endpoint, and back; binding and connecting with failures in words.
// Threads: the socket's.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/node_id.h"

#include <optional>
#include <string>
#include <string_view>
#include <zmq.hpp>

namespace constela::cluster {

/// "tcp://192.168.1.7:7210", "tcp://[fe80::1%eth0]:7210".
[[nodiscard]] std::string tcp_endpoint(const Address& address);

/// The other way. An IPv4 address in IPv6 clothes (::ffff:192.168.1.7, what a socket for both says) comes out as IPv4.
/// Nothing for what is no TCP endpoint.
[[nodiscard]] std::optional<Address> address_of_endpoint(std::string_view endpoint);

/// Begins to listen. Port 0 takes a free one; the address that comes back has the port in use. "::" listens on all
/// addresses of both kinds, "0.0.0.0" on those of IPv4.
[[nodiscard]] Result<Address> bind_tcp(zmq::socket_t& socket, const Address& address);

/// Begins to connect, in the background and again and again; fails only when the address is none.
[[nodiscard]] Result<> connect_tcp(zmq::socket_t& socket, const Address& address);

} // namespace constela::cluster
