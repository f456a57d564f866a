// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether a text is a numeric IP address. Addresses of other nodes must be: a name would have to be looked up, which
// tells others about it and can take as long as it likes.
#pragma once

#include <string_view>

namespace constela::cluster {

/// "192.168.1.7" (four decimal numbers without leading zeros); "fe80::1", "::ffff:10.0.0.1", "fe80::1%eth0" (RFC 4291,
/// section 2.2; RFC 4007, section 11). Threads: any.
[[nodiscard]] bool is_numeric_host(std::string_view host);

} // namespace constela::cluster
