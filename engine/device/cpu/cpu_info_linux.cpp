// SPDX-License-Identifier: GPL-3.0-or-later
//
// /proc and /sys, as proc(5) and the kernel's document sysfs-devices-system-cpu describe them.
#include "engine/device/cpu/cgroup.h"
#include "engine/device/cpu/cpu_info.h"
#include "engine/device/cpu/system_file.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <sched.h>
#include <set>
#include <vector>

namespace constela::device {

namespace {

namespace fs = std::filesystem;
using State = Measured::State;

std::vector<unsigned> allowed_cpus()
{
    struct Free {
        void operator()(cpu_set_t* set) const { CPU_FREE(set); }
    };
    std::vector<unsigned> cpus;
    // The kernel says EINVAL where the machine may have more CPUs than the set can hold.
    for (unsigned room = CPU_SETSIZE; room <= 1U << 20U; room *= 2) {
        const std::unique_ptr<cpu_set_t, Free> set(CPU_ALLOC(room));
        const std::size_t size = CPU_ALLOC_SIZE(room);
        if (set == nullptr) {
            break;
        }
        if (sched_getaffinity(0, size, set.get()) == 0) {
            for (unsigned cpu = 0; cpu < room; ++cpu) {
                if (CPU_ISSET_S(cpu, size, set.get())) {
                    cpus.push_back(cpu);
                }
            }
            break;
        }
        if (errno != EINVAL) {
            break;
        }
    }
    if (cpus.empty()) {
        cpus.push_back(0);
    }
    return cpus;
}

fs::path folder_of(const fs::path& root, unsigned cpu)
{
    return root / fmt::format("sys/devices/system/cpu/cpu{}", cpu);
}

/// Those that share a core have the same list of siblings.
std::size_t physical_cores(const fs::path& root, std::span<const unsigned> cpus)
{
    std::set<std::string> cores;
    for (const unsigned cpu : cpus) {
        std::string core = fmt::format("cpu{}", cpu);
        for (const char* name : {"core_cpus_list", "thread_siblings_list"}) { // the newer name and the older one
            const SystemFile siblings(folder_of(root, cpu) / "topology" / name);
            if (siblings.text && leading_number<unsigned>(*siblings.text)) {
                core = first_line(*siblings.text);
                break;
            }
        }
        cores.insert(core);
    }
    return cores.size();
}

/// "32768K"
std::uint64_t cache_size(std::string_view text)
{
    const auto number = leading_number<std::uint64_t>(text);
    if (!number || *number > std::uint64_t{1} << 30U) {
        return 0;
    }
    const std::string_view line = first_line(text);
    const std::size_t unit = line.find_first_of("KMG");
    const unsigned shift = unit == std::string_view::npos ? 0U
                           : line[unit] == 'K'            ? 10U
                           : line[unit] == 'M'            ? 20U
                                                          : 30U;
    return *number << shift;
}

std::string cpu_name(const fs::path& root)
{
    const SystemFile file(root / "proc/cpuinfo");
    const auto found = file.text ? after_key(*file.text, "model name") : std::nullopt;
    const std::size_t colon = found ? found->find(':') : std::string_view::npos;
    std::string name = colon == std::string_view::npos ? "" : readable_cpu_name(found->substr(colon + 1));
    if (name.empty() || name == "unknown") {
        name = readable_cpu_name(cpuid_brand());
    }
    return name.empty() ? "CPU" : name;
}

/// "MemTotal:       24683584 kB", in bytes.
std::optional<std::uint64_t> meminfo(std::string_view text, std::string_view key)
{
    const auto value = after_key(text, key);
    const auto kilobytes = value ? leading_number<std::uint64_t>(*value) : std::nullopt;
    return kilobytes && *kilobytes <= std::numeric_limits<std::uint64_t>::max() / 1024
               ? std::optional(*kilobytes * 1024)
               : std::nullopt;
}

} // namespace

CpuInfo cpu_info(const fs::path& root, std::span<const unsigned> allowed)
{
    std::vector<unsigned> own;
    if (allowed.empty()) {
        own = allowed_cpus();
        allowed = own;
    }
    const double quota = std::max(1.0, std::ceil(cgroup_cpu_quota(root)));
    const auto within = [quota](std::size_t count) {
        return static_cast<unsigned>(std::min(quota, static_cast<double>(count)));
    };
    return {cpu_name(root), within(physical_cores(root, allowed)), within(allowed.size())};
}

std::uint64_t last_level_cache_bytes(const fs::path& root)
{
    struct Level {
        std::set<std::string> seen; ///< Who shares each of its caches.
        std::uint64_t bytes = 0;
    };
    std::map<unsigned, Level> levels;
    for (const unsigned cpu : allowed_cpus()) {
        for (const fs::path& cache : children(folder_of(root, cpu) / "cache")) {
            const SystemFile level(cache / "level");
            const SystemFile size(cache / "size");
            const SystemFile sharers(cache / "shared_cpu_list");
            const auto number = level.text ? leading_number<unsigned>(*level.text) : std::nullopt;
            if (number && size.text && sharers.text) {
                Level& entry = levels[*number];
                if (entry.seen.insert(*sharers.text).second) {
                    entry.bytes += std::min(cache_size(*size.text), std::uint64_t{1} << 40U);
                }
            }
        }
    }
    return levels.empty() ? 0 : levels.rbegin()->second.bytes;
}

MemoryInfo memory_info(const fs::path& root)
{
    MemoryInfo info;
    const SystemFile file(root / "proc/meminfo");
    const auto total = file.text ? meminfo(*file.text, "MemTotal:") : std::nullopt;
    const auto available = file.text ? meminfo(*file.text, "MemAvailable:") : std::nullopt;
    const CgroupMemory group = cgroup_memory(root);
    if (total) {
        info.total = std::min(*total, group.limit);
    }
    if (!total || !available) {
        info.available =
            Measured::none(file.state(), "the system does not tell how much memory is free (/proc/meminfo)");
        return info;
    }
    info.available = Measured::of(static_cast<double>(std::min({*available, group.left, info.total})));
    return info;
}

Measured CpuLoadMeter::read()
{
    const SystemFile file(root_ / "proc/stat");
    const auto line = file.text ? after_key(*file.text, "cpu ") : std::nullopt;
    if (!line) {
        return Measured::none(file.state(), "the system does not tell how busy it is (/proc/stat)");
    }
    // user nice system idle iowait irq softirq steal; what follows is counted in user and nice already
    constexpr int kIdle = 3;
    constexpr int kWaiting = 4;
    std::uint64_t all = 0;
    std::uint64_t idle = 0;
    std::string_view rest = *line;
    for (int field = 0; field < 8; ++field) {
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        const auto ticks = leading_number<std::uint64_t>(rest);
        if (field <= kIdle && !ticks) {
            return Measured::none(State::failed,
                                  "what the system tells about how busy it is makes no sense (/proc/stat)");
        }
        // Taken below 2^56, so that no sum runs over.
        const std::uint64_t counted = ticks.value_or(0) & ((std::uint64_t{1} << 56U) - 1);
        all += counted;
        idle += field == kIdle || field == kWaiting ? counted : 0;
        rest.remove_prefix(std::min(rest.find(' '), rest.size()));
    }
    return share(all - idle, all);
}

} // namespace constela::device
