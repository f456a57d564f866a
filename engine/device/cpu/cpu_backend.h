// SPDX-License-Identifier: GPL-3.0-or-later
//
// The CPU and its RAM as a device: the kernels of one set, their work split over a pool of threads.
#pragma once

#include "engine/device/backend.h"

namespace constela::device {

/// threads: at least 1. The kernel set must be permitted on this machine.
[[nodiscard]] std::unique_ptr<Backend> make_cpu_backend(const kernels::KernelSet& kernels, unsigned threads);

} // namespace constela::device
