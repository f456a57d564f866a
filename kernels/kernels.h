// SPDX-License-Identifier: GPL-3.0-or-later
//
// The face of the kernels: plain functions on buffers, gathered in sets. They know no model and no device.
// A set is chosen at run time by what the machine permits; every set computes the same formulas, and within a set
// each result depends on its own inputs alone: never on how many rows or tokens were asked for at once, on
// the thread that ran it, or on where a prompt was cut. That is what keeps answers equal to the bit.
//
// Threads: all functions are re-entrant and allocate nothing; callers split rows or tokens over threads.
// Errors: none. Callers check shapes; a type that is in TensorType is supported by every set.
#pragma once

#include "kernels/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace constela::kernels {

/// What a matrix product wants its input rows turned into.
/// f32: as they are. q8_block32: int8 in blocks of 32 with a float scale and the sum of the quantized values of each
/// block. q8_block256: int8 in blocks of 256 with one float scale and the sums of each 16 values.
enum class ActivationFormat { f32, q8_block32, q8_block256 };

/// The input dimension is cut into eight segments; a product may be asked for a run of them that is a node of the
/// tree ((0+1)+(2+3))+((4+5)+(6+7)): count is 1, 2, 4 or 8 and first is a multiple of count. What comes out is
/// that node's sum, so that parts computed apart and added as the tree says give the bits of the whole.
struct Segments {
    unsigned first = 0;
    unsigned count = 8;
};

inline constexpr unsigned kSegments = 8;

/// Segment s of n blocks is [segment_begin(s, n), segment_begin(s + 1, n)).
constexpr std::size_t segment_begin(unsigned segment, std::size_t blocks)
{
    return segment * blocks / kSegments;
}

/// out[t][r] = sum over columns of weights[r][c] * x[t][c], for r in [0, rows), t in [0, tokens).
/// Order of the sum: docs/adr/0002 (blocks in order inside a segment, segments as a balanced tree).
/// Weights lie as KernelSet::pack() lays them, in groups of row_group(type) rows, or row by row as they are stored
/// where that is 1.
struct MatmulArgs {
    TensorType type = TensorType::F32;
    const std::byte* weights = nullptr; ///< First group of rows; groups follow each other by weight_stride bytes.
    std::size_t weight_stride = 0;
    std::size_t rows = 0;
    std::size_t columns = 0;      ///< The whole input dimension, whatever the segments; any number for F32, F16, BF16.
    const std::byte* x = nullptr; ///< Rows made by prepare_activation, x_stride bytes apart.
    std::size_t x_stride = 0;
    std::size_t tokens = 0;
    float* out = nullptr;       ///< out[t * out_stride + r]
    std::size_t out_stride = 0; ///< In floats.
    Segments segments{};
};

/// How keys and values are stored.
enum class KvType { f32, f16, q8_0 };

[[nodiscard]] constexpr std::string_view kv_type_name(KvType type)
{
    switch (type) {
    case KvType::f32: return "f32";
    case KvType::f16: return "f16";
    case KvType::q8_0: return "q8_0";
    }
    return "";
}

/// Bytes of `elements` stored values; for q8_0 (blocks of 32: f16 scale, 32 int8) elements is a multiple of 32.
[[nodiscard]] constexpr std::size_t kv_bytes(KvType type, std::size_t elements)
{
    switch (type) {
    case KvType::f32: return elements * 4;
    case KvType::f16: return elements * 2;
    case KvType::q8_0: return elements / 32 * 34;
    }
    return 0;
}

/// Attention of one token over one key/value head, for the group of query heads that share it:
/// for each query q: s_p = scale * dot(q, K_p), if softcap > 0: s_p = softcap * tanh(s_p / softcap); w = softmax(s);
/// out = sum_p w_p V_p, p in [first, last). Sums over p go by absolute position, so [first, last) alone decides the
/// bits. Keys and values lie in pages: position p is in page p / page_positions at slot p % page_positions. K_p starts
/// at key_pages[page] + head_offset + slot * position_stride (value_* alike). Pages before first may be null.
struct AttentionArgs {
    const float* queries = nullptr; ///< [group][head_size]
    std::size_t group = 0;
    std::size_t head_size = 0;       ///< Elements of a key and of a query; a multiple of 32 for q8_0.
    std::size_t value_head_size = 0; ///< Elements of a value.
    KvType type = KvType::f32;
    const std::byte* const* key_pages = nullptr;
    const std::byte* const* value_pages = nullptr;
    std::size_t page_positions = 0;
    std::size_t key_head_offset = 0;
    std::size_t value_head_offset = 0;
    std::size_t key_position_stride = 0;
    std::size_t value_position_stride = 0;
    std::size_t first = 0;
    std::size_t last = 0;
    float scale = 1.0F;
    float softcap = 0.0F;    ///< 0: none.
    float* scores = nullptr; ///< Scratch of group * (last - first) floats.
    float* out = nullptr;    ///< [group][value_head_size]
};

