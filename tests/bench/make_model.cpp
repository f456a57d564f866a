// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes a llama model of a common shape with random weights, to measure speed with where no real model is at hand:
//   constela_make_model FILE TYPE [EXPERTS]
// TYPE: Q4_K_M (as files of that name mix their types), or the type of all matrices. EXPERTS: how many there are, of
// which two are used for a token; none if not given. The shape is that of TinyLlama 1.1B with 16 blocks and wider
// feed-forward layers (with experts: of a quarter of the width). It speaks no language, but a program that runs llama
// models can load and time it.
#include "tests/support/gguf_writer.h"
#include "tests/support/random_weights.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

namespace constela::test {
namespace {

using kernels::TensorType;

constexpr std::size_t kBlocks = 16;
constexpr std::size_t kWidth = 2048;
constexpr std::size_t kHeads = 32;
constexpr std::size_t kKvHeads = 8;
constexpr std::size_t kHidden = 8192;
constexpr std::size_t kVocabulary = 32000;
constexpr std::size_t kExpertsUsed = 2;

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
    Maker(const std::string& type, std::size_t experts) : mixed_(type == "Q4_K_M"), experts_(experts)
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
        vector("output_norm.weight");
        matrix("output.weight", better(true), kWidth, kVocabulary);
        for (std::size_t i = 0; i < kBlocks; ++i) {
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
        writer_.set("general.architecture", "llama")
            .set("general.name", "random 1.1B")
            .set("llama.vocab_size", number(kVocabulary))
            .set("llama.context_length", std::uint32_t{32768})
            .set("llama.embedding_length", number(kWidth))
            .set("llama.block_count", number(kBlocks))
            .set("llama.feed_forward_length", number(hidden()))
            .set("llama.rope.dimension_count", number(kWidth / kHeads))
            .set("llama.attention.head_count", number(kHeads))
            .set("llama.attention.head_count_kv", number(kKvHeads))
            .set("llama.attention.layer_norm_rms_epsilon", 1e-5F);
        if (experts_ > 0) {
            writer_.set("llama.expert_count", number(experts_)).set("llama.expert_used_count", number(kExpertsUsed));
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

    [[nodiscard]] std::size_t hidden() const { return experts_ > 0 ? kHidden / 4 : kHidden; }

    void block(std::size_t i)
    {
        const std::string in = "blk." + std::to_string(i) + ".";
        // Q4_K_M gives every eighth block of the first and last eighth, and each third between, the better type.
        const bool chosen = i < kBlocks / 8 || i >= kBlocks * 7 / 8 || (i - kBlocks / 8) % 3 == 2;
        constexpr std::size_t kKeys = kWidth / kHeads * kKvHeads;
        vector(in + "attn_norm.weight");
        matrix(in + "attn_q.weight", type_, kWidth, kWidth);
        matrix(in + "attn_k.weight", type_, kWidth, kKeys);
        matrix(in + "attn_v.weight", better(chosen), kWidth, kKeys);
        matrix(in + "attn_output.weight", type_, kWidth, kWidth);
        vector(in + "ffn_norm.weight");
        if (experts_ == 0) {
            matrix(in + "ffn_gate.weight", type_, kWidth, kHidden);
            matrix(in + "ffn_up.weight", type_, kWidth, kHidden);
            matrix(in + "ffn_down.weight", better(chosen), kHidden, kWidth);
            return;
        }
        writer_.tensor(in + "ffn_gate_inp.weight", {kWidth, experts_}, random_floats(kWidth * experts_, seed_++));
        experts(in + "ffn_gate_exps.weight", type_, kWidth, hidden());
        experts(in + "ffn_up_exps.weight", type_, kWidth, hidden());
        experts(in + "ffn_down_exps.weight", better(chosen), hidden(), kWidth);
    }

    void matrix(const std::string& name, TensorType type, std::size_t columns, std::size_t rows)
    {
        writer_.tensor(name, type, {columns, rows}, weights_of(type, rows, columns, seed_++));
    }
    void experts(const std::string& name, TensorType type, std::size_t columns, std::size_t rows)
    {
        writer_.tensor(name, type, {columns, rows, experts_}, weights_of(type, rows * experts_, columns, seed_++));
    }
    void vector(const std::string& name) { writer_.tensor(name, {kWidth}, std::vector<float>(kWidth, 1.0F)); }

    GgufWriter writer_;
    TensorType type_ = TensorType::Q4_K;
    bool mixed_;
    bool known_ = false;
    std::size_t experts_;
    unsigned seed_ = 1;
};

int run(int argc, char** argv)
{
    const unsigned long experts = argc == 4 ? std::strtoul(argv[3], nullptr, 10) : 0;
    if (argc < 3 || argc > 4 || (argc == 4 && (experts < kExpertsUsed || experts > 64))) {
        std::fputs("usage: constela_make_model FILE TYPE [EXPERTS, 2 to 64]\n", stderr);
        return 2;
    }
    Maker maker(argv[2], experts);
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
