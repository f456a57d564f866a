// SPDX-License-Identifier: GPL-3.0-or-later
//
// Phi-3, Phi-3.5 and Phi-4 mini (Microsoft 2024): pre-norm blocks; queries, keys and values come from one matrix, gate
// and up from another; long contexts by LongRoPE.
#include "engine/model/architectures.h"
#include "engine/model/block.h"
#include "engine/model/feed_forward.h"

namespace constela::model {

namespace {

using device::Backend;
using device::Rows;

class Phi3Block final : public Block<FeedForward> {
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

Result<Parts> make_phi3(const Making& making)
{
    const Config& config = making.config;
    AttentionTraits attention;
    attention.layout = kernels::RopeLayout::halves;
    attention.tensors = QkvTensors::fused;
    const auto make_block = [&](std::size_t i) -> Result<std::unique_ptr<Shard>> {
        CONSTELA_ASSIGN(auto layers, BlockLayers<FeedForward>::load(config, making.weights, i, attention,
                                                                    FeedForward::load(config, making.weights, i,
                                                                                      device::Activation::silu,
                                                                                      GateTensors::fused)));
        return std::make_unique<Phi3Block>(config, i, std::move(layers));
    };
    CONSTELA_ASSIGN(Parts parts, chain(making, make_embedding(config, making.weights), make_block));
    // One list of factors serves contexts up to the original one, the other those beyond.
    const std::size_t pairs = config.rope.dimensions / 2;
    CONSTELA_ASSIGN(VectorWeights short_factors, making.weights.optional_vector("rope_factors_short.weight", pairs));
    CONSTELA_ASSIGN(VectorWeights long_factors, making.weights.optional_vector("rope_factors_long.weight", pairs));
    parts.rope_factors =
        making.context > config.rope.original_context ? std::move(long_factors) : std::move(short_factors);
    return parts;
}

} // namespace constela::model
