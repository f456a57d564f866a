// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pages of a KV cache, handed out and counted. A page may belong to several sequences that share a prefix; it is
// free again when the last of them lets go.
#pragma once

#include "engine/device/backend.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace constela::runtime {

/// Threads: one.
class PagePool {
public:
    explicit PagePool(std::size_t pages) : uses_(pages, 0)
    {
        free_.reserve(pages);
        for (std::size_t page = pages; page > 0; --page) {
            free_.push_back(static_cast<device::PageId>(page - 1));
        }
    }

    [[nodiscard]] std::size_t size() const { return uses_.size(); }
    [[nodiscard]] std::size_t available() const { return free_.size(); }

    /// A page with one user, or nothing when all are in use.
    [[nodiscard]] std::optional<device::PageId> take()
    {
        if (free_.empty()) {
            return std::nullopt;
        }
        const device::PageId page = free_.back();
        free_.pop_back();
        uses_[page] = 1;
        return page;
    }
    void share(device::PageId page) { ++uses_[page]; }
    void release(device::PageId page)
    {
        if (--uses_[page] == 0) {
            free_.push_back(page);
        }
    }
    [[nodiscard]] bool shared(device::PageId page) const { return uses_[page] > 1; }

private:
    std::vector<std::uint32_t> uses_;
    std::vector<device::PageId> free_;
};

} // namespace constela::runtime
