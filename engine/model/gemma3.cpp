// SPDX-License-Identifier: GPL-3.0-or-later
//
// Gemma 3, text (Gemma Team 2025): as Gemma 2 but with norms on each head of queries and keys in place of the soft
// caps; five blocks with a sliding window and rotation frequencies of their own, then one that sees everything.
#include "engine/model/architectures.h"
#include "engine/model/block.h"
#include "engine/model/feed_forward.h"

#include <cmath>

namespace constela::model {

namespace {

using device::Backend;
using device::Rows;

class Gemma3Block final : public Block<FeedForward> {
public:
    Gemma3Block(const Config& config, std::size_t index, BlockLayers<FeedForward> layers,
                VectorWeights attention_post_norm, VectorWeights layer_post_norm)
        : Block(config, index, std::move(layers),
                (attention_post_norm.size() + layer_post_norm.size()) * sizeof(float)),
          attention_post_norm_(std::move(attention_post_norm)), layer_post_norm_(std::move(layer_post_norm))
    {
    }

    Rows forward(Backend& backend, const Step& step, device::KvStore* kv, Rows x) const override
    {
        const Rows h = backend.scratch(x.count, x.columns);

        backend.norm(x, attention_norm_, epsilon_, h);
        const Rows attended = attention_(backend, step, *kv, h);
        backend.norm(attended, attention_post_norm_, epsilon_, attended);
        backend.add(x, attended);

        backend.norm(x, layer_norm_, epsilon_, h);
        const Rows fed = layer_(backend, h);
        backend.norm(fed, layer_post_norm_, epsilon_, fed);
        backend.add(x, fed);
        return x;
    }

private:
    VectorWeights attention_post_norm_;
    VectorWeights layer_post_norm_;
};

constexpr std::size_t kPattern = 6;
constexpr double kLocalRopeBase = 10000;

bool slides(const Config& config, std::size_t block)
{
    return config.window > 0 && block % kPattern != kPattern - 1;
}

/// The 27B model, the one with 62 blocks, scales its scores by the width of a head as if the heads filled the whole
/// width; all others by the width that heads really have.
float score_scale(const Config& config)
{
    const std::size_t head = config.blocks == 62 ? config.width / config.heads : config.head_size;
    return 1.0F / std::sqrt(static_cast<float>(head));
}

} // namespace

Result<Parts> make_gemma3(const Making& making)
{
    const Config& config = making.config;
    Weights& weights = making.weights;
    const float width = static_cast<float>(config.width);
    const auto make_block = [&](std::size_t i) -> Result<std::unique_ptr<Shard>> {
        AttentionTraits attention;
        attention.layout = kernels::RopeLayout::halves;
        attention.reach = slides(config, i) ? Reach::window : Reach::full;
        attention.scale = score_scale(config);
        attention.head_norms = true;
        CONSTELA_ASSIGN(auto layers, BlockLayers<FeedForward>::load(
                                         config, weights, i, attention,
                                         FeedForward::load(config, weights, i, device::Activation::gelu)));
        CONSTELA_ASSIGN(auto attention_post_norm,
                        weights.vector(in_block(i, "post_attention_norm.weight"), config.width));
        CONSTELA_ASSIGN(auto layer_post_norm, weights.vector(in_block(i, "post_ffw_norm.weight"), config.width));
        return std::make_unique<Gemma3Block>(config, i, std::move(layers), std::move(attention_post_norm),
                                             std::move(layer_post_norm));
    };
    CONSTELA_ASSIGN(Parts parts, chain(making, make_embedding(config, weights, std::sqrt(width)), make_block));
    // What stretches the positions of a long context is for the blocks that see it.
    RopeConfig& local = parts.rope[static_cast<std::size_t>(Reach::window)];
    local.scaling = RopeConfig::Scaling::none;
    local.base = kLocalRopeBase;
    return parts;
}

} // namespace constela::model
