// SPDX-License-Identifier: GPL-3.0-or-later
//
// How often beacons are sent, taken and answered. No input, no output, the time is given: testable in virtual time.
//
// Threads: one each. All three hold a fixed amount of memory, whatever arrives.
#pragma once

#include "engine/cluster/discovery/ip_address.h"
#include "engine/cluster/node_id.h"
#include "engine/cluster/time.h"

#include <array>
#include <cstdint>

namespace constela::cluster::discovery {

/// When to announce: at once, 200 and 500 ms after a beginning, and each second from there.
class Rhythm {
public:
    static constexpr Time kInterval = std::chrono::seconds(1);

    void begin(Time now)
    {
        next_ = now;
        sent_ = 0;
    }
    /// True once for each moment that has come; moments that were missed are not made up for.
    [[nodiscard]] bool due(Time now);
    [[nodiscard]] Time next() const { return next_; }

private:
    Time next_{0};
    unsigned sent_ = 0;
};

/// A bucket that fills with `per_second` tokens a second up to `most`.
class TokenBucket {
public:
    [[nodiscard]] bool take(Time now, double per_second, double most);
    void fill(Time now, double tokens)
    {
        tokens_ = tokens;
        filled_ = now;
    }

private:
    double tokens_ = 0;
    Time filled_{0};
};

/// So many beacons of one source address are looked at, and no more. Sources share a fixed number of places: one that
/// comes newly into a place begins afresh, so that nobody can use up another one's share.
class SourceLimit {
public:
    static constexpr double kPerSecond = 100; // a machine with 16 nodes sends some 50
    static constexpr double kMost = 200;

    /// `key`: random, so that nobody outside knows which sources share a place.
    explicit SourceLimit(std::uint64_t key) : key_(key) {}
    [[nodiscard]] bool admit(const IpAddress& source, Time now);

private:
    struct Place {
        std::uint64_t source = 0;
        TokenBucket bucket;
    };
    std::uint64_t key_;
    std::array<Place, 256> places_{};
};

/// Whom to answer: who was not heard from for a while, at most some twenty a second in all. So a stranger who forges
/// the sender's address makes nobody else's trouble worth speaking of, an answer being no longer than what it answers.
class AnswerLimit {
public:
    static constexpr Time kForget = std::chrono::seconds(10);
    static constexpr double kPerSecond = 20;
    static constexpr double kMost = 40;

    explicit AnswerLimit(std::uint64_t key) : key_(key) { all_.fill(Time(0), kMost); }
    [[nodiscard]] bool admit(const NodeId& node, const IpAddress& source, Time now);

private:
    struct Place {
        std::uint64_t who = 0;
        Time last{0};
    };
    std::uint64_t key_;
    TokenBucket all_;
    std::array<Place, 256> places_{}; // more than are answered in kForget
};

} // namespace constela::cluster::discovery
