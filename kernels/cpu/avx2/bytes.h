// SPDX-License-Identifier: GPL-3.0-or-later
//
// Vectors of bytes with AVX2, as kernels/cpu/common/unpack.h wants them: eight rows side by side. Internal linkage on
// purpose, see simd.h.
#pragma once

#include "kernels/cpu/avx2/simd.h"

namespace constela::kernels::avx2 {
namespace {

struct ByteVectors {
    static constexpr size_t kRows = 8;
    using Bytes = __m256i;
    using Floats = __m256;

    static Bytes load_bytes(const void* data) { return avx2::load_bytes(data); }
    static void store_bytes(void* data, Bytes value) { avx2::store_bytes(data, value); }
    static Floats load(const float* data) { return _mm256_loadu_ps(data); }
    static void store(float* data, Floats value) { _mm256_storeu_ps(data, value); }

    static Floats zero() { return _mm256_setzero_ps(); }
    static Floats fill(float value) { return _mm256_set1_ps(value); }
    static Floats add(Floats a, Floats b) { return _mm256_add_ps(a, b); }
    static Floats multiply(Floats a, Floats b) { return _mm256_mul_ps(a, b); }
    static Floats multiply_add(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
    static Floats multiply_subtract(Floats a, Floats b, Floats c) { return _mm256_fmsub_ps(a, b, c); }

    static Floats to_floats(Bytes words) { return _mm256_cvtepi32_ps(words); }
    static Bytes multiply32(Bytes a, Bytes b) { return _mm256_mullo_epi32(a, b); }
    /// Byte `place` of each word, widened.
    template <bool Signed>
    static Bytes byte_of(Bytes words, size_t place)
    {
        const Bytes high = _mm256_sll_epi32(words, _mm_cvtsi32_si128(static_cast<int>(24 - 8 * place)));
        return Signed ? _mm256_srai_epi32(high, 24) : _mm256_srli_epi32(high, 24);
    }
    /// The lower (0) or upper (1) int16 of each word, widened.
    static Bytes half_of(Bytes words, size_t half)
    {
        return _mm256_srai_epi32(_mm256_sll_epi32(words, _mm_cvtsi32_si128(static_cast<int>(16 - 16 * half))), 16);
    }

    static Floats widen_halves(const void* data) { return _mm256_cvtph_ps(load_bytes_16(data)); }
    static Bytes widen_shorts(const void* data) { return _mm256_cvtepu16_epi32(load_bytes_16(data)); }
    static Bytes widen_bytes(const void* data)
    {
        return _mm256_cvtepu8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(data)));
    }

    static Bytes fill8(int value) { return _mm256_set1_epi8(static_cast<char>(value)); }
    static Bytes fill32(int value) { return _mm256_set1_epi32(value); }
    static Bytes words128(int a, int b, int c, int d) { return _mm256_setr_epi32(a, b, c, d, a, b, c, d); }
    static Bytes repeat128(const void* data) { return _mm256_broadcastsi128_si256(load_bytes_16(data)); }

    static Bytes both(Bytes a, Bytes b) { return _mm256_and_si256(a, b); }
    static Bytes either(Bytes a, Bytes b) { return _mm256_or_si256(a, b); }
    static Bytes sub8(Bytes a, Bytes b) { return _mm256_sub_epi8(a, b); }
    static Bytes add32(Bytes a, Bytes b) { return _mm256_add_epi32(a, b); }
    static Bytes sub32(Bytes a, Bytes b) { return _mm256_sub_epi32(a, b); }
    static Bytes shuffle(Bytes bytes, Bytes places) { return _mm256_shuffle_epi8(bytes, places); }
    /// `value` in the bytes that have all of `bits`, else zero.
    static Bytes where_bits(Bytes bytes, Bytes bits, Bytes value)
    {
        return _mm256_and_si256(_mm256_cmpeq_epi8(_mm256_and_si256(bytes, bits), bits), value);
    }
    template <int Bits>
    static Bytes left16(Bytes value)
    {
        return _mm256_slli_epi16(value, Bits);
    }
    template <int Bits>
    static Bytes right16(Bytes value)
    {
        return _mm256_srli_epi16(value, Bits);
    }
    template <int Bits>
    static Bytes right16_signed(Bytes value)
    {
        return _mm256_srai_epi16(value, Bits);
    }
    template <int Bits>
    static Bytes left32(Bytes value)
    {
        return _mm256_slli_epi32(value, Bits);
    }
    template <int Bits>
    static Bytes right32(Bytes value)
    {
        return _mm256_srli_epi32(value, Bits);
    }

    /// 2^(e - 128) from the exponents e: the bits of a float32, subnormal for the two smallest.
    static Floats power_of_two(Bytes exponents)
    {
        const __m256i normal = _mm256_slli_epi32(_mm256_sub_epi32(exponents, _mm256_set1_epi32(1)), 23);
        const __m256i subnormal = _mm256_sllv_epi32(_mm256_set1_epi32(0x00200000), exponents);
        const __m256i small = _mm256_cmpgt_epi32(_mm256_set1_epi32(2), exponents);
        return _mm256_castsi256_ps(_mm256_blendv_epi8(normal, subnormal, small));
    }

    /// Weights without a sign as this set's product takes them: as they are stored, with their offset.
    template <int Offset>
    static Bytes stored_quants(Bytes quants)
    {
        return quants;
    }
    /// Signed weights as this set's product takes them: as they are.
    static Bytes signed_quants(Bytes quants) { return quants; }
    /// A pair of equal int16 scales as this set's product takes it: as it is.
    static Bytes factor_pair(Bytes pair) { return pair; }
};

} // namespace
} // namespace constela::kernels::avx2
