// SPDX-License-Identifier: GPL-3.0-or-later
//
// Page tables against a plain model of them: a memory of marks that says who wrote what. Long random lives of several
// sequences, each replayed from its seed.
#include "engine/runtime/page_table.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <vector>

namespace constela::runtime {
namespace {

struct Life {
    std::size_t page_positions;
    std::size_t window; ///< 0: none.
    std::uint32_t seed;
};

/// What a KV cache would hold: a mark for each position of each page.
class Memory {
public:
    Memory(std::size_t pages, std::size_t page_positions)
        : page_positions_(page_positions), marks_(pages * page_positions)
    {
    }
    int& at(const PageTable& table, std::size_t position)
    {
        const device::PageId page = table.pages()[position / page_positions_];
        EXPECT_NE(page, device::kNoPage) << "position " << position << " has no page";
        return marks_.at(page * page_positions_ + position % page_positions_);
    }
    void copy(const PageCopy& copy)
    {
        std::copy_n(marks_.begin() + static_cast<std::ptrdiff_t>(copy.from * page_positions_), copy.positions,
                    marks_.begin() + static_cast<std::ptrdiff_t>(copy.to * page_positions_));
    }

private:
    std::size_t page_positions_;
    std::vector<int> marks_;
};

class Lives : public testing::TestWithParam<Life> {
protected:
    static constexpr std::size_t kPages = 24;

    struct Sequence {
        PageTable table;
        std::vector<int> written; ///< The mark of each position.
    };

    [[nodiscard]] std::size_t below(std::size_t end) { return random_() % end; }
    [[nodiscard]] Sequence& any() { return *sequences_.at(below(sequences_.size())); }
    /// Positions that a token at `position` may read.
    [[nodiscard]] std::size_t seen_from(std::size_t position) const
    {
        return life_.window == 0 || position + 1 <= life_.window ? 0 : position + 1 - life_.window;
    }

    void open()
    {
        sequences_.push_back(std::make_unique<Sequence>(Sequence{{life_.page_positions, life_.window}, {}}));
    }
    void append(Sequence& sequence)
    {
        const std::size_t length = sequence.written.size();
        const std::size_t end = length + 1 + below(2 * life_.page_positions);
        const std::size_t needed = sequence.table.pages_needed(pool_, length, end);
        if (needed > pool_.available()) {
            return;
        }
        const std::size_t before = pool_.available();
        if (const auto copy = sequence.table.reserve(pool_, length, end)) {
            memory_.copy(*copy);
        }
        ASSERT_LE(before - pool_.available(), needed);
        for (std::size_t position = length; position < end; ++position) {
            memory_.at(sequence.table, position) = ++mark_;
            sequence.written.push_back(mark_);
        }
    }
    void forget(Sequence& sequence) { sequence.table.forget_before(pool_, sequence.written.size()); }
    void truncate(Sequence& sequence)
    {
        const std::size_t length = below(sequence.written.size() + 1);
        if (sequence.table.first() <= seen_from(length)) { // what a token there reads is still held
            sequence.table.truncate(pool_, length);
            sequence.written.resize(length);
        }
    }
    void fork(const Sequence& from)
    {
        const std::size_t length = below(from.written.size() + 1);
        if (from.table.first() <= seen_from(length)) {
            open();
            sequences_.back()->table.share(pool_, from.table, length);
            sequences_.back()->written.assign(from.written.begin(),
                                              from.written.begin() + static_cast<std::ptrdiff_t>(length));
        }
    }
    void close()
    {
        const std::size_t place = below(sequences_.size());
        sequences_[place]->table.clear(pool_);
        sequences_.erase(sequences_.begin() + static_cast<std::ptrdiff_t>(place));
    }

    /// Every sequence reads what it wrote, and each page is counted as often as tables hold it.
    void check()
    {
        std::map<device::PageId, std::size_t> uses;
        for (const auto& sequence : sequences_) {
            const std::size_t length = sequence->written.size();
            for (std::size_t position = seen_from(length); position < length; ++position) {
                ASSERT_EQ(memory_.at(sequence->table, position), sequence->written[position]);
            }
            for (const device::PageId page : sequence->table.pages()) {
                if (page != device::kNoPage) {
                    ++uses[page];
                }
            }
        }
        ASSERT_EQ(pool_.size() - pool_.available(), uses.size());
        for (const auto& [page, count] : uses) {
            ASSERT_EQ(pool_.shared(page), count > 1);
        }
    }

    Life life_ = GetParam();
    std::mt19937 random_{life_.seed};
    PagePool pool_{kPages};
    Memory memory_{kPages, life_.page_positions};
    std::vector<std::unique_ptr<Sequence>> sequences_;
    int mark_ = 0;
};

TEST_P(Lives, NobodyReadsWhatAnotherWrote)
{
    for (int step = 0; step < 4000; ++step) {
        if (sequences_.empty()) {
            open();
        }
        switch (below(12)) {
        case 0: open(); break;
        case 1: fork(any()); break;
        case 2: truncate(any()); break;
        case 3: close(); break;
        case 4:
        case 5: forget(any()); break;
        default: append(any()); break;
        }
        ASSERT_NO_FATAL_FAILURE(check()) << "step " << step;
        if (sequences_.size() > 8) {
            close();
        }
    }
    while (!sequences_.empty()) {
        close();
    }
    EXPECT_EQ(pool_.available(), kPages) << "pages were lost";
}

std::vector<Life> lives()
{
    std::vector<Life> all;
    for (const std::size_t page : {1U, 4U, 16U}) {
        for (const std::size_t window : {0U, 1U, 5U, 33U}) {
            for (std::uint32_t seed = 1; seed <= 3; ++seed) {
                all.push_back({page, window, seed});
            }
        }
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Random, Lives, testing::ValuesIn(lives()), [](const auto& life) {
    return "page" + std::to_string(life.param.page_positions) + "_window" + std::to_string(life.param.window) +
           "_seed" + std::to_string(life.param.seed);
});

TEST(PagePool, TakesWhatThereIsAndNoMore)
{
    PagePool pool(2);
    const auto first = pool.take();
    const auto second = pool.take();
    ASSERT_TRUE(first && second);
    EXPECT_NE(*first, *second);
    EXPECT_FALSE(pool.take());
    pool.share(*first);
    pool.release(*first);
    EXPECT_EQ(pool.available(), 0U);
    pool.release(*first);
    EXPECT_EQ(pool.available(), 1U);
    EXPECT_EQ(pool.take(), first);
}

} // namespace
} // namespace constela::runtime
