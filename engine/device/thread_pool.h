// SPDX-License-Identifier: GPL-3.0-or-later
//
// Threads that work through one loop at a time. The caller works too, so a pool of one thread has no helpers.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace constela::device {

/// Threads: for_each() is called by one thread at a time (the device's own); set_abort() by any.
class ThreadPool {
public:
    using Body = std::function<void(std::size_t begin, std::size_t end, unsigned thread)>;

    /// Throws std::system_error where the system does not allow so many threads.
    explicit ThreadPool(unsigned threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(workers_.size()) + 1; }

    /// Calls body for pieces of [0, count) of at most `chunk` items and returns when all are done. Pieces are handed
    /// out as threads become free, so which thread does which is chance: a result must not depend on it. While `abort`
    /// is set, pieces not yet begun are skipped.
    void for_each(std::size_t count, std::size_t chunk, const Body& body);

    /// The flag that makes for_each() skip what is left; null: none. It must outlive its use.
    void set_abort(const std::atomic<bool>* abort) { abort_.store(abort, std::memory_order_release); }
    [[nodiscard]] bool aborted() const
    {
        const std::atomic<bool>* flag = abort_.load(std::memory_order_acquire);
        return flag != nullptr && flag->load(std::memory_order_relaxed);
    }

private:
    void stop();
    void work(unsigned thread);
    void run_pieces(unsigned thread);

    int spins_; ///< How often a waiting thread looks before it sleeps.
    std::vector<std::thread> workers_;
    std::atomic<const std::atomic<bool>*> abort_{nullptr};

    // The loop in hand. Written before generation_ is raised, read after.
    const Body* body_ = nullptr;
    std::size_t count_ = 0;
    std::size_t chunk_ = 1;
    std::atomic<std::size_t> next_{0};
    std::atomic<unsigned> busy_{0};
    std::atomic<std::uint32_t> generation_{0};
    std::atomic<bool> stopping_{false};
};

} // namespace constela::device
