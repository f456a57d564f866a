// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/page_table.h"

#include <algorithm>

namespace constela::runtime {

std::size_t PageTable::pages_needed(const PagePool& pool, std::size_t length, std::size_t end) const
{
    const std::size_t wanted = (end + page_positions_ - 1) / page_positions_;
    const std::size_t further = wanted > pages_.size() ? wanted - pages_.size() : 0;
    return further + (end > length && writes_into_shared(pool, length) ? 1 : 0);
}

std::optional<PageCopy> PageTable::reserve(PagePool& pool, std::size_t length, std::size_t end)
{
    std::optional<PageCopy> copy;
    if (end > length && writes_into_shared(pool, length)) {
        device::PageId& page = pages_[length / page_positions_];
        copy = PageCopy{page, pool.take().value(), length % page_positions_};
        pool.release(page);
        page = copy->to;
    }
    while (pages_.size() * page_positions_ < end) {
        pages_.push_back(pool.take().value());
    }
    return copy;
}

void PageTable::truncate(PagePool& pool, std::size_t length)
{
    const std::size_t keep = (length + page_positions_ - 1) / page_positions_;
    while (pages_.size() > keep) {
        if (pages_.back() != device::kNoPage) {
            pool.release(pages_.back());
        }
        pages_.pop_back();
    }
    first_ = std::min(first_, length);
}

void PageTable::forget_before(PagePool& pool, std::size_t position)
{
    const std::size_t seen = seen_from(position);
    const std::size_t gone = std::min(seen / page_positions_, pages_.size());
    for (std::size_t page = first_ / page_positions_; page < gone; ++page) {
        pool.release(pages_[page]);
        pages_[page] = device::kNoPage;
    }
    first_ = std::max(first_, gone * page_positions_);
}

void PageTable::share(PagePool& pool, const PageTable& other, std::size_t length)
{
    const std::size_t pages = (length + page_positions_ - 1) / page_positions_;
    pages_.assign(other.pages_.begin(), other.pages_.begin() + static_cast<std::ptrdiff_t>(pages));
    first_ = other.first_;
    for (const device::PageId page : pages_) {
        if (page != device::kNoPage) {
            pool.share(page);
        }
    }
}

void PageTable::clear(PagePool& pool)
{
    for (const device::PageId page : pages_) {
        if (page != device::kNoPage) {
            pool.release(page);
        }
    }
    pages_.clear();
    first_ = 0;
}

} // namespace constela::runtime
