// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/thread_pool.h"

#include <algorithm>

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#endif

namespace constela::device {

namespace {

/// The next loop of a step usually follows within microseconds, and waking a sleeping thread costs more than that.
constexpr int kSpins = 4000;

/// Where there are more threads than processors, one that looks takes the time of one that works.
int spins_for(unsigned threads)
{
    const unsigned processors = std::thread::hardware_concurrency();
    return processors != 0 && threads > processors ? 0 : kSpins;
}

void relax()
{
#if defined(__x86_64__) || defined(_M_X64)
    _mm_pause();
#endif
}

} // namespace

ThreadPool::ThreadPool(unsigned threads) : spins_(spins_for(threads))
{
    try {
        for (unsigned i = 1; i < std::max(threads, 1U); ++i) {
            workers_.emplace_back([this, i] { work(i); });
        }
    } catch (...) {
        stop();
        throw;
    }
}

ThreadPool::~ThreadPool()
{
    stop();
}

void ThreadPool::stop()
{
    stopping_.store(true, std::memory_order_relaxed);
    generation_.fetch_add(1, std::memory_order_release);
    generation_.notify_all();
    for (std::thread& worker : workers_) {
        worker.join();
    }
}

void ThreadPool::for_each(std::size_t count, std::size_t chunk, const Body& body)
{
    if (count == 0 || aborted()) {
        return;
    }
    body_ = &body;
    count_ = count;
    chunk_ = std::max<std::size_t>(chunk, 1);
    next_.store(0, std::memory_order_relaxed);
    if (workers_.empty() || count <= chunk_) {
        run_pieces(0);
        return;
    }
    busy_.store(static_cast<unsigned>(workers_.size()), std::memory_order_relaxed);
    generation_.fetch_add(1, std::memory_order_release);
    generation_.notify_all();
    run_pieces(0);
    for (int spins = 0;; ++spins) {
        const unsigned busy = busy_.load(std::memory_order_acquire);
        if (busy == 0) {
            return;
        }
        if (spins < spins_) {
            relax();
        } else {
            busy_.wait(busy, std::memory_order_acquire);
        }
    }
}

void ThreadPool::run_pieces(unsigned thread)
{
    while (!aborted()) {
        const std::size_t begin = next_.fetch_add(chunk_, std::memory_order_relaxed);
        if (begin >= count_) {
            return;
        }
        (*body_)(begin, std::min(begin + chunk_, count_), thread);
    }
}

void ThreadPool::work(unsigned thread)
{
    std::uint32_t seen = 0;
    while (true) {
        for (int spins = 0; generation_.load(std::memory_order_acquire) == seen; ++spins) {
            if (spins < spins_) {
                relax();
            } else {
                generation_.wait(seen, std::memory_order_acquire);
            }
        }
        // One step at a time: for_each() waits for every worker, so no generation can be missed.
        ++seen;
        if (stopping_.load(std::memory_order_relaxed)) {
            return;
        }
        run_pieces(thread);
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            busy_.notify_one();
        }
    }
}

} // namespace constela::device
