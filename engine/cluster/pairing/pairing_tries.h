// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counts tries to pair that came to nothing, and locks after three. A node has one, for the pairings that it asks for
// and those that it is asked for: each try gives a middleman one chance in a million, so tries must be few.
//
// Threads: one. Errors: check().
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/time.h"

namespace constela::cluster {

class PairingTries {
public:
    static constexpr int kMost = 3;
    static constexpr Time kLockFor = std::chrono::minutes(1);

    explicit PairingTries(const Clock& clock) : clock_(&clock) {}

    void wrong()
    {
        if (++count_ >= kMost) {
            count_ = 0;
            locked_until_ = clock_->now() + kLockFor;
        }
    }
    void right() { count_ = 0; }
    /// Zero when it is not locked.
    [[nodiscard]] Time locked_for() const
    {
        const Time now = clock_->now();
        return now < locked_until_ ? locked_until_ - now : Time::zero();
    }
    /// A sentence while it is locked.
    [[nodiscard]] Result<> check() const
    {
        const Time locked = locked_for();
        if (locked == Time::zero()) {
            return {};
        }
        return failure("Pairing is locked here for another {} s, since {} tries failed. Wait, then try again.",
                       std::int64_t{std::chrono::ceil<std::chrono::seconds>(locked).count()}, kMost);
    }

private:
    const Clock* clock_;
    int count_ = 0;
    Time locked_until_ = Time::min();
};

} // namespace constela::cluster
