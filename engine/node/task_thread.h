// SPDX-License-Identifier: GPL-3.0-or-later
//
// A thread that does one task after the other.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace constela::node {

/// Threads: add() may be called from any.
class TaskThread {
public:
    TaskThread() : thread_([this] { run(); }) {}
    /// Waits for the task in hand; those that have not begun are dropped.
    ~TaskThread();
    TaskThread(const TaskThread&) = delete;
    TaskThread& operator=(const TaskThread&) = delete;

    void add(std::function<void()> task);

private:
    void run();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> tasks_;
    bool stopping_ = false;
    std::thread thread_; // last: it uses the others
};

} // namespace constela::node
