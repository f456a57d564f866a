// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small vector helpers of the AVX2 sources. Internal linkage on purpose: another source must never link to a copy
// that was compiled for AVX2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <immintrin.h>

namespace constela::kernels::avx2 {
namespace {

/// Calls step(i, mask) for each run of eight of `count` elements; all bits of the mask's first lanes are set.
inline __m256i first_lanes(size_t count)
{
    const __m256i order = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count < 8 ? count : 8)), order);
}

/// ((0+1)+(2+3))+((4+5)+(6+7))
inline float sum_lanes(__m256 lanes)
{
    const __m256 pairs = _mm256_hadd_ps(lanes, lanes);
    const __m256 quads = _mm256_hadd_ps(pairs, pairs);
    return _mm_cvtss_f32(_mm_add_ss(_mm256_castps256_ps128(quads), _mm256_extractf128_ps(quads, 1)));
}

/// The sums of eight vectors, each as sum_lanes() has it.
inline __m256 sum_lanes_of_8(const __m256* v)
{
    const __m256 low = _mm256_hadd_ps(_mm256_hadd_ps(v[0], v[1]), _mm256_hadd_ps(v[2], v[3]));
    const __m256 high = _mm256_hadd_ps(_mm256_hadd_ps(v[4], v[5]), _mm256_hadd_ps(v[6], v[7]));
    return _mm256_add_ps(_mm256_permute2f128_ps(low, high, 0x20), _mm256_permute2f128_ps(low, high, 0x31));
}

inline float largest_lane(__m256 lanes)
{
    __m128 v = _mm_max_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
    v = _mm_max_ps(v, _mm_movehl_ps(v, v));
    v = _mm_max_ss(v, _mm_movehdup_ps(v));
    return _mm_cvtss_f32(v);
}

inline __m256 absolute(__m256 x)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), x);
}

inline __m256i load_bytes(const void* data)
{
    return _mm256_loadu_si256(static_cast<const __m256i*>(data));
}

inline void store_bytes(void* data, __m256i value)
{
    _mm256_storeu_si256(static_cast<__m256i*>(data), value);
}

inline __m128i load_bytes_16(const void* data)
{
    return _mm_loadu_si128(static_cast<const __m128i*>(data));
}

} // namespace
} // namespace constela::kernels::avx2
