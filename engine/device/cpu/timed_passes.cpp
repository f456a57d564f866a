// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/cpu/timed_passes.h"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace constela::device {

namespace {

using Clock = std::chrono::steady_clock;
using Work = std::function<void(const Place&)>;

constexpr int kLeastPasses = 3;
constexpr auto kTime = std::chrono::milliseconds(400);

class TimedPasses {
public:
    TimedPasses(const Work& prepare, const Work& pass, const std::atomic<bool>* abort)
        : prepare_(prepare), pass_(pass), abort_(abort)
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
        TimedPasses* passes;
        void operator()() const noexcept { passes->note_pass(); }
    };

    void work(std::size_t thread)
    {
        const Place place{thread, threads_};
        prepare_(place);
        barrier_->arrive_and_wait();
        while (!done_) {
            pass_(place);
            barrier_->arrive_and_wait();
        }
    }

    void note_pass() noexcept
    {
        const Clock::time_point now = Clock::now();
        if (passes_ == 0) {
            began_ = now; // all is prepared
        } else {
            const double seconds = std::chrono::duration<double>(now - last_).count();
            fastest_ = passes_ == 1 ? seconds : std::min(fastest_, seconds);
            done_ = passes_ >= kLeastPasses && now - began_ >= kTime;
        }
        done_ = done_ || (abort_ != nullptr && abort_->load(std::memory_order_relaxed));
        ++passes_;
        last_ = now;
    }

    const Work& prepare_;
    const Work& pass_;
    const std::atomic<bool>* abort_;
    std::size_t threads_ = 1;
    std::atomic<bool> begin_{false};
    std::optional<std::barrier<PassEnd>> barrier_;

    // Written between two passes only.
    bool done_ = false;
    int passes_ = 0;
    double fastest_ = 0;
    Clock::time_point began_;
    Clock::time_point last_;
};

} // namespace

double fastest_pass(unsigned threads, const Work& prepare, const Work& pass, const std::atomic<bool>* abort)
{
    TimedPasses passes(prepare, pass, abort);
    return passes.run(std::max(threads, 1U));
}

} // namespace constela::device
