// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which pages of a KV cache belong to which sequence: the book-keeping of one stage, without the pages themselves. It
// depends on the options and on what was done with it, in order, and on nothing else; so a coordinator that keeps a
// second one knows what the books of its stages say.
#pragma once

#include "engine/model/config.h"
#include "engine/model/shard.h"
#include "engine/runtime/context_options.h"
#include "engine/runtime/page_table.h"

#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace constela::runtime {

/// So many tokens are to be appended to a sequence.
struct Growth {
    SequenceId sequence = 0;
    std::size_t tokens = 0;
};

/// Threads: one.
class KvSequences {
public:
    KvSequences(const model::Config& config, const ContextOptions& options);

    [[nodiscard]] bool has(SequenceId sequence) const { return sequences_.count(sequence) > 0; }
    [[nodiscard]] std::size_t count() const { return sequences_.size(); }
    /// `sequence` must not be open yet.
    void open(SequenceId sequence);
    void close(SequenceId sequence);
    void close_all();
    [[nodiscard]] std::size_t length(SequenceId sequence) const { return sequences_.at(sequence).length; }
    /// Whether the sequence can be cut to, or forked at, `length` positions: false once a window has moved on too far.
    [[nodiscard]] bool can_continue_at(SequenceId sequence, std::size_t length) const;
    void truncate(SequenceId sequence, std::size_t length);
    /// Opens `sequence`, which shares the first `length` positions of `from`.
    void fork(SequenceId sequence, SequenceId from, std::size_t length);

    /// Whether there are pages for all of it at once.
    [[nodiscard]] bool fits(std::span<const Growth> growths) const;
    /// Pages that are to be copied before the step, by reach.
    using Copies = std::array<std::vector<PageCopy>, model::kReaches>;
    /// Makes room for what fits() has found to fit.
    [[nodiscard]] Copies reserve(std::span<const Growth> growths);
    /// What was reserved is filled now.
    void advance(std::span<const Growth> growths);

    [[nodiscard]] std::span<const device::PageId> pages(SequenceId sequence, model::Reach reach) const
    {
        return sequences_.at(sequence).tables[static_cast<std::size_t>(reach)].pages();
    }

private:
    struct Sequence {
        std::size_t length = 0;
        std::array<PageTable, model::kReaches> tables;
    };

    std::size_t window_;
    std::size_t page_positions_;
    std::array<PagePool, model::kReaches> pools_;
    std::map<SequenceId, Sequence> sequences_;
};

/// Pages that the blocks of one reach have.
[[nodiscard]] std::size_t pool_pages(const model::Config& config, const ContextOptions& options, model::Reach reach);

} // namespace constela::runtime
