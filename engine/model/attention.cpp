// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/attention.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace constela::model {

using device::Backend;
using device::Rows;

Result<Attention::Linear> Attention::load_linear(Weights& weights, std::size_t block, std::string_view name,
                                                 std::size_t columns, std::size_t rows)
{
    Linear linear;
    CONSTELA_ASSIGN(linear.matrix, weights.matrix(in_block(block, fmt::format("{}.weight", name)), columns, rows));
    CONSTELA_ASSIGN(linear.bias, weights.optional_vector(in_block(block, fmt::format("{}.bias", name)), rows));
    return linear;
}

Result<Attention> Attention::load(const Config& config, Weights& weights, std::size_t block,
                                  const AttentionTraits& traits)
{
    Attention attention;
    attention.traits_ = traits;
    attention.epsilon_ = config.norm_epsilon;
    attention.kv_need_ = {traits.reach, config.kv_heads, config.head_size, config.value_head_size};
    attention.options_.heads = config.heads;
    attention.options_.scale = traits.scale > 0 ? traits.scale : 1.0F / std::sqrt(static_cast<float>(config.head_size));
    attention.options_.softcap = config.attention_softcap;
    attention.options_.window = traits.reach == Reach::window ? config.window : 0;

    const std::size_t queries = config.heads * config.head_size;
    const std::size_t keys = config.kv_heads * config.head_size;
    const std::size_t values = config.kv_heads * config.value_head_size;
    const auto add = [&](std::string_view name, std::size_t rows) -> Result<> {
        CONSTELA_ASSIGN(Linear linear, load_linear(weights, block, name, config.width, rows));
        attention.qkv_.push_back(std::move(linear));
        return {};
    };
    if (traits.tensors == QkvTensors::fused) {
        CONSTELA_TRY(add("attn_qkv", queries + keys + values));
    } else {
        CONSTELA_TRY(add("attn_q", queries));
        CONSTELA_TRY(add("attn_k", keys));
        CONSTELA_TRY(add("attn_v", values));
    }
    CONSTELA_ASSIGN(attention.output_,
                    load_linear(weights, block, "attn_output", config.heads * config.value_head_size, config.width));
    if (traits.head_norms) {
        CONSTELA_ASSIGN(attention.query_norm_, weights.vector(in_block(block, "attn_q_norm.weight"), config.head_size));
        CONSTELA_ASSIGN(attention.key_norm_, weights.vector(in_block(block, "attn_k_norm.weight"), config.head_size));
    }
    return attention;
}

Rows Attention::operator()(Backend& backend, const Step& step, device::KvStore& kv, Rows h) const
{
    const std::size_t queries = options_.heads * kv_need_.head_size;
    const std::size_t keys = kv_need_.heads * kv_need_.head_size;
    const std::size_t values = kv_need_.heads * kv_need_.value_head_size;
    const auto reach = static_cast<std::size_t>(traits_.reach);

    const Rows qkv = backend.scratch(h.count, queries + keys + values);
    const Rows q = qkv.slice(0, queries);
    const Rows k = qkv.slice(queries, keys);
    const Rows v = qkv.slice(queries + keys, values);
    if (traits_.tensors == QkvTensors::fused) {
        const std::array one{qkv_[0].into(qkv)};
        backend.project(h, one);
    } else {
        const std::array three{qkv_[0].into(q), qkv_[1].into(k), qkv_[2].into(v)};
        backend.project(h, three);
    }
    if (traits_.head_norms) {
        backend.norm_heads(q, kv_need_.head_size, query_norm_, epsilon_);
        backend.norm_heads(k, kv_need_.head_size, key_norm_, epsilon_);
    }
    backend.rope(q, kv_need_.head_size, traits_.layout, step.angles[reach]);
    backend.rope(k, kv_need_.head_size, traits_.layout, step.angles[reach]);

    backend.store_kv(kv, step.kv[reach], k, v);
    const Rows seen = backend.scratch(h.count, options_.heads * kv_need_.value_head_size);
    backend.attention(kv, step.kv[reach], options_, q, seen);

    const Rows out = backend.scratch(h.count, output_.matrix.rows);
    const std::array product{output_.into(out)};
    backend.project(seen, product);
    return out;
}

std::size_t Attention::weight_bytes() const
{
    std::size_t bytes = output_.bytes() + (query_norm_.size() + key_norm_.size()) * sizeof(float);
    for (const Linear& linear : qkv_) {
        bytes += linear.bytes();
    }
    return bytes;
}

} // namespace constela::model
