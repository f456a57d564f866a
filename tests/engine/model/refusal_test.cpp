// SPDX-License-Identifier: GPL-3.0-or-later
//
// A file that is a right GGUF and no right model: what is wrong is said, with the name of the key or tensor, what
// stands there and what was expected.
#include "engine/model/model.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/golden.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <ostream>

namespace constela::model {
namespace {

using kernels::TensorType;
using test::GgufWriter;

/// The smallest llama: one block, a width of 32, two heads that share one of keys and values.
GgufWriter small_llama()
{
    GgufWriter writer;
    writer.set("general.architecture", "llama")
        .set("llama.block_count", std::uint32_t{1})
        .set("llama.embedding_length", std::uint32_t{32})
        .set("llama.feed_forward_length", std::uint32_t{64})
        .set("llama.context_length", std::uint32_t{128})
        .set("llama.attention.head_count", std::uint32_t{2})
        .set("llama.attention.head_count_kv", std::uint32_t{1});
    for (const auto& [name, shape] :
         std::vector<std::pair<std::string, std::vector<std::uint64_t>>>{{"token_embd.weight", {32, 8}},
                                                                         {"output_norm.weight", {32}},
                                                                         {"output.weight", {32, 8}},
                                                                         {"blk.0.attn_norm.weight", {32}},
                                                                         {"blk.0.attn_q.weight", {32, 32}},
                                                                         {"blk.0.attn_k.weight", {32, 16}},
                                                                         {"blk.0.attn_v.weight", {32, 16}},
                                                                         {"blk.0.attn_output.weight", {32, 32}},
                                                                         {"blk.0.ffn_norm.weight", {32}},
                                                                         {"blk.0.ffn_gate.weight", {32, 64}},
                                                                         {"blk.0.ffn_up.weight", {32, 64}},
                                                                         {"blk.0.ffn_down.weight", {64, 32}}}) {
        writer.tensor(name, TensorType::F32, shape);
    }
    return writer;
}

template <class T>
void put(GgufWriter& writer, const std::string& key, const T& value)
{
    std::erase_if(writer.keys, [&](const GgufWriter::Key& other) { return other.name == key; });
    writer.set(key, value);
}

void drop_tensor(GgufWriter& writer, const std::string& name)
{
    std::erase_if(writer.tensors, [&](const GgufWriter::Tensor& tensor) { return tensor.name == name; });
}

void reshape(GgufWriter& writer, const std::string& name, const std::vector<std::uint64_t>& shape)
{
    drop_tensor(writer, name);
    writer.tensor(name, TensorType::F32, shape);
}

Result<std::shared_ptr<const Model>> open(const GgufWriter& writer)
{
    const test::TempDir folder;
    const auto path = folder.path() / "small.gguf";
    writer.write(path);
    CONSTELA_ASSIGN(std::shared_ptr<const gguf::File> file, gguf::File::open(path));
    return Model::open(std::move(file));
}

struct Wrong {
    std::string name;
    std::function<void(GgufWriter&)> damage;
    std::string sentence; ///< After the file's name.
};

void PrintTo(const Wrong& wrong, std::ostream* out) // NOLINT(readability-identifier-naming): GoogleTest's name
{
    *out << wrong.name;
}

class ModelRefusal : public testing::TestWithParam<Wrong> {};

TEST(SmallLlama, IsRight)
{
    const auto model = open(small_llama());
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ((*model)->shards().size(), 3U);
    EXPECT_EQ((*model)->config().vocabulary, 8U);
}

TEST_P(ModelRefusal, SaysWhatIsWrong)
{
    GgufWriter writer = small_llama();
    GetParam().damage(writer);
    const auto model = open(writer);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().text(), "small.gguf: " + GetParam().sentence);
}

Wrong number(const std::string& key, std::uint32_t value, const std::string& sentence)
{
    return {key.substr(key.rfind('.') + 1) + "_" + std::to_string(value),
            [key, value](GgufWriter& w) { put(w, key, value); }, sentence};
}

Wrong real(const std::string& name, const std::string& key, float value, const std::string& sentence)
{
    return {name, [key, value](GgufWriter& w) { put(w, key, value); }, sentence};
}

const std::vector<Wrong> kWrong{
    {"unknown_architecture", [](GgufWriter& w) { put(w, "general.architecture", "mamba"); },
     "models of the architecture mamba are not supported; supported are llama, qwen2, qwen3, qwen3moe, gemma2, gemma3, "
     "phi3."},
    number("llama.block_count", 0, "llama.block_count is 0; a number from 1 to 16777216 was expected."),
    number("llama.embedding_length", 4000000000U,
           "llama.embedding_length is 4000000000; a number from 1 to 16777216 was expected."),
    {"heads_share_unevenly",
     [](GgufWriter& w) {
         put(w, "llama.attention.head_count", std::uint32_t{4});
         put(w, "llama.attention.head_count_kv", std::uint32_t{3});
     },
     "4 query heads cannot share 3 key/value heads evenly."},
    number("llama.attention.head_count_kv", 0,
           "llama.attention.head_count_kv is 0; a number from 1 to 16777216 was expected."),
    {"heads_do_not_divide_the_width",
     [](GgufWriter& w) {
         put(w, "llama.attention.head_count", std::uint32_t{5});
         put(w, "llama.attention.head_count_kv", std::uint32_t{5});
     },
     "a width of 32 cannot be cut into 5 heads."},
    number("llama.rope.dimension_count", 7,
           "llama.rope.dimension_count is 7; an even number up to the size of a head, 16, was expected."),
    number("llama.rope.dimension_count", 18,
           "llama.rope.dimension_count is 18; an even number up to the size of a head, 16, was expected."),
    real("frequency_base_of_nan", "llama.rope.freq_base", std::numeric_limits<float>::quiet_NaN(),
         "llama.rope.freq_base is nan; a number from 1 up was expected."),
    real("negative_epsilon", "llama.attention.layer_norm_rms_epsilon", -1.0F,
         "llama.attention.layer_norm_rms_epsilon is -1; a number from 0 up was expected."),
    {"unknown_scaling", [](GgufWriter& w) { put(w, "llama.rope.scaling.type", "twisted"); },
     "llama.rope.scaling.type is twisted; none, linear, yarn or longrope was expected. A newer version may know it."},
    {"more_experts_used_than_there_are",
     [](GgufWriter& w) {
         put(w, "llama.expert_count", std::uint32_t{4});
         put(w, "llama.expert_used_count", std::uint32_t{5});
     },
     "5 experts are to be used for a token, but there are only 4."},
    {"no_embedding", [](GgufWriter& w) { drop_tensor(w, "token_embd.weight"); },
     "the tensor token_embd.weight is missing; the file is not a whole model."},
    {"a_block_is_missing", [](GgufWriter& w) { put(w, "llama.block_count", std::uint32_t{2}); },
     "the tensor blk.1.ffn_gate.weight is missing; the file is not a whole model."},
    {"foreign_shape",
     [](GgufWriter& w) {
         reshape(w, "blk.0.attn_k.weight", {32, 32});
     },
     "the tensor blk.0.attn_k.weight is 32 x 32 x 1; the metadata say that it should be 32 x 16 x 1."},
    {"turned_matrix",
     [](GgufWriter& w) {
         reshape(w, "blk.0.ffn_down.weight", {32, 64});
     },
     "the tensor blk.0.ffn_down.weight is 32 x 64 x 1; the metadata say that it should be 64 x 32 x 1."},
    {"third_dimension",
     [](GgufWriter& w) {
         reshape(w, "token_embd.weight", {32, 8, 2});
     },
     "the tensor token_embd.weight is 32 x 8 x 2; the metadata say that it should be 32 x 8 x 1."},
    {"a_tensor_too_many", [](GgufWriter& w) { w.tensor("blk.0.attn_sinks.weight", TensorType::F32, {2}); },
     "the tensor blk.0.attn_sinks.weight has no place in this architecture as Constela knows it; a newer version may "
     "know it."},
};

INSTANTIATE_TEST_SUITE_P(Models, ModelRefusal, testing::ValuesIn(kWrong),
                         [](const auto& wrong) { return wrong.param.name; });

} // namespace
} // namespace constela::model
