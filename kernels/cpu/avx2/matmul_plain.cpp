// SPDX-License-Identifier: GPL-3.0-or-later
//
// F32, F16 and BF16 weights. The order: in a block of 32, lane l is p = w[l] x[l], then fma(w[l+8], x[l+8], p) and so
// on; lanes are added as ((0+1)+(2+3))+((4+5)+(6+7)); block sums are added in order to their segment; segments as the
// same tree. Eight rows go side by side only for their sums across lanes. A last block that is not complete is filled
// up with zeros.
#include "kernels/cpu/avx2/avx2.h"
#include "kernels/cpu/avx2/simd.h"

namespace constela::kernels::avx2 {
namespace {

constexpr size_t kRows = 8;
constexpr size_t kBlock = 32;
constexpr size_t kTokenTile = 32;
constexpr size_t kPanelBlocks = 8;

struct F32 {
    static constexpr size_t kBytes = 4;
    static __m256 load(const uint8_t* at) { return _mm256_loadu_ps(reinterpret_cast<const float*>(at)); }
};

struct F16 {
    static constexpr size_t kBytes = 2;
    static __m256 load(const uint8_t* at) { return _mm256_cvtph_ps(load_bytes_16(at)); }
};

struct Bf16 {
    static constexpr size_t kBytes = 2;
    static __m256 load(const uint8_t* at)
    {
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(load_bytes_16(at)), 16));
    }
};

/// The sums of one block of eight rows, for one token.
template <class Type>
inline __m256 block_sums(const uint8_t* const* rows, const float* x)
{
    __m256 lanes[kRows];
    const __m256 first = _mm256_loadu_ps(x);
    for (size_t r = 0; r < kRows; ++r) {
        lanes[r] = _mm256_mul_ps(Type::load(rows[r]), first);
    }
    for (size_t j = 8; j < kBlock; j += 8) {
        const __m256 values = _mm256_loadu_ps(x + j);
        for (size_t r = 0; r < kRows; ++r) {
            lanes[r] = _mm256_fmadd_ps(Type::load(rows[r] + j * Type::kBytes), values, lanes[r]);
        }
    }
    return sum_lanes_of_8(lanes);
}

/// The same for the last block of rows whose columns are no multiple of 32: `count` elements, then zeros.
template <class Type>
__m256 tail_sums(const uint8_t* const* rows, const float* x, size_t count)
{
    uint8_t weights[kRows][kBlock * Type::kBytes] = {};
    float values[kBlock] = {};
    const uint8_t* at[kRows];
    for (size_t r = 0; r < kRows; ++r) {
        memcpy(weights[r], rows[r], count * Type::kBytes);
        at[r] = weights[r];
    }
    memcpy(values, x, count * sizeof(float));
    return block_sums<Type>(at, values);
}

inline __m256 segment_tree(const __m256* s, unsigned count)
{
    if (count == 1) {
        return s[0];
    }
    if (count == 2) {
        return _mm256_add_ps(s[0], s[1]);
    }
    const __m256 first = _mm256_add_ps(_mm256_add_ps(s[0], s[1]), _mm256_add_ps(s[2], s[3]));
    if (count == 4) {
        return first;
    }
    return _mm256_add_ps(first, _mm256_add_ps(_mm256_add_ps(s[4], s[5]), _mm256_add_ps(s[6], s[7])));
}

/// All asked segments of eight rows and `tokens` tokens.
template <class Type>
void tile(const MatmulArgs& args, const MatmulPlan& plan, size_t row, size_t token, size_t tokens)
{
    __m256 sums[kTokenTile][kSegments];
    const uint8_t* rows[kRows];
    const size_t valid = args.rows - row < kRows ? args.rows - row : kRows;
    for (size_t r = 0; r < kRows; ++r) {
        const size_t real = row + (r < valid ? r : valid - 1);
        rows[r] = reinterpret_cast<const uint8_t*>(args.weights) + real * args.weight_stride;
    }
    for (unsigned s = 0; s < args.segments.count; ++s) {
        for (size_t t = 0; t < tokens; ++t) {
            sums[t][s] = _mm256_setzero_ps();
        }
        // A few blocks at a time, so that their weights are still in the nearest cache for the next token.
        const size_t end = plan.bounds[args.segments.first + s + 1];
        for (size_t first = plan.bounds[args.segments.first + s]; first < end; first += kPanelBlocks) {
            const size_t last = end - first < kPanelBlocks ? end : first + kPanelBlocks;
            for (size_t t = 0; t < tokens; ++t) {
                const auto* x = reinterpret_cast<const float*>(args.x + (token + t) * args.x_stride);
                __m256 sum = sums[t][s];
                for (size_t block = first; block < last; ++block) {
                    const uint8_t* at[kRows];
                    for (size_t r = 0; r < kRows; ++r) {
                        at[r] = rows[r] + block * kBlock * Type::kBytes;
                    }
                    const bool is_whole = block < plan.whole_blocks;
                    const __m256 of_block = is_whole ? block_sums<Type>(at, x + block * kBlock)
                                                     : tail_sums<Type>(at, x + block * kBlock, plan.tail);
                    sum = _mm256_add_ps(sum, of_block);
                }
                sums[t][s] = sum;
            }
        }
    }
    for (size_t t = 0; t < tokens; ++t) {
        const __m256 sum = segment_tree(sums[t], args.segments.count);
        _mm256_maskstore_ps(args.out + (token + t) * args.out_stride + row, first_lanes(valid), sum);
    }
}

template <class Type>
void multiply(const MatmulArgs& args, const MatmulPlan& plan)
{
    for (size_t row = 0; row < args.rows; row += kRows) {
        for (size_t token = 0; token < args.tokens; token += kTokenTile) {
            const size_t left = args.tokens - token;
            tile<Type>(args, plan, row, token, left < kTokenTile ? left : kTokenTile);
        }
    }
}

} // namespace

void matmul_plain(const MatmulArgs& args, const MatmulPlan& plan)
{
    if (args.type == TensorType::F32) {
        multiply<F32>(args, plan);
    } else if (args.type == TensorType::F16) {
        multiply<F16>(args, plan);
    } else {
        multiply<Bf16>(args, plan);
    }
}

} // namespace constela::kernels::avx2
