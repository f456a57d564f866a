// SPDX-License-Identifier: GPL-3.0-or-later
//
// Attention in three steps: scores, softmax, weighted sum of values.
//
// The order of the sums: q . K_p has eight lanes, lane l adding elements l, l + 8, ... by fused multiply-add, lanes
// added as ((0+1)+(2+3))+((4+5)+(6+7)). The softmax adds in eight lanes by p - first. Each element of the result adds
// w_p V_p by fused multiply-add in the order of positions. Positions are taken eight at a time, which, like the pages,
// has no part in that.
#include "kernels/cpu/avx2/avx2.h"
#include "kernels/cpu/avx2/simd.h"
#include "kernels/reference/half.h"

namespace constela::kernels::avx2 {
namespace {

/// How eight stored elements are read; `count` of them are there.
struct F32 {
    static __m256 load(const uint8_t* row, size_t at)
    {
        return _mm256_loadu_ps(reinterpret_cast<const float*>(row) + at);
    }
    static __m256 load_some(const uint8_t* row, size_t at, size_t count)
    {
        return _mm256_maskload_ps(reinterpret_cast<const float*>(row) + at, first_lanes(count));
    }
};

struct F16 {
    static __m256 load(const uint8_t* row, size_t at) { return _mm256_cvtph_ps(load_bytes_16(row + 2 * at)); }
    static __m256 load_some(const uint8_t* row, size_t at, size_t count)
    {
        uint16_t halves[8] = {};
        memcpy(halves, row + 2 * at, 2 * count);
        return _mm256_cvtph_ps(load_bytes_16(halves));
    }
};

struct Q80 {
    static __m256 load(const uint8_t* row, size_t at)
    {
        const uint8_t* block = row + at / 32 * 34;
        const __m256 d = _mm256_set1_ps(_cvtsh_ss(load_u16(block)));
        const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(block + 2 + at % 32));
        return _mm256_mul_ps(d, _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes)));
    }
    static __m256 load_some(const uint8_t* row, size_t at, size_t /*count*/) { return load(row, at); }
};

/// Walks over the rows of positions first, first + 1, ... without a division for each.
class Positions {
public:
    Positions(const std::byte* const* pages, size_t page_positions, size_t head_offset, size_t stride, size_t first)
        : pages_(pages), page_positions_(page_positions), head_offset_(head_offset), stride_(stride),
          page_(first / page_positions), slot_(first % page_positions)
    {
    }

    const uint8_t* next()
    {
        if (slot_ == page_positions_) {
            slot_ = 0;
            ++page_;
        }
        const std::byte* row = pages_[page_] + head_offset_ + slot_ * stride_;
        ++slot_;
        return reinterpret_cast<const uint8_t*>(row);
    }

private:
    const std::byte* const* pages_;
    size_t page_positions_;
    size_t head_offset_;
    size_t stride_;
    size_t page_;
    size_t slot_;
};

/// q . K of eight keys.
template <class Type>
inline __m256 dots(const float* query, const uint8_t* const* keys, size_t size)
{
    __m256 lanes[8];
    for (__m256& lane : lanes) {
        lane = _mm256_setzero_ps();
    }
    size_t j = 0;
    for (; j + 8 <= size; j += 8) {
        const __m256 q = _mm256_loadu_ps(query + j);
        for (size_t i = 0; i < 8; ++i) {
            lanes[i] = _mm256_fmadd_ps(q, Type::load(keys[i], j), lanes[i]);
        }
    }
    if (j < size) {
        const __m256 q = _mm256_maskload_ps(query + j, first_lanes(size - j));
        for (size_t i = 0; i < 8; ++i) {
            lanes[i] = _mm256_fmadd_ps(q, Type::load_some(keys[i], j, size - j), lanes[i]);
        }
    }
    return sum_lanes_of_8(lanes);
}

