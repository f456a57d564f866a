// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a person may say when a node is started.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace constela::node {

struct DeviceChoice {
    std::uint64_t memory = 0; ///< Bytes that it may take; 0: what the machine has.
    unsigned threads = 0;     ///< 0: the machine's cores, shared among the devices.
};

/// Ports that a node takes by default: this one for the control plane, the next for pairing and for weights, those
/// after for its devices.
inline constexpr std::uint16_t kControlPort = 7717;
inline constexpr std::uint16_t kDiscoveryPort = 7716;

struct ClusterNodeOptions {
    std::string name;                  ///< Empty: the machine's own.
    std::filesystem::path state;       ///< Empty: the user's own.
    std::string address = "0.0.0.0";   ///< Where it listens.
    std::uint16_t port = kControlPort; ///< 0: free ones for everything.
    std::uint16_t discovery_port = kDiscoveryPort;
    std::vector<std::filesystem::path> model_folders;
    std::vector<DeviceChoice> devices; ///< None: one CPU.
};

} // namespace constela::node
