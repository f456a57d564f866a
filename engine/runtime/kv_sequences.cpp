// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/kv_sequences.h"

#include <algorithm>

namespace constela::runtime {

namespace {

using model::kReaches;
using model::Reach;

/// Positions that a window keeps beyond what it needs, so that a conversation can go back a little without being
/// computed again.
constexpr std::size_t kWindowSlack = 512;

} // namespace

/// Each sequence may leave its last page partly filled.
std::size_t pool_pages(const model::Config& config, const ContextOptions& options, Reach reach)
{
    std::size_t positions = std::max(options.positions, options.context);
    if (reach == Reach::window && config.window > 0) {
        const std::size_t each = config.window + kWindowSlack + options.max_batch;
        positions = std::min(positions, each * options.sequences + options.max_batch);
    }
    return (positions + options.page_positions - 1) / options.page_positions + 2 * options.sequences;
}

KvSequences::KvSequences(const model::Config& config, const ContextOptions& options)
    : window_(config.window),
      page_positions_(options.page_positions), pools_{PagePool(pool_pages(config, options, Reach::full)),
                                                      PagePool(pool_pages(config, options, Reach::window))}
{
}

void KvSequences::open(SequenceId sequence)
{
    sequences_.emplace(sequence, Sequence{0,
                                          {PageTable(page_positions_, 0),
                                           PageTable(page_positions_, window_ == 0 ? 0 : window_ + kWindowSlack)}});
}

void KvSequences::close(SequenceId sequence)
{
    Sequence& found = sequences_.at(sequence);
    for (std::size_t reach = 0; reach < kReaches; ++reach) {
        found.tables[reach].clear(pools_[reach]);
    }
    sequences_.erase(sequence);
}

void KvSequences::close_all()
{
    while (!sequences_.empty()) {
        close(sequences_.begin()->first);
    }
}

bool KvSequences::can_continue_at(SequenceId sequence, std::size_t length) const
{
    const Sequence& found = sequences_.at(sequence);
    const PageTable& windowed = found.tables[static_cast<std::size_t>(Reach::window)];
    const std::size_t seen = window_ == 0 || length + 1 <= window_ ? 0 : length + 1 - window_;
    return length <= found.length && windowed.first() <= seen;
}

void KvSequences::truncate(SequenceId sequence, std::size_t length)
{
    Sequence& found = sequences_.at(sequence);
    for (std::size_t reach = 0; reach < kReaches; ++reach) {
        found.tables[reach].truncate(pools_[reach], length);
    }
    found.length = length;
}

void KvSequences::fork(SequenceId sequence, SequenceId from, std::size_t length)
{
    open(sequence);
    Sequence& copy = sequences_.at(sequence);
    const Sequence& original = sequences_.at(from);
    for (std::size_t reach = 0; reach < kReaches; ++reach) {
        copy.tables[reach].share(pools_[reach], original.tables[reach], length);
    }
    copy.length = length;
}

bool KvSequences::fits(std::span<const Growth> growths) const
{
    for (std::size_t reach = 0; reach < kReaches; ++reach) {
        std::size_t needed = 0;
        for (const Growth& growth : growths) {
            const Sequence& sequence = sequences_.at(growth.sequence);
            needed +=
                sequence.tables[reach].pages_needed(pools_[reach], sequence.length, sequence.length + growth.tokens);
        }
        if (needed > pools_[reach].available()) {
            return false;
        }
    }
    return true;
}

KvSequences::Copies KvSequences::reserve(std::span<const Growth> growths)
{
    Copies copies;
    for (const Growth& growth : growths) {
        Sequence& sequence = sequences_.at(growth.sequence);
        for (std::size_t reach = 0; reach < kReaches; ++reach) {
            const auto copy =
                sequence.tables[reach].reserve(pools_[reach], sequence.length, sequence.length + growth.tokens);
            if (copy) {
                copies[reach].push_back(*copy);
            }
        }
    }
    return copies;
}

void KvSequences::advance(std::span<const Growth> growths)
{
    for (const Growth& growth : growths) {
        Sequence& sequence = sequences_.at(growth.sequence);
        sequence.length += growth.tokens;
        for (std::size_t reach = 0; reach < kReaches; ++reach) {
            sequence.tables[reach].forget_before(pools_[reach], sequence.length);
        }
    }
}

} // namespace constela::runtime
