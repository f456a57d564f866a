// SPDX-License-Identifier: GPL-3.0-or-later
//
// What tells this machine from its copies.
// Threads: any. Errors: none; a machine may have no id.
#pragma once

#include <optional>
#include <string>

namespace constela::cluster {

/// The id that the system got when it was installed: /etc/machine-id (machine-id(5)), on Windows MachineGuid. It is to
/// be kept confidential, so only its hash is ever written (machine_mark()).
[[nodiscard]] std::optional<std::string> machine_id();

/// What a state folder keeps of a machine's id: a hash, 64 hexadecimal digits.
[[nodiscard]] std::string machine_mark(const std::string& id);

} // namespace constela::cluster
