// SPDX-License-Identifier: GPL-3.0-or-later
//
// The costs of real shapes against what the engine itself says of them.
#include "engine/placement/model_costs.h"

#include "engine/model/token_work.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>
#include <numeric>

namespace constela::placement {
namespace {

using kernels::TensorType;

std::shared_ptr<const model::Model> small_llama(bool own_head)
{
    test::GgufWriter writer;
    writer.set("general.architecture", "llama")
        .set("llama.block_count", std::uint32_t{2})
        .set("llama.embedding_length", std::uint32_t{64})
        .set("llama.feed_forward_length", std::uint32_t{128})
        .set("llama.context_length", std::uint32_t{128})
        .set("llama.attention.head_count", std::uint32_t{2})
        .set("llama.attention.head_count_kv", std::uint32_t{1});
    writer.tensor("token_embd.weight", TensorType::Q8_0, {64, 8}).tensor("output_norm.weight", TensorType::F32, {64});
    if (own_head) {
        writer.tensor("output.weight", TensorType::F32, {64, 8});
    }
    for (const std::string block : {"blk.0.", "blk.1."}) {
        for (const auto& [name, shape] :
             std::vector<std::pair<std::string, std::vector<std::uint64_t>>>{{"attn_norm.weight", {64}},
                                                                             {"attn_q.weight", {64, 64}},
                                                                             {"attn_k.weight", {64, 32}},
                                                                             {"attn_v.weight", {64, 32}},
                                                                             {"attn_output.weight", {64, 64}},
                                                                             {"ffn_norm.weight", {64}},
                                                                             {"ffn_gate.weight", {64, 128}},
                                                                             {"ffn_up.weight", {64, 128}},
                                                                             {"ffn_down.weight", {128, 64}}}) {
            writer.tensor(block + name, TensorType::F32, shape);
        }
    }
    const test::TempDir folder;
    const auto path = folder.path() / "small.gguf";
    writer.write(path);
    auto file = gguf::File::open(path);
    EXPECT_TRUE(file) << file.error().text();
    auto model = model::Model::open(*std::move(file));
    EXPECT_TRUE(model) << model.error().text();
    return *std::move(model);
}

class ModelCosts : public testing::TestWithParam<bool> {};

TEST_P(ModelCosts, AgreeWithTheEngine)
{
    const auto model = small_llama(GetParam());
    RuntimeCosts runtime;
    runtime.kv_type = kernels::KvType::q8_0;
    const auto costs = model_costs(*model, runtime);
    ASSERT_EQ(costs.shards.size(), 4U);
    std::uint64_t read = 0;
    std::uint64_t operations = 0;
    std::uint64_t kv = 0;
    std::uint64_t weights = 0;
    for (const ShardCosts& shard : costs.shards) {
        read += shard.read_bytes;
        operations += shard.operations_per_token;
        kv += shard.kv_bytes_per_position;
        weights += shard.weight_bytes;
    }
    const model::TokenWork work = model::token_work(*model);
    EXPECT_EQ(read, work.weight_bytes);
    EXPECT_EQ(operations, 2 * (work.block_products + work.head_products));
    EXPECT_EQ(kv, model::kv_bytes_read(*model, runtime.kv_type, 1));
    EXPECT_EQ(weights - costs.shared_bytes, model->weight_bytes());
    EXPECT_EQ(costs.shards[1].operations_per_token, costs.shards[2].operations_per_token);
    EXPECT_EQ(costs.activation_bytes, 256U);
    EXPECT_EQ(costs.shared_bytes > 0, !GetParam());
}

INSTANTIATE_TEST_SUITE_P(Heads, ModelCosts, testing::Bool());

TEST(SmallerKv, IsWhatTakesLess)
{
    const auto model = small_llama(true);
    ASSERT_EQ(smaller_kv(*model, kernels::KvType::f32).size(), 2U);
    const auto smaller = smaller_kv(*model, kernels::KvType::f16);
    ASSERT_EQ(smaller.size(), 1U);
    EXPECT_EQ(smaller[0].name, "q8_0");
    EXPECT_DOUBLE_EQ(smaller[0].factor, 34.0 / 64.0);
    EXPECT_TRUE(smaller_kv(*model, kernels::KvType::q8_0).empty());
}

} // namespace
} // namespace constela::placement
