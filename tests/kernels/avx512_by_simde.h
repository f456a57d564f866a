// SPDX-License-Identifier: GPL-3.0-or-later
//
// AVX-512 for processors that have none, by SIMDe, so that the avx512 sources are tested bit for bit on any machine.
// Below stand the few that SIMDe 0.7.4 lacks or has wrong.
#pragma once

// NOLINTBEGIN(bugprone-reserved-identifier): the names of the intrinsics are what is replaced here.
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>
#include <simde/x86/f16c.h>

// SIMDe gives this alias the parameters of the masked form.
#undef _mm512_madd_epi16
#define _mm512_madd_epi16(a, b) simde_mm512_madd_epi16(a, b)

static inline simde__m512 constela_cvtepi32_ps(simde__m512i value)
{
    const simde__m512i_private from = simde__m512i_to_private(value);
    simde__m512_private to;
    for (int lane = 0; lane < 16; ++lane) {
        to.f32[lane] = static_cast<float>(from.i32[lane]);
    }
    return simde__m512_from_private(to);
}
#undef _mm512_cvtepi32_ps
#define _mm512_cvtepi32_ps(value) constela_cvtepi32_ps(value)

static inline simde__m512i constela_srai_epi32(simde__m512i value, unsigned count)
{
    simde__m512i_private lanes = simde__m512i_to_private(value);
    for (int lane = 0; lane < 16; ++lane) {
        lanes.i32[lane] >>= count;
    }
    return simde__m512i_from_private(lanes);
}
#undef _mm512_srai_epi32
#define _mm512_srai_epi32(value, count) constela_srai_epi32(value, count)

// SIMDe's own multiply and add apart where vectors are not 256 bits wide; the kernels promise one rounding.
static inline simde__m512 constela_fused(simde__m512 a, simde__m512 b, simde__m512 c, float sign)
{
    simde__m512_private left = simde__m512_to_private(a);
    const simde__m512_private right = simde__m512_to_private(b);
    const simde__m512_private third = simde__m512_to_private(c);
    for (int lane = 0; lane < 16; ++lane) {
        left.f32[lane] = __builtin_fmaf(left.f32[lane], right.f32[lane], sign * third.f32[lane]);
    }
    return simde__m512_from_private(left);
}
#undef _mm512_fmadd_ps
#define _mm512_fmadd_ps(a, b, c) constela_fused(a, b, c, 1.0F)
#undef _mm512_fmsub_ps
#define _mm512_fmsub_ps(a, b, c) constela_fused(a, b, c, -1.0F)

static inline simde__m512 constela_cvtph_ps(simde__m256i halves)
{
    const simde__m256 low = simde_mm256_cvtph_ps(simde_mm256_castsi256_si128(halves));
    const simde__m256 high = simde_mm256_cvtph_ps(simde_mm256_extracti128_si256(halves, 1));
    simde__m512_private to;
    to.m256[0] = low;
    to.m256[1] = high;
    return simde__m512_from_private(to);
}
#undef _mm512_cvtph_ps
#define _mm512_cvtph_ps(halves) constela_cvtph_ps(halves)

static inline simde__m512i constela_two(simde__m256i low, simde__m256i high)
{
    simde__m512i_private to;
    to.m256i[0] = low;
    to.m256i[1] = high;
    return simde__m512i_from_private(to);
}
#undef _mm512_cvtepu16_epi32
#define _mm512_cvtepu16_epi32(shorts)                                                                                  \
    constela_two(simde_mm256_cvtepu16_epi32(simde_mm256_castsi256_si128(shorts)),                                      \
                 simde_mm256_cvtepu16_epi32(simde_mm256_extracti128_si256(shorts, 1)))
#undef _mm512_cvtepu8_epi32
#define _mm512_cvtepu8_epi32(bytes)                                                                                    \
    constela_two(simde_mm256_cvtepu8_epi32(bytes), simde_mm256_cvtepu8_epi32(simde_mm_srli_si128(bytes, 8)))
// NOLINTEND(bugprone-reserved-identifier)
