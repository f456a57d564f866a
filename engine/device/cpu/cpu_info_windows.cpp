// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/cpu/cpu_info.h"

#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <vector>

namespace constela::device {

namespace {

std::uint64_t ticks(const FILETIME& time)
{
    return (std::uint64_t{time.dwHighDateTime} << 32U) | time.dwLowDateTime;
}

std::vector<SYSTEM_LOGICAL_PROCESSOR_INFORMATION> processor_parts()
{
    DWORD bytes = 0;
    GetLogicalProcessorInformation(nullptr, &bytes);
    std::vector<SYSTEM_LOGICAL_PROCESSOR_INFORMATION> parts(bytes / sizeof(SYSTEM_LOGICAL_PROCESSOR_INFORMATION));
    if (parts.empty() || GetLogicalProcessorInformation(parts.data(), &bytes) == 0) {
        return {};
    }
    return parts;
}

/// Those with a thread that this process may use.
unsigned physical_cores(ULONG_PTR allowed)
{
    const auto parts = processor_parts();
    const auto cores =
        std::count_if(parts.begin(), parts.end(), [allowed](const SYSTEM_LOGICAL_PROCESSOR_INFORMATION& part) {
            return part.Relationship == RelationProcessorCore && (part.ProcessorMask & allowed) != 0;
        });
    return static_cast<unsigned>(std::max<std::ptrdiff_t>(cores, 1));
}

} // namespace

CpuInfo cpu_info(const std::filesystem::path& /*root*/, std::span<const unsigned> /*allowed*/)
{
    DWORD_PTR allowed = 0;
    DWORD_PTR all = 0;
    if (GetProcessAffinityMask(GetCurrentProcess(), &allowed, &all) == 0 || allowed == 0) {
        allowed = 1;
    }
    const auto threads = static_cast<unsigned>(std::bitset<64>(allowed).count());
    const std::string name = readable_cpu_name(cpuid_brand());
    return {name.empty() ? "CPU" : name, std::min(physical_cores(allowed), threads), threads};
}

std::uint64_t last_level_cache_bytes(const std::filesystem::path& /*root*/)
{
    std::array<std::uint64_t, 256> levels{};
    for (const SYSTEM_LOGICAL_PROCESSOR_INFORMATION& part : processor_parts()) {
        if (part.Relationship == RelationCache) {
            levels[part.Cache.Level] += part.Cache.Size;
        }
    }
    const auto last = std::find_if(levels.rbegin(), levels.rend(), [](std::uint64_t bytes) { return bytes > 0; });
    return last == levels.rend() ? 0 : *last;
}

MemoryInfo memory_info(const std::filesystem::path& /*root*/)
{
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof(status);
    MemoryInfo info;
    if (GlobalMemoryStatusEx(&status) == 0) {
        info.available = Measured::none(Measured::State::failed, "Windows does not tell how much memory is free");
        return info;
    }
    info.total = status.ullTotalPhys;
    info.available = Measured::of(static_cast<double>(status.ullAvailPhys));
    return info;
}

Measured cpu_temperature(const std::filesystem::path& /*root*/)
{
    return Measured::none(Measured::State::unsupported, "Windows gives programs no temperature of the processor");
}

Measured CpuLoadMeter::read()
{
    FILETIME idle{};
    FILETIME kernel{};
    FILETIME user{};
    if (GetSystemTimes(&idle, &kernel, &user) == 0) {
        return Measured::none(Measured::State::failed, "Windows does not tell how busy the processor is");
    }
    const std::uint64_t all = ticks(kernel) + ticks(user); // the kernel's time holds the idle time
    const std::uint64_t busy = all - std::min(all, ticks(idle));
    return share(busy, all);
}

} // namespace constela::device
