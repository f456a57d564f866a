// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/cpu/memory_bandwidth.h"

#include "engine/device/cpu/cpu_info.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace constela::device {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kUsualBytes = std::uint64_t{256} << 20U;
constexpr int kLeastPasses = 3;
constexpr auto kTime = std::chrono::milliseconds(400);

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

/// Threads that read their own parts of a buffer again and again, all beginning each pass together.
class Readers {
public:
    Readers(std::uint64_t* words, std::size_t count, const std::atomic<bool>* abort)
        : words_(words), count_(count), abort_(abort)
    {
    }

    /// Seconds of the fastest pass.
    double run(unsigned threads)
    {
        std::vector<std::thread> helpers;
        helpers.reserve(threads - 1);
        try {
            while (helpers.size() + 1 < threads) {
                helpers.emplace_back([this, thread = helpers.size() + 1] {
                    begin_.wait(false);
                    work(thread);
                });
            }
        } catch (const std::system_error&) {
            // The system gives no more threads; these have to do.
        }
        threads_ = helpers.size() + 1;
        barrier_.emplace(static_cast<std::ptrdiff_t>(threads_), PassEnd{this});
        begin_ = true;
        begin_.notify_all();
        work(0);
        for (std::thread& helper : helpers) {
            helper.join();
        }
        return fastest_;
    }

private:
    /// Called by the last thread to arrive, while the others wait.
    struct PassEnd {
        Readers* readers;
        void operator()() const noexcept { readers->note_pass(); }
    };

    void work(std::size_t thread)
    {
        constexpr std::size_t kWords = kPage / sizeof(std::uint64_t);
        const std::size_t pages = count_ / kWords;
        const std::size_t first = pages * thread / threads_ * kWords;
        const std::size_t last = pages * (thread + 1) / threads_ * kWords;
        // Written by the thread that will read it, so that it lies in memory near it.
        std::fill(words_ + first, words_ + last, thread);
        barrier_->arrive_and_wait();
        while (!done_) {
            total_.fetch_add(sum(words_ + first, last - first), std::memory_order_relaxed);
            barrier_->arrive_and_wait();
        }
    }

    void note_pass() noexcept
    {
        const Clock::time_point now = Clock::now();
        if (passes_ == 0) {
            began_ = now; // all is written
        } else {
            const double seconds = std::chrono::duration<double>(now - last_).count();
            fastest_ = passes_ == 1 ? seconds : std::min(fastest_, seconds);
            done_ = passes_ >= kLeastPasses && now - began_ >= kTime;
        }
        done_ = done_ || (abort_ != nullptr && abort_->load(std::memory_order_relaxed));
        ++passes_;
        last_ = now;
    }

    std::uint64_t* words_;
    std::size_t count_;
    const std::atomic<bool>* abort_;
    std::size_t threads_ = 1;
    std::atomic<bool> begin_{false};
    std::optional<std::barrier<PassEnd>> barrier_;
    std::atomic<std::uint64_t> total_{0}; ///< Keeps the reads from being left out.

    // Written between two passes only.
    bool done_ = false;
    int passes_ = 0;
    double fastest_ = 0;
    Clock::time_point began_;
    Clock::time_point last_;
};

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
    Readers readers(buffer.get(), words, abort);
    const double seconds = readers.run(std::max(threads, 1U));
    return seconds > 0 ? static_cast<double>(words * sizeof(std::uint64_t)) / seconds : 0;
}

} // namespace constela::device
