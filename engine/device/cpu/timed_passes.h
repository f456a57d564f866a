// SPDX-License-Identifier: GPL-3.0-or-later
//
// Threads that do the same piece of work again and again, all beginning each pass together, to find out how fast they
// can: the best pass is the one that nothing else on the machine disturbed.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace constela::device {

/// One of the threads, counted from 0.
struct Place {
    std::size_t thread = 0;
    std::size_t threads = 1; ///< How many there are: fewer than asked for where the system gives no more.
};

/// Seconds of the fastest of the passes of 0.4 seconds (at least three), each of `threads` threads (at least one) that
/// call `pass`; before them, each calls `prepare` once. Soon after `abort` has become true it returns what it has so
/// far, or 0.
[[nodiscard]] double fastest_pass(unsigned threads, const std::function<void(const Place&)>& prepare,
                                  const std::function<void(const Place&)>& pass, const std::atomic<bool>* abort);

} // namespace constela::device
