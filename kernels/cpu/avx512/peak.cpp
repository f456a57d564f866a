// SPDX-License-Identifier: GPL-3.0-or-later
//
// The int8 products that AVX-512 VNNI can do at most: vpdpbusd with as many sums as hide how long one takes.
#include "kernels/cpu/avx512/avx512.h"

#include <immintrin.h>

namespace constela::kernels::CONSTELA_AVX512 {

size_t multiply_peak(size_t rounds)
{
    constexpr size_t kSums = 16;
    __m512i total[kSums];
    for (size_t k = 0; k < kSums; ++k) {
        total[k] = _mm512_setzero_si512();
    }
    const __m512i weights = _mm512_set1_epi8(3);
    const __m512i values = _mm512_set1_epi8(-2);
    for (size_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 16
        for (size_t k = 0; k < kSums; ++k) {
            total[k] = _mm512_dpbusd_epi32(total[k], weights, values);
        }
    }
    for (size_t k = 0; k < kSums; ++k) {
        __asm__ volatile("" : : "v"(total[k])); // or nothing need be multiplied
    }
    return rounds * kSums * 64;
}

} // namespace constela::kernels::CONSTELA_AVX512