/// Which two elements of a head a rotation turns: (2i, 2i+1), as in the RoFormer paper, or (i, i + n/2), as in
/// GPT-NeoX.
enum class RopeLayout { adjacent, halves };

/// One complete set of operations.
struct KernelSet {
    std::string_view name; ///< "reference", "avx2", "avx512", "amx"

    ActivationFormat (*activation_format)(TensorType weights);
    /// Bytes of a prepared row, a multiple of 64.
    std::size_t (*activation_bytes)(ActivationFormat format, std::size_t columns);
    void (*prepare_activation)(ActivationFormat format, std::span<const float> row, std::byte* out);
    void (*matmul)(const MatmulArgs& args);
    /// How many rows of weights the product wants woven together; 1: it takes rows as they are stored.
    std::size_t (*row_group)(TensorType type);
    /// Weaves `rows` stored rows, `stride` bytes apart, into groups of row_group(type) rows; each group takes
    /// row_group * type_info(type).row_bytes(columns) bytes, and a last one that is not full is filled up with zeros.
    void (*pack)(TensorType type, const std::byte* data, std::size_t stride, std::size_t rows, std::size_t columns,
                 std::byte* out);
    /// Widens one stored row (row.size() a multiple of the type's block).
    void (*dequantize_row)(TensorType type, const std::byte* data, std::span<float> row);

    void (*store_kv)(KvType type, std::span<const float> values, std::byte* out);
    void (*attention)(const AttentionArgs& args);

    /// out = x / sqrt(mean(x^2) + eps) * weight; weight may be empty (all ones). (Zhang & Sennrich 2019.) out may be x.
    void (*rms_norm)(std::span<const float> x, std::span<const float> weight, float eps, std::span<float> out);
    /// Turns the first 2 * cosines.size() elements of `head` in place by the given angles. (Su et al. 2021.)
    void (*rope)(RopeLayout layout, std::span<const float> cosines, std::span<const float> sines,
                 std::span<float> head);
    /// out = silu(gate) * up; silu(x) = x / (1 + exp(-x)). out may be gate.
    void (*silu_multiply)(std::span<const float> gate, std::span<const float> up, std::span<float> out);
    /// out = gelu(gate) * up; gelu by tanh: 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))). out may be gate.
    void (*gelu_multiply)(std::span<const float> gate, std::span<const float> up, std::span<float> out);
    /// x += y
    void (*add)(std::span<float> x, std::span<const float> y);
    /// x += factor * y
    void (*add_scaled)(std::span<float> x, float factor, std::span<const float> y);
    /// x *= factor
    void (*scale)(std::span<float> x, float factor);
    /// x = cap * tanh(x / cap)
    void (*softcap)(std::span<float> x, float cap);
    /// x = exp(x - max) / sum
    void (*softmax)(std::span<float> x);

    /// Does the multiplications of the set's integer products `rounds` times, on registers alone, and gives how many
    /// products of two int8 these were: what a product could reach at most. Null where the set multiplies float32.
    std::size_t (*multiply_peak)(std::size_t rounds);
};

/// The plain one, readable beside its formulas, float32 throughout. Always permitted.
[[nodiscard]] const KernelSet& reference_kernels();

/// A set by name and, if this machine or this build does not permit it, the reason in words.
struct KernelSetStatus {
    std::string name;
    const KernelSet* set = nullptr; ///< Null when not permitted.
    std::string reason;             ///< Why not: "the processor has no AVX-512 VNNI". Empty when permitted.
};

/// All sets, from the plainest to the fastest: reference, avx2, avx512, amx.
[[nodiscard]] std::vector<KernelSetStatus> kernel_sets();

/// The fastest that this machine permits.
[[nodiscard]] const KernelSet& best_kernels();

} // namespace constela::kernels
