// SPDX-License-Identifier: GPL-3.0-or-later
//
// Memory handed out piece by piece and taken back all at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace constela::device {

class Arena {
public:
    struct Mark {
        std::size_t block = 0;
        std::size_t used = 0;
    };

    /// `bytes` aligned to 64, uninitialised.
    [[nodiscard]] std::byte* take(std::size_t bytes)
    {
        bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
        while (at_.block < blocks_.size() && at_.used + bytes > blocks_[at_.block].size) {
            at_ = {at_.block + 1, 0};
        }
        if (at_.block == blocks_.size()) {
            // As large as all others together, so that few are outgrown. What is never touched takes no memory.
            blocks_.emplace_back(std::max({bytes, kSmallest, size()}));
        }
        std::byte* piece = blocks_[at_.block].memory.get() + at_.used;
        at_.used += bytes;
        return piece;
    }

    [[nodiscard]] Mark mark() const { return at_; }
    /// Takes back what was handed out after the mark.
    void release(Mark mark) { at_ = mark; }

    /// Takes everything back. What several blocks had to serve will fit one the next time.
    void reset()
    {
        if (blocks_.size() > 1) {
            const std::size_t total = size();
            blocks_.clear();
            blocks_.emplace_back(total);
        }
        at_ = {};
    }

private:
    static constexpr std::size_t kAlignment = 64;
    static constexpr std::size_t kSmallest = std::size_t{1} << 20U;

    struct Free {
        void operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t{kAlignment}); }
    };
    struct Block {
        explicit Block(std::size_t bytes)
            : memory(static_cast<std::byte*>(::operator new[](bytes, std::align_val_t{kAlignment}))), size(bytes)
        {
        }
        std::unique_ptr<std::byte[], Free> memory;
        std::size_t size;
    };

    [[nodiscard]] std::size_t size() const
    {
        std::size_t total = 0;
        for (const Block& block : blocks_) {
            total += block.size;
        }
        return total;
    }

    std::vector<Block> blocks_;
    Mark at_;
};

} // namespace constela::device
