// SPDX-License-Identifier: GPL-3.0-or-later
//
// Why a node that is seen, or whose address was typed, cannot be connected to: from what is known to one sentence that
// says what is likely and what to do.
//
// Threads: any; a plain function.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/discovery/interfaces.h"
#include "engine/cluster/messages.h"
#include "engine/cluster/node_id.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace constela::cluster::discovery {

/// How the last try to connect by TCP ended.
enum class ConnectOutcome : std::uint8_t {
    refused,     ///< ECONNREFUSED
    timed_out,   ///< No answer at all.
    no_route,    ///< EHOSTUNREACH, ENETUNREACH
    forbidden,   ///< EACCES, EPERM: of this machine's own firewall.
    cut_off,     ///< It was accepted, then closed before the handshake was over.
    silent,      ///< It was accepted, then nothing came.
    not_trusted, ///< The handshake was refused: the other one does not have our key.
    other_key,   ///< Somebody else than this node answers there.
};

struct ConnectFacts {
    std::string name; ///< How a person knows the node; empty: by its address alone.
    Address address;  ///< Where it was tried.
    ConnectOutcome outcome = ConnectOutcome::timed_out;
    bool beacon_heard = false; ///< In the last seconds.
    std::uint16_t discovery_port = 0;
    std::optional<std::uint32_t> protocol; ///< That it tells; ours is kProtocol.
};

/// `interfaces`: those of this machine.
[[nodiscard]] Error diagnose(const ConnectFacts& facts, std::span<const Interface> interfaces);

} // namespace constela::cluster::discovery
