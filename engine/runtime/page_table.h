// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which page holds which positions of one sequence, for the blocks of one reach. Blocks that see only a window need
// only the newest positions; the table lets the pages before go.
#pragma once

#include "engine/runtime/page_pool.h"

#include <span>
#include <vector>

namespace constela::runtime {

/// A page that must be copied before it is written, since others read it.
struct PageCopy {
    device::PageId from = 0;
    device::PageId to = 0;
    std::size_t positions = 0; ///< From the page's start.
};

/// Threads: one. Every table must be cleared before its pool goes.
class PageTable {
public:
    /// window: positions that a token sees, itself included; 0: all.
    PageTable(std::size_t page_positions, std::size_t window) : page_positions_(page_positions), window_(window) {}

    [[nodiscard]] std::span<const device::PageId> pages() const { return pages_; }
    /// Positions below this one are gone.
    [[nodiscard]] std::size_t first() const { return first_; }

    /// How many pages reserve(length, end) would take from the pool.
    [[nodiscard]] std::size_t pages_needed(const PagePool& pool, std::size_t length, std::size_t end) const;
    /// Makes room for positions [length, end), of which [first(), length) are written already. The pool must have
    /// pages_needed() pages. A partly filled page that others share is replaced; its copy is to be made before writing.
    [[nodiscard]] std::optional<PageCopy> reserve(PagePool& pool, std::size_t length, std::size_t end);

    /// Lets go of what lies beyond `length`.
    void truncate(PagePool& pool, std::size_t length);
    /// Lets go of pages that no token at `position` or later sees.
    void forget_before(PagePool& pool, std::size_t position);
    /// Becomes a second user of what `other` holds below `length`. This table must be empty.
    void share(PagePool& pool, const PageTable& other, std::size_t length);
    void clear(PagePool& pool);

private:
    [[nodiscard]] std::size_t seen_from(std::size_t position) const
    {
        return window_ == 0 || position + 1 <= window_ ? 0 : position + 1 - window_;
    }
    [[nodiscard]] bool writes_into_shared(const PagePool& pool, std::size_t length) const
    {
        const std::size_t page = length / page_positions_;
        return length % page_positions_ != 0 && page < pages_.size() && pages_[page] != device::kNoPage &&
               pool.shared(pages_[page]);
    }

    std::size_t page_positions_;
    std::size_t window_;
    std::size_t first_ = 0;
    std::vector<device::PageId> pages_;
};

} // namespace constela::runtime