template <class Type>
void fill_scores(const AttentionArgs& args)
{
    const size_t span = args.last - args.first;
    const __m256 factor = _mm256_set1_ps(args.scale);
    Positions positions(args.key_pages, args.page_positions, args.key_head_offset, args.key_position_stride,
                        args.first);
    for (size_t from = 0; from < span; from += 8) {
        const size_t count = span - from < 8 ? span - from : 8;
        const uint8_t* keys[8];
        for (size_t i = 0; i < 8; ++i) {
            keys[i] = i < count ? positions.next() : keys[count - 1];
        }
        for (size_t g = 0; g < args.group; ++g) {
            const __m256 scores = dots<Type>(args.queries + g * args.head_size, keys, args.head_size);
            _mm256_maskstore_ps(args.scores + g * span + from, first_lanes(count), _mm256_mul_ps(scores, factor));
        }
    }
}

/// Adds `count` weighted values to Vectors * 8 elements of the result of one query, from element `at` on.
template <class Type, size_t Vectors>
inline void mix(const uint8_t* const* values, const float* weights, size_t count, size_t at, float* out)
{
    __m256 sums[Vectors];
    for (size_t v = 0; v < Vectors; ++v) {
        sums[v] = _mm256_loadu_ps(out + at + v * 8);
    }
    for (size_t i = 0; i < count; ++i) {
        const __m256 weight = _mm256_set1_ps(weights[i]);
        for (size_t v = 0; v < Vectors; ++v) {
            sums[v] = _mm256_fmadd_ps(weight, Type::load(values[i], at + v * 8), sums[v]);
        }
    }
    for (size_t v = 0; v < Vectors; ++v) {
        _mm256_storeu_ps(out + at + v * 8, sums[v]);
    }
}

template <class Type>
inline void mix_rest(const uint8_t* const* values, const float* weights, size_t count, size_t at, size_t size,
                     float* out)
{
    const __m256i mask = first_lanes(size - at);
    __m256 sum = _mm256_maskload_ps(out + at, mask);
    for (size_t i = 0; i < count; ++i) {
        const __m256 value = Type::load_some(values[i], at, size - at);
        sum = _mm256_fmadd_ps(_mm256_set1_ps(weights[i]), value, sum);
    }
    _mm256_maskstore_ps(out + at, mask, sum);
}

template <class Type>
void mix_values(const AttentionArgs& args)
{
    constexpr size_t kRun = 32; // positions whose values are used by all queries while they are in the nearest cache
    const size_t span = args.last - args.first;
    const size_t size = args.value_head_size;
    memset(args.out, 0, args.group * size * sizeof(float));
    Positions positions(args.value_pages, args.page_positions, args.value_head_offset, args.value_position_stride,
                        args.first);
    for (size_t from = 0; from < span; from += kRun) {
        const size_t count = span - from < kRun ? span - from : kRun;
        const uint8_t* values[kRun];
        for (size_t i = 0; i < count; ++i) {
            values[i] = positions.next();
        }
        for (size_t g = 0; g < args.group; ++g) {
            const float* weights = args.scores + g * span + from;
            float* out = args.out + g * size;
            size_t at = 0;
            for (; at + 64 <= size; at += 64) {
                mix<Type, 8>(values, weights, count, at, out);
            }
            for (; at + 8 <= size; at += 8) {
                mix<Type, 1>(values, weights, count, at, out);
            }
            if (at < size) {
                mix_rest<Type>(values, weights, count, at, size, out);
            }
        }
    }
}

template <class Type>
void attend(const AttentionArgs& args)
{
    const size_t span = args.last - args.first;
    fill_scores<Type>(args);
    for (size_t g = 0; g < args.group && span > 0; ++g) {
        float* scores = args.scores + g * span;
        if (args.softcap > 0.0F) {
            softcap(scores, args.softcap, span);
        }
        softmax(scores, span);
    }
    mix_values<Type>(args);
}

} // namespace

void attention(const AttentionArgs& args)
{
    switch (args.type) {
    case KvType::f32: return attend<F32>(args);
    case KvType::f16: return attend<F16>(args);
    case KvType::q8_0: return attend<Q80>(args);
    }
}

} // namespace constela::kernels::avx2
