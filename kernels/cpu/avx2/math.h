// SPDX-License-Identifier: GPL-3.0-or-later
//
// exp and tanh on eight lanes. Internal linkage on purpose, see simd.h.
// Coefficients of both polynomials: S. Moshier, Cephes Mathematical Library, single precision (expf, tanhf).
#pragma once

#include "kernels/cpu/avx2/simd.h"

namespace constela::kernels::avx2 {
namespace {

/// e^x within about 1 ulp; 0 below -103.98, infinity above 88.73, NaN stays NaN.
inline __m256 exp(__m256 x)
{
    // The constants stand first: where x is NaN these instructions give their second operand.
    x = _mm256_max_ps(_mm256_set1_ps(-105.0F), x);
    x = _mm256_min_ps(_mm256_set1_ps(89.0F), x);
    // x = n ln 2 + r, |r| <= ln 2 / 2; ln 2 in two parts, the first exact in few bits.
    const __m256 n =
        _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(1.44269504F)), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    __m256 r = _mm256_fnmadd_ps(n, _mm256_set1_ps(0.693359375F), x);
    r = _mm256_fnmadd_ps(n, _mm256_set1_ps(-2.12194440e-4F), r);
    __m256 p = _mm256_set1_ps(1.9875691500e-4F);
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.3981999507e-3F));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(8.3334519073e-3F));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(4.1665795894e-2F));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.6666665459e-1F));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(5.0000001201e-1F));
    p = _mm256_fmadd_ps(p, _mm256_mul_ps(r, r), r);
    p = _mm256_add_ps(p, _mm256_set1_ps(1.0F));
    // 2^n in two factors, since n reaches from -151 to 128.
    const __m256i power = _mm256_cvtps_epi32(n);
    const __m256i half = _mm256_srai_epi32(power, 1);
    const __m256i bias = _mm256_set1_epi32(127);
    const __m256i first = _mm256_slli_epi32(_mm256_add_epi32(half, bias), 23);
    const __m256i second = _mm256_slli_epi32(_mm256_add_epi32(_mm256_sub_epi32(power, half), bias), 23);
    return _mm256_mul_ps(_mm256_mul_ps(p, _mm256_castsi256_ps(first)), _mm256_castsi256_ps(second));
}

/// tanh x within about 2 ulp.
inline __m256 tanh(__m256 x)
{
    const __m256 size = absolute(x);
    const __m256 z = _mm256_mul_ps(x, x);
    __m256 p = _mm256_set1_ps(-5.70498872745e-3F);
    p = _mm256_fmadd_ps(p, z, _mm256_set1_ps(2.06390887954e-2F));
    p = _mm256_fmadd_ps(p, z, _mm256_set1_ps(-5.37397155531e-2F));
    p = _mm256_fmadd_ps(p, z, _mm256_set1_ps(1.33314422036e-1F));
    p = _mm256_fmadd_ps(p, z, _mm256_set1_ps(-3.33332819422e-1F));
    const __m256 small = _mm256_fmadd_ps(_mm256_mul_ps(p, z), x, x);
    // 1 - 2 / (e^(2|x|) + 1), with the sign of x.
    const __m256 one = _mm256_set1_ps(1.0F);
    const __m256 grown = _mm256_add_ps(exp(_mm256_add_ps(size, size)), one);
    const __m256 large = _mm256_sub_ps(one, _mm256_div_ps(_mm256_set1_ps(2.0F), grown));
    const __m256 sign = _mm256_and_ps(x, _mm256_set1_ps(-0.0F));
    const __m256 is_small = _mm256_cmp_ps(size, _mm256_set1_ps(0.625F), _CMP_LT_OQ);
    return _mm256_blendv_ps(_mm256_or_ps(large, sign), small, is_small);
}

} // namespace
} // namespace constela::kernels::avx2
