// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/cpu/cgroup.h"

#include "engine/device/cpu/system_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace constela::device {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestPath = 4096; // PATH_MAX of Linux

/// The folders of this process's group and of those above it, and the version of their files.
struct Groups {
    bool version2 = false;
    std::vector<fs::path> folders;
};

struct Place {
    bool version2 = false;
    std::string path; ///< From the top of the hierarchy; without the slash at its begin.
};

/// Reads /proc/self/cgroup, lines of "4:cpu,cpuacct:/some/where" (version 1) and one "0::/some/where" (version 2).
/// A controller that version 1 has is not one of version 2.
std::optional<Place> place_of(std::string_view text, std::string_view controller)
{
    std::optional<Place> place;
    while (!text.empty()) {
        const std::string_view line = first_line(text);
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string_view::npos ? first : line.find(":/", first + 1);
        if (second == std::string_view::npos) {
            continue;
        }
        const std::string_view names = line.substr(first + 1, second - first - 1);
        std::string path(line.substr(second + 2, kLongestPath));
        if (names.empty() && line.substr(0, first) == "0") {
            place = Place{true, std::move(path)};
        } else if (fmt::format(",{},", names).find(fmt::format(",{},", controller)) != std::string::npos) {
            return Place{false, std::move(path)};
        }
    }
    return place;
}

Groups groups_of(const fs::path& root, std::string_view controller)
{
    Groups groups;
    const SystemFile own(root / "proc/self/cgroup");
    const auto place = own.text ? place_of(*own.text, controller) : std::nullopt;
    if (!place || place->path.find('\0') != std::string::npos) {
        return groups;
    }
    groups.version2 = place->version2;
    fs::path folder = root / "sys/fs/cgroup";
    std::error_code ignored;
    if (!place->version2) {
        folder /= controller;
    } else if (!fs::exists(folder / "cgroup.controllers", ignored)) {
        folder /= "unified"; // where systemd mounts version 2 beside version 1
    }
    groups.folders.push_back(folder);
    const fs::path relative = fs::path(place->path).lexically_normal();
    if (std::find(relative.begin(), relative.end(), "..") != relative.end()) {
        return groups; // a group outside of what this process sees; what it sees as the top counts then
    }
    // A container often sees its own group as the top although its path is told as the host sees it; what does not
    // exist sets no limit.
    for (const fs::path& part : relative) {
        if (!part.empty() && part != ".") {
            folder /= part;
            groups.folders.push_back(folder);
        }
    }
    return groups;
}

std::optional<double> number_in(const fs::path& path)
{
    const SystemFile file(path);
    return file.text ? leading_number<double>(*file.text) : std::nullopt;
}

double quota_of(const fs::path& folder, bool version2)
{
    std::optional<double> quota;
    std::optional<double> period;
    if (version2) {
        const SystemFile file(folder / "cpu.max"); // "200000 100000", or "max 100000"
        if (file.text) {
            const std::string_view line = first_line(*file.text);
            quota = leading_number<double>(line);
            const std::size_t blank = line.find(' ');
            period = blank == std::string_view::npos ? std::nullopt : leading_number<double>(line.substr(blank));
        }
    } else {
        quota = number_in(folder / "cpu.cfs_quota_us"); // -1: none
        period = number_in(folder / "cpu.cfs_period_us");
    }
    const bool limited = quota && period && *quota > 0 && *period > 0;
    return limited ? *quota / *period : std::numeric_limits<double>::infinity();
}

CgroupMemory memory_of(const fs::path& folder, bool version2)
{
    CgroupMemory memory;
    const SystemFile limit(folder / (version2 ? "memory.max" : "memory.limit_in_bytes"));
    const auto bytes = limit.text ? leading_number<std::uint64_t>(*limit.text) : std::nullopt; // "max" is no number
    if (!bytes || *bytes == 0) {
        return memory; // nobody could live with 0
    }
    memory.limit = *bytes;
    const SystemFile usage(folder / (version2 ? "memory.current" : "memory.usage_in_bytes"));
    std::uint64_t used = usage.text ? leading_number<std::uint64_t>(*usage.text).value_or(0) : 0;
    const SystemFile statistics(folder / "memory.stat");
    if (statistics.text) {
        const auto cache = after_key(*statistics.text, version2 ? "inactive_file " : "total_inactive_file ");
        used -= std::min(used, cache ? leading_number<std::uint64_t>(*cache).value_or(0) : 0);
    }
    memory.left = memory.limit - std::min(memory.limit, used);
    return memory;
}

} // namespace

double cgroup_cpu_quota(const fs::path& root)
{
    double least = std::numeric_limits<double>::infinity();
    const Groups groups = groups_of(root, "cpu");
    for (const fs::path& folder : groups.folders) {
        least = std::min(least, quota_of(folder, groups.version2));
    }
    return least;
}

CgroupMemory cgroup_memory(const fs::path& root)
{
    CgroupMemory least;
    const Groups groups = groups_of(root, "memory");
    for (const fs::path& folder : groups.folders) {
        const CgroupMemory memory = memory_of(folder, groups.version2);
        least.limit = std::min(least.limit, memory.limit);
        least.left = std::min(least.left, memory.left);
    }
    return least;
}

} // namespace constela::device
