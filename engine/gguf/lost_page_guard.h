// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keeps the process alive when a mapped file is cut short or its disk fails: reading such a page raises SIGBUS
// (mmap(2)), whose default is death. The guard puts zero pages there instead and remembers that it did.
//
// The signal handler is process-wide: installed once, at the first guard, on top of whatever handler was there, to
// which it hands every fault that is not in a guarded range. POSIX only.
#pragma once

#include <cstddef>
#include <memory>

namespace constela::gguf {

/// Guards one mapping. Make it after mmap and destroy it before munmap.
class LostPageGuard {
public:
    /// Null when the handler cannot be installed or the table is full (4096 mappings at once).
    [[nodiscard]] static std::unique_ptr<LostPageGuard> guard(const void* begin, std::size_t bytes);

    ~LostPageGuard();
    LostPageGuard(const LostPageGuard&) = delete;
    LostPageGuard& operator=(const LostPageGuard&) = delete;

    /// Whether a page of the mapping was lost and now reads as zeros.
    [[nodiscard]] bool lost() const;

private:
    explicit LostPageGuard(std::size_t slot) : slot_(slot) {}

    std::size_t slot_;
};

} // namespace constela::gguf
