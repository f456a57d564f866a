// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/links/memory_link.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

namespace constela::cluster {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBuffer = std::size_t{64} << 20U; // more than the caches of most machines
constexpr std::size_t kCopy = std::size_t{4} << 20U;
constexpr std::size_t kRoundTrips = 200;
constexpr std::size_t kWarmUp = 20;

double seconds(Clock::duration time)
{
    return std::chrono::duration<double>(time).count();
}

/// A message handed back and forth between two threads that wait for it.
class HandOver {
public:
    Summary run()
    {
        std::thread other([this] {
            for (std::size_t i = 0; i < kWarmUp + kRoundTrips; ++i) {
                take(1);
                give(0);
            }
        });
        std::vector<double> samples;
        for (std::size_t i = 0; i < kWarmUp + kRoundTrips; ++i) {
            const Clock::time_point begin = Clock::now();
            give(1);
            take(0);
            if (i >= kWarmUp) {
                samples.push_back(seconds(Clock::now() - begin) / 2);
            }
        }
        other.join();
        return summary_of(std::move(samples));
    }

private:
    void give(int to)
    {
        {
            const std::lock_guard lock(mutex_);
            std::memcpy(shared_.data(), own_[static_cast<std::size_t>(to)].data(), shared_.size());
            turn_ = to;
        }
        changed_.notify_one();
    }
    void take(int own)
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return turn_ == own; });
        std::memcpy(own_[static_cast<std::size_t>(own)].data(), shared_.data(), shared_.size());
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    int turn_ = 0;
    std::array<std::byte, 2048> shared_{};
    std::array<std::array<std::byte, 2048>, 2> own_{};
};

Summary copy_rate()
{
    const std::vector<std::byte> from(kBuffer, std::byte{1});
    std::vector<std::byte> to(kBuffer, std::byte{2});
    std::vector<double> samples;
    for (int pass = 0; pass < 2; ++pass) {
        samples.clear();
        for (std::size_t offset = 0; offset + kCopy <= kBuffer; offset += kCopy) {
            const Clock::time_point begin = Clock::now();
            std::memcpy(to.data() + offset, from.data() + offset, kCopy);
            samples.push_back(static_cast<double>(kCopy) / std::max(seconds(Clock::now() - begin), 1e-9));
        }
    }
    return summary_of(std::move(samples));
}

} // namespace

MemoryLink measure_memory_link()
{
    return {HandOver().run(), copy_rate()};
}

LinkMeasurement measurement(const MemoryLink& link, const NodeId& node, std::chrono::system_clock::time_point when)
{
    LinkMeasurement result;
    result.from = node;
    result.to = node;
    result.kind = LinkKind::process;
    result.latency_us = link.latency.median * 1e6;
    result.latency_spread_us = (link.latency.high - link.latency.low) * 1e6;
    result.bandwidth_bytes_per_s = link.bandwidth.median;
    result.spread = link.bandwidth.spread();
    result.when = when;
    result.transport = "same process";
    return result;
}

} // namespace constela::cluster
