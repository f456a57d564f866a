// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a CPU device keeps weights.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace constela::device {

/// `bytes` aligned to 64, uninitialised, in large pages where the system gives them: weights are read from end to end
/// for each token, and with small pages the processor spends a part of that time on looking up where they are. Throws
/// std::bad_alloc.
[[nodiscard]] std::shared_ptr<std::byte> allocate_weights(std::size_t bytes);

/// Reads a byte of every page, so that what is mapped from a file is in memory.
void read_once(std::span<const std::byte> data);

} // namespace constela::device
