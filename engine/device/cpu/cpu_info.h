// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the system tells about the CPU and its RAM. Every reading may be missing; none is made up.
//
// `root` is where the system's files are; tests put their own there. Windows has no such files and ignores it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace constela::device {

/// A value, or the reason in words why there is none.
struct Measured {
    enum class State : std::uint8_t { ok, unsupported, denied, failed };
    State state = State::unsupported;
    double value = 0;
    std::string reason;

    [[nodiscard]] static Measured of(double value) { return {State::ok, value, {}}; }
    [[nodiscard]] static Measured none(State state, std::string reason) { return {state, 0, std::move(reason)}; }
};

struct CpuInfo {
    std::string name;            ///< As people know it: "AMD EPYC 9B45".
    unsigned physical_cores = 1; ///< Of those that this process may use; at least 1, at most usable_threads.
    unsigned usable_threads = 1; ///< By the process's affinity and its cgroups' quota, rounded up.
};

/// `allowed`: the logical CPUs that count, where not those of the process's own affinity are asked for.
[[nodiscard]] CpuInfo cpu_info(const std::filesystem::path& root = "/", std::span<const unsigned> allowed = {});

/// Bytes of all last-level caches together; 0 where the system does not tell.
[[nodiscard]] std::uint64_t last_level_cache_bytes(const std::filesystem::path& root = "/");

struct MemoryInfo {
    std::uint64_t total = 0; ///< Bytes; the machine's, or what a container is allowed, whichever is less.
    Measured available;      ///< Bytes that may be taken without pushing others out.
};
[[nodiscard]] MemoryInfo memory_info(const std::filesystem::path& root = "/");

/// Degrees Celsius; of several processors the hottest.
[[nodiscard]] Measured cpu_temperature(const std::filesystem::path& root = "/");

/// The share of its time, 0 to 1, that the whole machine's processor was busy since the last reading. Threads: one.
class CpuLoadMeter {
public:
    explicit CpuLoadMeter(std::filesystem::path root = "/") : root_(std::move(root)) {}

    /// The first reading only remembers where the clocks stand, and fails, saying so.
    [[nodiscard]] Measured read();

private:
    /// Of the time since the last call. Both count any unit of time since the system's start.
    [[nodiscard]] Measured share(std::uint64_t busy, std::uint64_t all);

    std::filesystem::path root_;
    bool begun_ = false;
    std::uint64_t busy_ = 0;
    std::uint64_t all_ = 0;
    std::optional<double> last_;
};

/// Without trade marks, clock rate, number of cores and needless blanks: "Intel Xeon Platinum 8480+".
[[nodiscard]] std::string readable_cpu_name(std::string_view name);
/// What the processor itself says that it is called; empty where it does not.
[[nodiscard]] std::string cpuid_brand();

} // namespace constela::device
