// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the blocks of the architectures hold. How they use it stands in each architecture's own file.
#pragma once

#include "engine/model/attention.h"
#include "engine/model/shard.h"
#include "engine/model/weights.h"

#include <fmt/format.h>

namespace constela::model {

/// Attention and a second layer (FeedForward or Experts), each with the norm of its input.
template <class Layer>
struct BlockLayers {
    VectorWeights attention_norm;
    Attention attention;
    VectorWeights layer_norm;
    Layer layer;

    [[nodiscard]] static Result<BlockLayers> load(const Config& config, Weights& weights, std::size_t block,
                                                  const AttentionTraits& traits, Result<Layer> layer)
    {
        CONSTELA_ASSIGN(Layer second, std::move(layer));
        CONSTELA_ASSIGN(auto attention_norm, weights.vector(in_block(block, "attn_norm.weight"), config.width));
        CONSTELA_ASSIGN(auto attention, Attention::load(config, weights, block, traits));
        CONSTELA_ASSIGN(auto layer_norm, weights.vector(in_block(block, "ffn_norm.weight"), config.width));
        return BlockLayers{std::move(attention_norm), std::move(attention), std::move(layer_norm), std::move(second)};
    }

    [[nodiscard]] std::size_t weight_bytes() const
    {
        return attention.weight_bytes() + layer.weight_bytes() +
               (attention_norm.size() + layer_norm.size()) * sizeof(float);
    }
};

/// A shard that is a block; the architecture gives forward().
template <class Layer>
class Block : public Shard {
public:
    Block(const Config& config, std::size_t index, BlockLayers<Layer> layers, std::size_t further_bytes = 0)
        : Shard(fmt::format("block.{}", index), layers.weight_bytes() + further_bytes, layers.attention.kv_need()),
          attention_norm_(std::move(layers.attention_norm)), attention_(std::move(layers.attention)),
          layer_norm_(std::move(layers.layer_norm)), layer_(std::move(layers.layer)), epsilon_(config.norm_epsilon)
    {
    }

protected:
    VectorWeights attention_norm_;
    Attention attention_;
    VectorWeights layer_norm_;
    Layer layer_;
    float epsilon_;
};

} // namespace constela::model
