// SPDX-License-Identifier: GPL-3.0-or-later
//
// What both byte-pair encodings do: merge the neighbours that go first until none are left. Time n log n.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace constela::text {

/// A token's id or another number by which an encoding knows a part of a text.
using Symbol = std::uint32_t;

class MergeQueue {
public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    /// Places are 32-bit numbers; whoever has more bytes has to cut them.
    static constexpr std::size_t kMaxBytes = std::size_t{1} << 30U;

    struct Pair {
        std::uint32_t rank = kNone; ///< Lower goes first; kNone: these two do not merge.
        Symbol result = kNone;
    };
    struct Part {
        std::uint32_t begin = 0;
        std::uint32_t length = 0;
        Symbol symbol = kNone;
        std::uint32_t previous = kNone;
        std::uint32_t next = kNone;
        Pair pair; ///< With the next part.
    };

    void clear()
    {
        parts_.clear();
        first_.clear();
        later_.clear();
    }
    /// Adds a part behind the last one.
    void add(Symbol symbol, std::size_t length)
    {
        Part part;
        part.symbol = symbol;
        part.length = static_cast<std::uint32_t>(length);
        if (!parts_.empty()) {
            const auto previous = static_cast<std::uint32_t>(parts_.size() - 1);
            part.begin = parts_.back().begin + parts_.back().length;
            part.previous = previous;
            parts_.back().next = previous + 1;
        }
        parts_.push_back(part);
    }

    /// `pair_of(left, right)` gives the Pair of two neighbouring parts.
    template <class PairOf>
    void merge(const PairOf& pair_of)
    {
        for (std::uint32_t place = 0; place + 1 < parts_.size(); ++place) {
            Part& part = parts_[place];
            part.pair = pair_of(part, parts_[place + 1]);
            if (part.pair.rank != kNone) {
                first_.push_back(key(place));
            }
        }
        std::sort(first_.begin(), first_.end());
        std::size_t done = 0;
        while (done < first_.size() || !later_.empty()) {
            std::uint64_t next = 0;
            if (later_.empty() || (done < first_.size() && first_[done] < later_.front())) {
                next = first_[done++];
            } else {
                std::pop_heap(later_.begin(), later_.end(), std::greater<>());
                next = later_.back();
                later_.pop_back();
            }
            const auto place = static_cast<std::uint32_t>(next);
            // What was queued may have changed meanwhile; then it was queued anew, if it still merges.
            if (parts_[place].pair.rank == static_cast<std::uint32_t>(next >> 32U)) {
                join(place, pair_of);
            }
        }
    }

    /// Calls `use(part)` for each that is left.
    template <class Use>
    void for_each(const Use& use) const
    {
        for (std::uint32_t place = parts_.empty() ? kNone : 0; place != kNone; place = parts_[place].next) {
            use(parts_[place]);
        }
    }

private:
    /// Sorts by rank, then from left to right.
    [[nodiscard]] std::uint64_t key(std::uint32_t place) const
    {
        return (std::uint64_t{parts_[place].pair.rank} << 32U) | place;
    }

    template <class PairOf>
    void join(std::uint32_t place, const PairOf& pair_of)
    {
        Part& left = parts_[place];
        Part& right = parts_[left.next];
        left.symbol = left.pair.result;
        left.length += right.length;
        left.next = right.next;
        left.pair = {};
        right.pair = {}; // It is gone: nothing that is queued for it counts.
        if (left.next != kNone) {
            parts_[left.next].previous = place;
            queue(place, pair_of);
        }
        if (left.previous != kNone) {
            queue(left.previous, pair_of);
        }
    }

    template <class PairOf>
    void queue(std::uint32_t place, const PairOf& pair_of)
    {
        Part& part = parts_[place];
        part.pair = pair_of(part, parts_[part.next]);
        if (part.pair.rank != kNone) {
            later_.push_back(key(place));
            std::push_heap(later_.begin(), later_.end(), std::greater<>());
        }
    }

    std::vector<Part> parts_;
    std::vector<std::uint64_t> first_; ///< The pairs of the beginning, sorted.
    std::vector<std::uint64_t> later_; ///< Those that came by merging, a heap.
};

} // namespace constela::text
