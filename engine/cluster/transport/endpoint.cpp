// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/transport/endpoint.h"

#include "engine/cluster/wire/numeric_host.h"

#include <cerrno>
#include <charconv>

namespace constela::cluster {
namespace {

constexpr std::string_view kScheme = "tcp://";
constexpr std::string_view kMapped = "::ffff:";

tl::unexpected<Error> with_details(tl::unexpected<Error> error, int code)
{
    error.value().details = zmq_strerror(code);
    return error;
}

tl::unexpected<Error> bind_failure(const Address& address, int code)
{
    switch (code) {
    case EADDRINUSE:
        return with_details(failure("Port {} of {} is in use by another program. End that program, or choose another "
                                    "port.",
                                    address.port, address.host),
                            code);
    case EADDRNOTAVAIL:
    case ENODEV:
        return with_details(failure("This machine has no network address {}. Choose one that it has.", address.host),
                            code);
    case EACCES:
        return with_details(failure("The system does not let this program listen on port {} of {}. Choose a port above "
                                    "1023.",
                                    address.port, address.host),
                            code);
    default:
        return with_details(failure("Listening on port {} of {} failed: {}.", address.port, address.host,
                                    std::string_view(zmq_strerror(code))),
                            code);
    }
}

} // namespace

std::string tcp_endpoint(const Address& address)
{
    const bool ipv6 = address.host.find(':') != std::string::npos;
    std::string endpoint(kScheme);
    endpoint += ipv6 ? "[" + address.host + "]" : address.host;
    endpoint += ":" + std::to_string(address.port);
    return endpoint;
}

std::optional<Address> address_of_endpoint(std::string_view endpoint)
{
    if (!endpoint.starts_with(kScheme)) {
        return std::nullopt;
    }
    endpoint.remove_prefix(kScheme.size());
    const std::size_t colon = endpoint.rfind(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    Address address;
    const std::string_view digits = endpoint.substr(colon + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), address.port);
    if (error != std::errc() || end != digits.data() + digits.size()) {
        return std::nullopt;
    }
    std::string_view host = endpoint.substr(0, colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
        host = host.substr(1, host.size() - 2);
    }
    if (host.starts_with(kMapped) && host.find('.') != std::string_view::npos) {
        host.remove_prefix(kMapped.size());
    }
    if (host.empty()) {
        return std::nullopt;
    }
    address.host = host;
    return address;
}

Result<Address> bind_tcp(zmq::socket_t& socket, const Address& address)
{
    try {
        socket.bind(tcp_endpoint(address));
    } catch (const zmq::error_t& error) {
        return bind_failure(address, error.num());
    }
    const auto bound = address_of_endpoint(socket.get(zmq::sockopt::last_endpoint));
    if (!bound) {
        return failure("Listening on port {} of {} failed: {}.", address.port, address.host, "no port was given");
    }
    return Address{address.host, bound->port};
}

Result<> connect_tcp(zmq::socket_t& socket, const Address& address)
{
    if (!is_numeric_host(address.host)) { // a name would be looked up, by the thread of all sockets
        return failure("{} with port {} is not an address to connect to.", address.host, address.port);
    }
    try {
        socket.connect(tcp_endpoint(address));
    } catch (const zmq::error_t& error) {
        return with_details(failure("{} with port {} is not an address to connect to.", address.host, address.port),
                            error.num());
    }
    return {};
}

} // namespace constela::cluster
