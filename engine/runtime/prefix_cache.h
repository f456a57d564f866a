// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sequences of answers that have ended, kept for the next prompt that begins with the same tokens: a conversation
// grows by a message at a time, and what came before need not be computed again.
#pragma once

#include "engine/runtime/executor.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace constela::runtime {

/// Threads: one, the executor's.
class PrefixCache {
public:
    explicit PrefixCache(Executor& executor) : executor_(executor) {}
    PrefixCache(const PrefixCache&) = delete;
    PrefixCache& operator=(const PrefixCache&) = delete;
    ~PrefixCache() { clear(); }

    /// Takes a sequence over, with the tokens that it holds.
    void keep(SequenceId sequence, std::span<const std::int32_t> tokens);

    /// A new sequence that holds the longest prefix of `prompt` to be found here, at most all but its last token;
    /// none where nothing worth the while is shared.
    [[nodiscard]] std::optional<SequenceId> take(std::span<const std::int32_t> prompt);

    /// Gives up what was used longest ago; false where nothing is kept.
    bool evict();
    void clear();

private:
    struct Kept {
        SequenceId sequence = 0;
        std::vector<std::int32_t> tokens;
        std::uint64_t used = 0; ///< By the counter below.
    };

    Executor& executor_;
    std::vector<Kept> kept_;
    std::uint64_t counter_ = 0;
};

/// How many tokens two rows have in common from the start.
[[nodiscard]] std::size_t common_prefix(std::span<const std::int32_t> a, std::span<const std::int32_t> b);

} // namespace constela::runtime
