// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/cpu/product_rate.h"

#include "engine/device/cpu/timed_passes.h"

#include <chrono>

namespace constela::device {

namespace {

/// Long enough for the threads' beginning and ending not to count, short enough that some passes are left alone by
/// whatever else runs.
constexpr auto kPass = std::chrono::milliseconds(4);

std::size_t rounds_of_a_pass(const kernels::KernelSet& kernels)
{
    using Clock = std::chrono::steady_clock;
    constexpr std::size_t kMost = std::size_t{1} << 40U;
    for (std::size_t rounds = 1024;; rounds *= 2) {
        const auto begin = Clock::now();
        static_cast<void>(kernels.multiply_peak(rounds));
        if (Clock::now() - begin >= kPass || rounds >= kMost) {
            return rounds;
        }
    }
}

} // namespace

double measured_int8_rate(const kernels::KernelSet& kernels, unsigned threads, const std::atomic<bool>* abort)
{
    if (kernels.multiply_peak == nullptr) {
        return 0;
    }
    const std::size_t rounds = rounds_of_a_pass(kernels);
    std::atomic<std::size_t> threads_given{1};
    std::atomic<std::size_t> products{0}; // of one thread in one pass
    const double seconds = fastest_pass(
        threads, [&](const Place& place) { threads_given = place.threads; },
        [&](const Place&) { products = kernels.multiply_peak(rounds); }, abort);
    return seconds > 0 ? 2.0 * static_cast<double>(products * threads_given) / seconds : 0;
}

} // namespace constela::device
