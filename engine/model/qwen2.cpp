// SPDX-License-Identifier: GPL-3.0-or-later
//
// Qwen2 and Qwen2.5 (Qwen Team 2024): pre-norm blocks, biases on queries, keys and values, SiLU-gated feed-forward
// layers; long contexts by YaRN.
#include "engine/model/architectures.h"
#include "engine/model/block.h"
#include "engine/model/feed_forward.h"

namespace constela::model {

namespace {

using device::Backend;
using device::Rows;

class Qwen2Block final : public Block<FeedForward> {
public:
    using Block::Block;

    Rows forward(Backend& backend, const Step& step, device::KvStore* kv, Rows x) const override
    {
        const Rows h = backend.scratch(x.count, x.columns);

        backend.norm(x, attention_norm_, epsilon_, h);
        backend.add(x, attention_(backend, step, *kv, h));

        backend.norm(x, layer_norm_, epsilon_, h);
        backend.add(x, layer_(backend, h));
        return x;
    }
};

} // namespace

Result<Parts> make_qwen2(const Making& making)
{
    const Config& config = making.config;
    AttentionTraits attention;
    attention.layout = kernels::RopeLayout::halves; // biases are taken up wherever the file has them
    return chain(making, make_embedding(config, making.weights), [&](std::size_t i) -> Result<std::unique_ptr<Shard>> {
        CONSTELA_ASSIGN(auto layers, BlockLayers<FeedForward>::load(
                                         config, making.weights, i, attention,
                                         FeedForward::load(config, making.weights, i, device::Activation::silu)));
        return std::make_unique<Qwen2Block>(config, i, std::move(layers));
    });
}

} // namespace constela::model
