// SPDX-License-Identifier: GPL-3.0-or-later
//
// The CPU and its RAM as a device: the kernels of one set, their work split over a pool of threads.
#pragma once

#include "engine/base/result.h"
#include "engine/device/backend.h"

#include <memory>
#include <string_view>

namespace constela::device {

/// The set of this name, or the best one where it is empty. Fails where this machine does not permit it, or where there
/// is none of this name.
[[nodiscard]] Result<const kernels::KernelSet*> choose_kernels(std::string_view name);

/// threads: at least 1. The kernel set must be permitted on this machine. Fails where the system does not allow so many
/// threads.
[[nodiscard]] Result<std::unique_ptr<Backend>> make_cpu_backend(const kernels::KernelSet& kernels, unsigned threads);

} // namespace constela::device
