// SPDX-License-Identifier: GPL-3.0-or-later
//
// The int8 products that AVX2 can do at most, as matmul_quantized.cpp does them: eight pairs of products added in
// int16, which values of four bits allow, before they are widened.
#include "kernels/cpu/avx2/avx2.h"

#include <immintrin.h>

namespace constela::kernels::avx2 {

namespace {

/// Adds the products of a group to those of the groups before.
inline void add_group(__m256i& products, __m256i weights, __m256i values)
{
    products = _mm256_add_epi16(products, _mm256_maddubs_epi16(weights, values));
    __asm__ volatile("" : "+x"(products)); // or the same product would be made but once
}

} // namespace

size_t multiply_peak(size_t rounds)
{
    constexpr size_t kGroups = 8;
    __m256i total[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    __m256i weights = _mm256_set1_epi8(3);
    const __m256i values = _mm256_set1_epi8(-2);
    const __m256i one = _mm256_set1_epi16(1);
    for (size_t round = 0; round < rounds; ++round) {
        __m256i first = _mm256_setzero_si256();
        __m256i second = _mm256_setzero_si256();
        __m256i third = _mm256_setzero_si256();
        __m256i fourth = _mm256_setzero_si256();
#pragma GCC unroll 8
        for (size_t group = 0; group < kGroups; ++group) {
            __asm__ volatile("" : "+x"(weights));
            add_group(first, weights, values);
            add_group(second, weights, values);
            add_group(third, weights, values);
            add_group(fourth, weights, values);
        }
        total[0] = _mm256_add_epi32(total[0], _mm256_madd_epi16(first, one));
        total[1] = _mm256_add_epi32(total[1], _mm256_madd_epi16(second, one));
        total[0] = _mm256_add_epi32(total[0], _mm256_madd_epi16(third, one));
        total[1] = _mm256_add_epi32(total[1], _mm256_madd_epi16(fourth, one));
    }
    __asm__ volatile("" : : "x"(total[0]), "x"(total[1])); // or nothing need be multiplied
    return rounds * kGroups * 4 * 32;
}

} // namespace constela::kernels::avx2
