// SPDX-License-Identifier: GPL-3.0-or-later
//
// The architectures that Constela knows: one file each beside this one, in which its forward pass stands from top to
// bottom.
#pragma once

#include "engine/base/result.h"
#include "engine/model/config.h"
#include "engine/model/embedding.h"
#include "engine/model/shard.h"
#include "engine/model/weights.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace constela::model {

/// The shards of a model in the order of a token's way, and the angles of the blocks of each reach.
struct Parts {
    std::vector<std::unique_ptr<Shard>> shards;
    std::array<RopeConfig, kReaches> rope;
    /// Divisors of the frequencies, for blocks of both reaches; empty for none.
    VectorWeights rope_factors;
};

/// What the making of a model depends on beside its file.
struct Making {
    const std::string& file_name;
    const Config& config;
    Weights& weights;
    std::size_t context = 0; ///< Positions that will be in use; longrope chooses its factors by it.
};

using MakeParts = Result<Parts> (*)(const Making& making);

Result<Parts> make_llama(const Making& making);
Result<Parts> make_qwen2(const Making& making);
Result<Parts> make_qwen3(const Making& making);
Result<Parts> make_qwen3moe(const Making& making);
Result<Parts> make_gemma2(const Making& making);
Result<Parts> make_gemma3(const Making& making);
Result<Parts> make_phi3(const Making& making);

struct Architecture {
    std::string_view name; ///< As general.architecture says it.
    MakeParts make;
};

/// Null for one that is not known.
[[nodiscard]] const Architecture* find_architecture(std::string_view name);
/// "llama, qwen2, ..."
[[nodiscard]] std::string architecture_names();

/// Embedding, one block after the other, head: how every architecture so far is put together.
/// `make_block(i)` gives a Result of a block; its rope is the model's own for both reaches.
template <class MakeBlock>
[[nodiscard]] Result<Parts> chain(const Making& making, Result<std::unique_ptr<Shard>> embedding,
                                  const MakeBlock& make_block)
{
    Parts parts;
    CONSTELA_ASSIGN(auto first, std::move(embedding));
    parts.shards.push_back(std::move(first));
    for (std::size_t i = 0; i < making.config.blocks; ++i) {
        CONSTELA_ASSIGN(auto block, make_block(i));
        parts.shards.push_back(std::move(block));
    }
    CONSTELA_ASSIGN(auto head, make_head(making.config, making.weights));
    parts.shards.push_back(std::move(head));
    parts.rope.fill(making.config.rope);
    return parts;
}

} // namespace constela::model
