// SPDX-License-Identifier: GPL-3.0-or-later
//
// Qwen3, dense (Qwen Team 2025): pre-norm blocks, each head of queries and keys normed before its rotation,
// SiLU-gated feed-forward layers.
#include "engine/model/architectures.h"
#include "engine/model/block.h"
#include "engine/model/feed_forward.h"

namespace constela::model {

namespace {

using device::Backend;
using device::Rows;

class Qwen3Block final : public Block<FeedForward> {
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

Result<Parts> make_qwen3(const Making& making)
{
    const Config& config = making.config;
    AttentionTraits attention;
    attention.layout = kernels::RopeLayout::halves;
    attention.head_norms = true;
    return chain(making, make_embedding(config, making.weights), [&](std::size_t i) -> Result<std::unique_ptr<Shard>> {
        CONSTELA_ASSIGN(auto layers, BlockLayers<FeedForward>::load(
                                         config, making.weights, i, attention,
                                         FeedForward::load(config, making.weights, i, device::Activation::silu)));
        return std::make_unique<Qwen3Block>(config, i, std::move(layers));
    });
}

} // namespace constela::model
