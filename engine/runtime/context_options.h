// SPDX-License-Identifier: GPL-3.0-or-later
//
// How much a model is to hold in mind, and what that takes.
#pragma once

#include "engine/model/model.h"
#include "kernels/kernels.h"

#include <cstddef>
#include <cstdint>

namespace constela::runtime {

using SequenceId = std::uint32_t;

struct ContextOptions {
    std::size_t context = 0;   ///< Positions that one sequence may have.
    std::size_t positions = 0; ///< Positions of all sequences together; at least `context`. 0: `context`.
    std::size_t sequences = 1; ///< How many sequences are expected at once; sizes what windows keep.
    kernels::KvType kv_type = kernels::KvType::f16;
    std::size_t max_batch = 512; ///< Tokens of a step.
    std::size_t page_positions = 64;
};

/// A run of shards, by their place in model::Model::shards().
struct ShardRange {
    std::size_t first = 0;
    std::size_t count = 0;

    [[nodiscard]] std::size_t end() const { return first + count; }
    [[nodiscard]] bool has(std::size_t shard) const { return shard >= first && shard < end(); }
};
[[nodiscard]] inline ShardRange all_shards(const model::Model& model)
{
    return {0, model.shards().size()};
}

/// Bytes that a run of shards takes beside its weights.
struct ContextMemory {
    std::size_t kv = 0;
    std::size_t workspace = 0;
};
[[nodiscard]] ContextMemory context_memory(const model::Model& model, const ContextOptions& options, ShardRange shards);
[[nodiscard]] inline ContextMemory context_memory(const model::Model& model, const ContextOptions& options)
{
    return context_memory(model, options, all_shards(model));
}

} // namespace constela::runtime
