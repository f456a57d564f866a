// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes a model of a common shape with random weights, to measure speed with where no real model is at hand:
//   constela_make_model FILE TYPE [SHAPE]
// TYPE: Q4_K_M (as files of that name mix their types), or the type of all matrices, such as Q8_0 or Q6_K. SHAPE:
// llama, that of TinyLlama 1.1B with 16 blocks and wider feed-forward layers, if none is given; or qwen3moe, that of
// Qwen3 30B A3B with fewer blocks and experts: a mixture of 32 experts, of which a token takes 8. It speaks no
// language, but a program that runs such models can load and time it.
#include "tests/support/gguf_writer.h"
#include "tests/support/random_weights.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <iterator>
#include <string>
#include <string_view>

namespace constela::test {
namespace {

using kernels::TensorType;

struct Shape {
    std::string_view architecture;
    std::string_view name;
    std::size_t blocks;
    std::size_t heads;
    std::size_t kv_heads;
    std::size_t head_size;
    std::size_t hidden;           ///< Of the feed-forward layer, or of one expert.
    std::size_t experts = 0;      ///< 0: none.
    std::size_t experts_used = 0; ///< For a token.
};

constexpr Shape kShapes[] = {{"llama", "random 1.1B", 16, 32, 8, 64, 8192},
                             {"qwen3moe", "random mixture of experts 1.5B", 8, 32, 4, 128, 768, 32, 8}};

constexpr std::size_t kWidth = 2048;
constexpr std::size_t kVocabulary = 32000;

const Shape* find_shape(std::string_view architecture)
{
    const auto* found = std::find_if(std::begin(kShapes), std::end(kShapes),
                                     [&](const Shape& shape) { return shape.architecture == architecture; });
    return found == std::end(kShapes) ? nullptr : found;
}

/// Random weights of about the size that keeps activations as they are.
std::string weights_of(TensorType type, std::size_t rows, std::size_t columns, unsigned seed)
{
    std::vector<std::byte> bytes = random_weights(type, rows, columns, seed);
    const float factor = 1.0F / std::sqrt(static_cast<float>(columns));
    const ScalePlaces places = scale_places(type);
    const std::size_t block = kernels::type_info(type).block_bytes;
    for (std::size_t at = 0; at < bytes.size(); at += block) {
        for (std::size_t i = 0; i < places.count; ++i) {
            std::byte* scale = bytes.data() + at + places.offsets[i];
            const std::uint16_t half = kernels::half_from_float(kernels::load_half(scale) * factor);
            std::memcpy(scale, &half, sizeof half);
        }
    }
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class Maker {
public:
    Maker(const std::string& type, const Shape& shape) : shape_(shape), mixed_(type == "Q4_K_M")
    {
        for (const kernels::TypeInfo& info : kernels::kTypes) {
            if (info.name == (mixed_ ? "Q4_K" : type)) {
                type_ = info.type;
                known_ = info.quantized;
            }
        }
    }

    [[nodiscard]] bool knows_its_type() const { return known_; }

    GgufWriter make()
    {
        keys();
        matrix("token_embd.weight", type_, kWidth, kVocabulary);
        vector("output_norm.weight", kWidth);
        matrix("output.weight", better(true), kWidth, kVocabulary);
        for (std::size_t i = 0; i < shape_.blocks; ++i) {
            block(i);
        }
        return std::move(writer_);
    }

private:
    /// Q4_K_M has Q6_K where it matters most.
    [[nodiscard]] TensorType better(bool is_better) const { return mixed_ && is_better ? TensorType::Q6_K : type_; }

    void keys()
    {
        const auto number = [](std::size_t value) { return static_cast<std::uint32_t>(value); };
        const auto key = [this](const char* name) { return std::string(shape_.architecture) + name; };
        writer_.set("general.architecture", std::string(shape_.architecture))
            .set("general.name", std::string(shape_.name))
            .set(key(".vocab_size"), number(kVocabulary))
            .set(key(".context_length"), std::uint32_t{32768})
            .set(key(".embedding_length"), number(kWidth))
            .set(key(".block_count"), number(shape_.blocks))
            .set(key(".feed_forward_length"), number(shape_.hidden))
            .set(key(".rope.dimension_count"), number(shape_.head_size))
            .set(key(".attention.head_count"), number(shape_.heads))
            .set(key(".attention.head_count_kv"), number(shape_.kv_heads))
            .set(key(".attention.key_length"), number(shape_.head_size))
            .set(key(".attention.value_length"), number(shape_.head_size))
            .set(key(".attention.layer_norm_rms_epsilon"), 1e-5F);
        if (shape_.experts > 0) {
            writer_.set(key(".expert_count"), number(shape_.experts))
                .set(key(".expert_used_count"), number(shape_.experts_used))
                .set(key(".expert_feed_forward_length"), number(shape_.hidden));
        }
        std::vector<std::string> tokens{"<unk>", "<s>", "</s>"};
        std::vector<std::int32_t> kinds{2, 3, 3}; // unknown, control, control; 6: a byte; 1: text
        for (int byte = 0; byte < 256; ++byte) {
            char name[8];
            std::snprintf(name, sizeof name, "<0x%02X>", static_cast<unsigned>(byte));
            tokens.emplace_back(name);
            kinds.push_back(6);
        }
        while (tokens.size() < kVocabulary) {
            tokens.push_back("w" + std::to_string(tokens.size()));
            kinds.push_back(1);
        }
        writer_.set("tokenizer.ggml.model", "llama")
            .set("tokenizer.ggml.tokens", tokens)
            .set("tokenizer.ggml.scores", std::vector<float>(kVocabulary, 0.0F))
            .set("tokenizer.ggml.token_type", kinds)
            .set("tokenizer.ggml.bos_token_id", std::uint32_t{1})
            .set("tokenizer.ggml.eos_token_id", std::uint32_t{2});
    }

    void block(std::size_t i)
    {
        const std::string in = "blk." + std::to_string(i) + ".";
        // Q4_K_M gives every eighth block of the first and last eighth, and each third between, the better type.
        const std::size_t blocks = shape_.blocks;
        const bool chosen = i < blocks / 8 || i >= blocks * 7 / 8 || (i - blocks / 8) % 3 == 2;
        const std::size_t queries = shape_.heads * shape_.head_size;
        const std::size_t keys = shape_.kv_heads * shape_.head_size;
        vector(in + "attn_norm.weight", kWidth);
        matrix(in + "attn_q.weight", type_, kWidth, queries);
        matrix(in + "attn_k.weight", type_, kWidth, keys);
        matrix(in + "attn_v.weight", better(chosen), kWidth, keys);
        matrix(in + "attn_output.weight", type_, queries, kWidth);
        vector(in + "ffn_norm.weight", kWidth);
        if (shape_.experts == 0) {
            matrix(in + "ffn_gate.weight", type_, kWidth, shape_.hidden);
            matrix(in + "ffn_up.weight", type_, kWidth, shape_.hidden);
            matrix(in + "ffn_down.weight", better(chosen), shape_.hidden, kWidth);
            return;
        }
        vector(in + "attn_q_norm.weight", shape_.head_size);
        vector(in + "attn_k_norm.weight", shape_.head_size);
        writer_.tensor(in + "ffn_gate_inp.weight", {kWidth, shape_.experts},
                       random_floats(kWidth * shape_.experts, seed_++));
        experts(in + "ffn_gate_exps.weight", type_, kWidth, shape_.hidden);
        experts(in + "ffn_up_exps.weight", type_, kWidth, shape_.hidden);
        experts(in + "ffn_down_exps.weight", better(chosen), shape_.hidden, kWidth);
    }

    void matrix(const std::string& name, TensorType type, std::size_t columns, std::size_t rows)
    {
        writer_.tensor(name, type, {columns, rows}, weights_of(type, rows, columns, seed_++));
    }
    void experts(const std::string& name, TensorType type, std::size_t columns, std::size_t rows)
    {
        writer_.tensor(name, type, {columns, rows, shape_.experts},
                       weights_of(type, rows * shape_.experts, columns, seed_++));
    }
    void vector(const std::string& name, std::size_t size)
    {
        writer_.tensor(name, {size}, std::vector<float>(size, 1.0F));
    }

    const Shape& shape_;
    GgufWriter writer_;
    TensorType type_ = TensorType::Q4_K;
    bool mixed_;
    bool known_ = false;
    unsigned seed_ = 1;
};

int run(int argc, char** argv)
{
    const Shape* shape = find_shape(argc == 4 ? argv[3] : "llama");
    if (argc < 3 || argc > 4 || shape == nullptr) {
        std::fputs("usage: constela_make_model FILE TYPE [llama or qwen3moe]\n", stderr);
        return 2;
    }
    Maker maker(argv[2], *shape);
    if (!maker.knows_its_type()) {
        std::fprintf(stderr, "error: %s is neither Q4_K_M nor a quantized type such as Q8_0\n", argv[2]);
        return 2;
    }
    maker.make().write(argv[1]);
    return 0;
}

} // namespace
} // namespace constela::test

int main(int argc, char** argv)
{
    try {
        return constela::test::run(argc, argv);
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "error: %s\n", problem.what());
        return 1;
    }
}
