// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time and chance as the control plane knows them: through interfaces, so that a test can run thousands of clusters in
// virtual time from one seed and replay any failure exactly.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

namespace constela::cluster {

/// Time since a beginning of the clock's own. It never goes back and knows nothing of the time of day.
using Time = std::chrono::nanoseconds;

/// Threads: any.
class Clock {
public:
    virtual ~Clock() = default;
    Clock() = default;
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;
    [[nodiscard]] virtual Time now() const = 0;
};

/// Random bytes; those of the real one are fit for keys. Threads: one.
class Chance {
public:
    virtual ~Chance() = default;
    Chance() = default;
    Chance(const Chance&) = delete;
    Chance& operator=(const Chance&) = delete;
    virtual void fill(std::span<std::byte> bytes) = 0;
    [[nodiscard]] std::uint64_t number()
    {
        std::uint64_t value = 0;
        fill(std::as_writable_bytes(std::span(&value, 1)));
        return value;
    }
};

/// The system's monotonic clock.
class SteadyClock final : public Clock {
public:
    [[nodiscard]] Time now() const override { return std::chrono::steady_clock::now().time_since_epoch(); }
};

} // namespace constela::cluster
