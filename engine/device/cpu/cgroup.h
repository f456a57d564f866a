// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the control groups of Linux leave to this process: a container's share of the machine. Both versions are read,
// and every group from the process's own up to the top, since each may set a limit.
// Sources: cgroups(7) and the kernel's documents cgroup-v2 and cgroup-v1/memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>

namespace constela::device {

/// How many CPUs' time the process may use; without end where nothing limits it.
[[nodiscard]] double cgroup_cpu_quota(const std::filesystem::path& root);

struct CgroupMemory {
    static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t limit = kNoLimit; ///< Bytes; the least of all groups.
    std::uint64_t left = kNoLimit;  ///< Bytes until a limit is met. Pages of files that can be let go count as free.
};
[[nodiscard]] CgroupMemory cgroup_memory(const std::filesystem::path& root);

} // namespace constela::device
