// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/discovery/pace.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace constela::cluster::discovery {

namespace {

/// The finalizer of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t mix(std::uint64_t value)
{
    value += 0x9E3779B97F4A7C15U;
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
    return value ^ (value >> 31U);
}

template <class Byte>
std::uint64_t hash(std::uint64_t key, std::span<const Byte> bytes)
{
    for (const Byte byte : bytes) {
        key = mix(key ^ static_cast<std::uint64_t>(byte));
    }
    return key;
}

std::uint64_t hash(std::uint64_t key, const IpAddress& address)
{
    key = hash(mix(key ^ (address.v6 ? 6U : 4U)), std::span<const std::uint8_t>(address.bytes));
    return hash(key, std::span<const char>(address.zone));
}

} // namespace

bool Rhythm::due(Time now)
{
    if (now < next_) {
        return false;
    }
    constexpr std::array<std::chrono::milliseconds, 2> kFirst{std::chrono::milliseconds(200),
                                                              std::chrono::milliseconds(300)};
    next_ = now + (sent_ < kFirst.size() ? Time(kFirst.at(sent_)) : kInterval);
    ++sent_;
    return true;
}

bool TokenBucket::take(Time now, double per_second, double most)
{
    const double seconds = std::chrono::duration<double>(now - filled_).count();
    tokens_ = std::min(most, tokens_ + std::max(0.0, seconds) * per_second);
    filled_ = now;
    if (tokens_ < 1) {
        return false;
    }
    tokens_ -= 1;
    return true;
}

bool SourceLimit::admit(const IpAddress& source, Time now)
{
    const std::uint64_t who = hash(key_, source);
    Place& place = places_.at(who % places_.size());
    if (place.source != who) {
        place.source = who;
        place.bucket.fill(now, kMost);
    }
    return place.bucket.take(now, kPerSecond, kMost);
}

bool AnswerLimit::admit(const NodeId& node, const IpAddress& source, Time now)
{
    const std::uint64_t who = hash(hash(key_, source), std::span<const std::byte>(node.bytes));
    Place* oldest = &places_.front();
    for (Place& place : places_) {
        if (place.who == who && now - place.last < kForget) {
            place.last = now;
            return false;
        }
        if (place.who == 0 || place.last < oldest->last) {
            oldest = &place;
        }
    }
    if (!all_.take(now, kPerSecond, kMost)) {
        return false;
    }
    *oldest = {who, now};
    return true;
}

} // namespace constela::cluster::discovery
