// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/cpu/memory_bandwidth.h"

#include "engine/device/cpu/cpu_info.h"
#include "engine/device/cpu/timed_passes.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <span>

namespace constela::device {

namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kUsualBytes = std::uint64_t{256} << 20U;

/// Reads all. Several sums, so that no addition waits for another; compilers make wide loads of it.
std::uint64_t sum(const std::uint64_t* words, std::size_t count)
{
    constexpr std::size_t kSums = 16;
    std::array<std::uint64_t, kSums> sums{};
    for (std::size_t i = 0; i + kSums <= count; i += kSums) {
        for (std::size_t j = 0; j < kSums; ++j) {
            sums[j] += words[i + j];
        }
    }
    std::uint64_t all = 0;
    for (const std::uint64_t one : sums) {
        all += one;
    }
    return all;
}

} // namespace

std::uint64_t bandwidth_buffer_bytes(std::uint64_t caches, std::uint64_t available)
{
    constexpr std::uint64_t kMost = std::uint64_t{1} << 36U; // no processor has so much cache
    std::uint64_t bytes = std::max(kUsualBytes, 4 * std::min(caches, kMost / 4));
    if (available != 0) {
        bytes = std::min(bytes, available / 4);
    }
    return bytes / kPage * kPage;
}

double measured_read_bandwidth(unsigned threads, const std::atomic<bool>* abort)
{
    const Measured available = memory_info().available;
    const std::uint64_t free = available.state == Measured::State::ok ? static_cast<std::uint64_t>(available.value) : 0;
    const auto words =
        static_cast<std::size_t>(bandwidth_buffer_bytes(last_level_cache_bytes(), free) / sizeof(std::uint64_t));
    const std::unique_ptr<std::uint64_t[]> buffer(new (std::nothrow) std::uint64_t[words]);
    if (buffer == nullptr || words == 0) {
        return 0;
    }
    std::atomic<std::uint64_t> total{0}; // keeps the reads from being left out
    const auto part = [&](const Place& place) {
        constexpr std::size_t kWords = kPage / sizeof(std::uint64_t);
        const std::size_t pages = words / kWords;
        const std::size_t first = pages * place.thread / place.threads * kWords;
        return std::span(buffer.get() + first, pages * (place.thread + 1) / place.threads * kWords - first);
    };
    // Written by the thread that will read it, so that it lies in memory near it.
    const auto write = [&](const Place& place) { std::ranges::fill(part(place), place.thread); };
    const auto read = [&](const Place& place) {
        total.fetch_add(sum(part(place).data(), part(place).size()), std::memory_order_relaxed);
    };
    const double seconds = fastest_pass(threads, write, read, abort);
    return seconds > 0 ? static_cast<double>(words * sizeof(std::uint64_t)) / seconds : 0;
}

} // namespace constela::device
