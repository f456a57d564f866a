// SPDX-License-Identifier: GPL-3.0-or-later
//
// How fast this machine multiplies int8: the limit of processing a prompt.
#pragma once

#include "kernels/kernels.h"

#include <atomic>

namespace constela::device {

/// int8 operations a second (a product and its addition are two) that `threads` threads (at least one) do together with
/// the instructions that these kernels multiply with, as long as nothing else is to be done; the best of many passes.
/// Takes about half a second. 0 where the kernels multiply no int8. Soon after `abort` has become true it returns what
/// it has so far, or 0.
[[nodiscard]] double measured_int8_rate(const kernels::KernelSet& kernels, unsigned threads,
                                        const std::atomic<bool>* abort = nullptr);

} // namespace constela::device
