// SPDX-License-Identifier: GPL-3.0-or-later
//
// Qwen3, mixture of experts (Qwen Team 2025): Qwen3's attention; in every block a router chooses the experts of each
// token.
#include "engine/model/architectures.h"
#include "engine/model/block.h"
#include "engine/model/experts.h"

namespace constela::model {

namespace {

using device::Backend;
using device::Rows;

class Qwen3MoeBlock final : public Block<Experts> {
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

Result<Parts> make_qwen3moe(const Making& making)
{
    const Config& config = making.config;
    if (config.experts == 0) {
        return failure("{}: {} is missing; a mixture of experts was expected.", making.file_name,
                       "qwen3moe.expert_count");
    }
    AttentionTraits attention;
    attention.layout = kernels::RopeLayout::halves;
    attention.head_norms = true;
    return chain(making, make_embedding(config, making.weights), [&](std::size_t i) -> Result<std::unique_ptr<Shard>> {
        CONSTELA_ASSIGN(auto layers,
                        BlockLayers<Experts>::load(config, making.weights, i, attention,
                                                   Experts::load(config, making.weights, i, device::Activation::silu)));
        return std::make_unique<Qwen3MoeBlock>(config, i, std::move(layers));
    });
}

} // namespace constela::model
