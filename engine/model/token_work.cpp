// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/token_work.h"

#include <algorithm>
#include <string_view>

namespace constela::model {

TokenWork token_work(const Model& model)
{
    constexpr std::string_view kEmbedding = "token_embd.weight";
    const Config& config = model.config();
    const std::string_view head = model.file().find("output.weight") != nullptr ? "output.weight" : kEmbedding;
    TokenWork work;
    for (const gguf::TensorInfo& tensor : model.file().tensors()) {
        const std::uint64_t products = tensor.shape[0] * tensor.shape[1];
        if (tensor.name == kEmbedding) {
            work.weight_bytes += tensor.bytes / tensor.shape[1];
        }
        if (tensor.name == head) {
            work.weight_bytes += tensor.bytes;
            work.head_products += products;
        } else if (tensor.shape[2] > 1) { // experts
            work.weight_bytes += tensor.bytes / tensor.shape[2] * config.experts_used;
            work.block_products += products * config.experts_used;
        } else if (tensor.name != kEmbedding) {
            work.weight_bytes += tensor.bytes;
            work.block_products += tensor.shape[1] > 1 ? products : 0; // a vector is no matrix
        }
    }
    return work;
}

std::uint64_t kv_bytes_read(const Model& model, kernels::KvType type, std::uint64_t positions)
{
    const std::uint64_t window = model.config().window;
    std::uint64_t bytes = 0;
    for (const auto& shard : model.shards()) {
        if (const auto& need = shard->kv_need()) {
            const bool slides = need->reach == Reach::window && window > 0;
            bytes += (slides ? std::min(positions, window) : positions) * need->heads *
                     (kernels::kv_bytes(type, need->head_size) + kernels::kv_bytes(type, need->value_head_size));
        }
    }
    return bytes;
}

} // namespace constela::model
