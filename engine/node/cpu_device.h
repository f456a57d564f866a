// SPDX-License-Identifier: GPL-3.0-or-later
//
// The CPU and its RAM, as a device that people look at.
#pragma once

#include "engine/device/cpu/cpu_info.h"
#include "engine/node/node.h"

#include <string>

namespace constela::node {

/// Threads: one.
class CpuDevice {
public:
    explicit CpuDevice(const std::string& node_name);

    /// Takes all readings anew.
    [[nodiscard]] DeviceSnapshot read();
    /// Bytes that are free; without end where the system does not tell, since nothing can be foreseen then.
    [[nodiscard]] static std::uint64_t memory_available();

    [[nodiscard]] const std::string& id() const { return fixed_.id; }

private:
    DeviceSnapshot fixed_;
    device::CpuLoadMeter load_;
};

/// The name of this machine, as its network knows it.
[[nodiscard]] std::string machine_name();

} // namespace constela::node
