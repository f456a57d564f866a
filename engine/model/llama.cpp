// SPDX-License-Identifier: GPL-3.0-or-later
//
// LLaMA (Touvron et al. 2023) and its many relatives: Mistral, SmolLM2, Llama 3 and, with experts in place of the
// feed-forward layer, Mixtral. Pre-norm blocks, grouped queries, SiLU gates; files hold queries and keys in the order
// in which neighbours are rotated together.
#include "engine/model/architectures.h"
#include "engine/model/block.h"
#include "engine/model/experts.h"
#include "engine/model/feed_forward.h"

namespace constela::model {

namespace {

using device::Backend;
using device::Rows;

template <class Layer>
class LlamaBlock final : public Block<Layer> {
public:
    using Block<Layer>::Block;

    Rows forward(Backend& backend, const Step& step, device::KvStore* kv, Rows x) const override
    {
        const Rows h = backend.scratch(x.count, x.columns);

        backend.norm(x, this->attention_norm_, this->epsilon_, h);
        backend.add(x, this->attention_(backend, step, *kv, h));

        backend.norm(x, this->layer_norm_, this->epsilon_, h);
        backend.add(x, this->layer_(backend, h));
        return x;
    }
};

template <class Layer>
Result<Parts> make(const Making& making)
{
    const Config& config = making.config;
    AttentionTraits attention;
    attention.layout = kernels::RopeLayout::adjacent;
    const auto make_block = [&](std::size_t i) -> Result<std::unique_ptr<Shard>> {
        CONSTELA_ASSIGN(auto layers,
                        BlockLayers<Layer>::load(config, making.weights, i, attention,
                                                 Layer::load(config, making.weights, i, device::Activation::silu)));
        return std::make_unique<LlamaBlock<Layer>>(config, i, std::move(layers));
    };
    CONSTELA_ASSIGN(Parts parts, chain(making, make_embedding(config, making.weights), make_block));
    // Llama 3 carries what stretches its positions as a factor for each pair.
    CONSTELA_ASSIGN(parts.rope_factors,
                    making.weights.optional_vector("rope_freqs.weight", config.rope.dimensions / 2));
    return parts;
}

} // namespace

Result<Parts> make_llama(const Making& making)
{
    return making.config.experts > 0 ? make<Experts>(making) : make<FeedForward>(making);
}

} // namespace constela::model
