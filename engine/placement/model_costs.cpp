// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/placement/model_costs.h"

#include <charconv>

namespace constela::placement {

namespace {

constexpr std::string_view kEmbedding = "token_embd.weight";
constexpr std::string_view kOutput = "output.weight";

/// "blk.7.attn_q.weight" belongs to shard 8; what belongs to no block, beside the embedding, to the head.
std::size_t shard_of(std::string_view name, std::size_t shards)
{
    constexpr std::string_view kBlock = "blk.";
    std::size_t block = 0;
    if (name.starts_with(kBlock)) {
        name.remove_prefix(kBlock.size());
        std::from_chars(name.data(), name.data() + name.size(), block);
        return std::min(block + 1, shards - 1);
    }
    return name == kEmbedding ? 0 : shards - 1;
}

/// A matrix is read and multiplied whole, of experts those that are chosen.
void add_matrix(ShardCosts& shard, const gguf::TensorInfo& tensor, const model::Config& config)
{
    const bool experts = tensor.shape[2] > 1;
    const std::uint64_t used = experts ? config.experts_used : 1;
    const std::uint64_t of = experts ? tensor.shape[2] : 1;
    shard.read_bytes += tensor.bytes / of * used;
    if (tensor.shape[1] > 1) { // a vector is no matrix
        shard.operations_per_token += 2 * tensor.shape[0] * tensor.shape[1] * used;
    }
}

} // namespace

ModelCosts model_costs(const model::Model& model, const RuntimeCosts& runtime)
{
    const model::Config& config = model.config();
    ModelCosts costs;
    costs.name = config.name;
    costs.kv_extra_positions = runtime.kv_extra_positions;
    costs.workspace = runtime.workspace;
    costs.head_workspace = runtime.head_workspace;
    costs.activation_bytes = config.width * runtime.activation_element_bytes;
    for (const auto& shard : model.shards()) {
        ShardCosts& of_shard = costs.shards.emplace_back();
        of_shard.weight_bytes = shard->weight_bytes();
        if (const auto& need = shard->kv_need()) {
            of_shard.kv_bytes_per_position = need->heads * (kernels::kv_bytes(runtime.kv_type, need->head_size) +
                                                            kernels::kv_bytes(runtime.kv_type, need->value_head_size));
            if (need->reach == model::Reach::window && config.window > 0) {
                of_shard.kv_window = config.window;
                of_shard.kv_held_most = runtime.kv_window_positions;
            }
        }
    }
    const bool own_head = model.file().find(kOutput) != nullptr;
    for (const gguf::TensorInfo& tensor : model.file().tensors()) {
        if (tensor.name != kEmbedding) {
            add_matrix(costs.shards[shard_of(tensor.name, costs.shards.size())], tensor, config);
            continue;
        }
        costs.shards.front().read_bytes += tensor.bytes / tensor.shape[1];
        if (!own_head) {
            add_matrix(costs.shards.back(), tensor, config);
            costs.shared_bytes = tensor.bytes;
        }
    }
    return costs;
}

std::vector<SmallerKv> smaller_kv(const model::Model& model, kernels::KvType type)
{
    using kernels::KvType;
    constexpr std::size_t kElements = 32;
    const model::Config& config = model.config();
    std::vector<SmallerKv> smaller;
    for (const KvType other : {KvType::f16, KvType::q8_0}) {
        const bool allowed =
            other != KvType::q8_0 || (config.head_size % kElements == 0 && config.value_head_size % kElements == 0);
        const double factor = static_cast<double>(kernels::kv_bytes(other, kElements)) /
                              static_cast<double>(kernels::kv_bytes(type, kElements));
        if (allowed && factor < 1) {
            smaller.push_back({std::string(kernels::kv_type_name(other)), factor});
        }
    }
    return smaller;
}

} // namespace constela::placement
