// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a token costs a model.
#include "engine/model/token_work.h"
#include "tests/engine/support/engine_under_test.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>

namespace constela::test {
namespace {

std::uint64_t attention_products(const model::Config& c)
{
    return c.width * (c.heads * c.head_size + c.kv_heads * (c.head_size + c.value_head_size)) +
           c.heads * c.value_head_size * c.width;
}

TEST(TokenWork, CountsTheChosenExpertsAlone)
{
    CONSTELA_NEED_GOLDEN(golden);
    const auto model = open_model(golden / "logits" / "qwen3moe.gguf");
    const model::Config& c = model->config();
    ASSERT_LT(c.experts_used, c.experts);
    const std::uint64_t router = c.width * c.experts;
    const std::uint64_t chosen = c.experts_used * 3 * c.width * c.expert_feed_forward;
    const model::TokenWork work = model::token_work(*model);
    EXPECT_EQ(work.block_products, c.blocks * (attention_products(c) + router + chosen));
    EXPECT_EQ(work.head_products, c.width * c.vocabulary);
    // All matrices are F16 there, norms F32: two for each block, one of a query, one of a key, and the head's.
    const std::uint64_t norms = c.blocks * (2 * c.width + 2 * c.head_size) + c.width;
    EXPECT_EQ(work.weight_bytes, 2 * (work.block_products + work.head_products + c.width) + 4 * norms);
}

TEST(TokenWork, CountsAnEmbeddingThatIsTheHeadAsBoth)
{
    CONSTELA_NEED_GOLDEN(golden);
    const auto model = open_model(golden / "logits" / "llama3-tied-ropefreqs.gguf");
    const model::Config& c = model->config();
    const model::TokenWork work = model::token_work(*model);
    EXPECT_EQ(work.block_products, c.blocks * (attention_products(c) + 3 * c.width * c.feed_forward));
    EXPECT_EQ(work.head_products, c.width * c.vocabulary);
    const std::uint64_t row = model->file().find("token_embd.weight")->bytes / c.vocabulary;
    EXPECT_EQ(work.weight_bytes, model->weight_bytes() + row);
}

TEST(KvBytesRead, StopAtTheWindow)
{
    CONSTELA_NEED_GOLDEN(golden);
    const auto model = open_model(golden / "logits" / "gemma3.gguf", 4096);
    const model::Config& c = model->config();
    std::uint64_t sliding = 0;
    for (const auto& shard : model->shards()) {
        sliding += shard->kv_need() && shard->kv_need()->reach == model::Reach::window ? 1U : 0U;
    }
    ASSERT_GT(sliding, 0U);
    const std::uint64_t position = c.kv_heads * (c.head_size + c.value_head_size) * 2; // f16
    const auto bytes = [&](std::uint64_t seen) { return model::kv_bytes_read(*model, kernels::KvType::f16, seen); };
    EXPECT_EQ(bytes(1), position * c.blocks);
    EXPECT_EQ(bytes(c.window + 100) - bytes(c.window), position * (c.blocks - sliding) * 100);
}

} // namespace
} // namespace constela::test
