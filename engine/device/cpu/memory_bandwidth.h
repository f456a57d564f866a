// SPDX-License-Identifier: GPL-3.0-or-later
//
// How fast this machine reads its memory: the limit of generation, which reads every weight for every token.
#pragma once

#include <atomic>
#include <cstdint>

namespace constela::device {

/// Bytes a second that `threads` threads (at least one) read together from memory that no cache holds; the best of
/// several passes. Takes about half a second, and twice that where much memory has to be made ready first. 0 where
/// there is not the memory to measure with. Soon after `abort` has become true it returns what it has so far, or 0.
[[nodiscard]] double measured_read_bandwidth(unsigned threads, const std::atomic<bool>* abort = nullptr);

/// How much of it to read: four times the caches and at least 256 MB, but no more than a quarter of what is free
/// (0: not known). Bytes, a multiple of 4096.
[[nodiscard]] std::uint64_t bandwidth_buffer_bytes(std::uint64_t caches, std::uint64_t available);

} // namespace constela::device
