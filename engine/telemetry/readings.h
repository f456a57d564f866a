// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is known of a device at one moment. Plain values: they travel to the window and to other nodes.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace constela::telemetry {

/// A reading is a value with its time, or the reason why there is none; never a made-up 0.
struct Reading {
    enum class State { ok, unsupported, denied, failed };
    State state = State::unsupported;
    double value = 0;
    std::chrono::system_clock::time_point when{};
    std::string reason;
};

struct DeviceSnapshot {
    std::string id;      ///< "studio/cpu0"
    std::string name;    ///< "AMD EPYC 9B45"
    std::string kind;    ///< "cpu", "cuda"
    std::string backend; ///< The kernel set in use: "avx2"
    std::uint32_t threads = 0;
    std::uint64_t memory_total = 0; ///< Bytes; of a device that was given a limit, the limit.
    Reading memory_free;            ///< Bytes.
    Reading load;                   ///< 0 to 1.
    Reading temperature;            ///< Degrees Celsius.
};

} // namespace constela::telemetry
