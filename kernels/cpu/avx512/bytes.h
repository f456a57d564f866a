// SPDX-License-Identifier: GPL-3.0-or-later
//
// Vectors of bytes with AVX-512, as kernels/cpu/common/unpack.h wants them: sixteen rows side by side. To be included
// after the intrinsics (see avx512/matmul_quantized.cpp). Internal linkage on purpose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace constela::kernels::CONSTELA_AVX512 {
namespace {

struct ByteVectors {
    static constexpr size_t kRows = 16;
    using Bytes = __m512i;
    using Floats = __m512;

    static Bytes load_bytes(const void* data) { return _mm512_loadu_si512(data); }
    static void store_bytes(void* data, Bytes value) { _mm512_storeu_si512(data, value); }
    static Floats load(const float* data) { return _mm512_loadu_ps(data); }
    static void store(float* data, Floats value) { _mm512_storeu_ps(data, value); }

    static Floats zero() { return _mm512_setzero_ps(); }
    static Floats fill(float value) { return _mm512_set1_ps(value); }
    static Floats add(Floats a, Floats b) { return _mm512_add_ps(a, b); }
    static Floats multiply(Floats a, Floats b) { return _mm512_mul_ps(a, b); }
    static Floats multiply_add(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
    static Floats multiply_subtract(Floats a, Floats b, Floats c) { return _mm512_fmsub_ps(a, b, c); }

    static Floats to_floats(Bytes words) { return _mm512_cvtepi32_ps(words); }
    static Bytes multiply32(Bytes a, Bytes b) { return _mm512_mullo_epi32(a, b); }
    /// Byte `place` of each word, widened.
    template <bool Signed>
    static Bytes byte_of(Bytes words, size_t place)
    {
        const Bytes high = _mm512_sll_epi32(words, _mm_cvtsi32_si128(static_cast<int>(24 - 8 * place)));
        return Signed ? _mm512_srai_epi32(high, 24) : _mm512_srli_epi32(high, 24);
    }
    /// The lower (0) or upper (1) int16 of each word, widened.
    static Bytes half_of(Bytes words, size_t half)
    {
        return _mm512_srai_epi32(_mm512_sll_epi32(words, _mm_cvtsi32_si128(static_cast<int>(16 - 16 * half))), 16);
    }

    static Floats widen_halves(const void* data)
    {
        return _mm512_cvtph_ps(_mm256_loadu_si256(static_cast<const __m256i*>(data)));
    }
    static Bytes widen_shorts(const void* data)
    {
        return _mm512_cvtepu16_epi32(_mm256_loadu_si256(static_cast<const __m256i*>(data)));
    }
    static Bytes widen_bytes(const void* data)
    {
        return _mm512_cvtepu8_epi32(_mm_loadu_si128(static_cast<const __m128i*>(data)));
    }

    static Bytes fill8(int value) { return _mm512_set1_epi8(static_cast<char>(value)); }
    static Bytes fill32(int value) { return _mm512_set1_epi32(value); }
    static Bytes words128(int a, int b, int c, int d) { return _mm512_broadcast_i32x4(_mm_setr_epi32(a, b, c, d)); }
    static Bytes repeat128(const void* data)
    {
        return _mm512_broadcast_i32x4(_mm_loadu_si128(static_cast<const __m128i*>(data)));
    }

    static Bytes both(Bytes a, Bytes b) { return _mm512_and_si512(a, b); }
    static Bytes either(Bytes a, Bytes b) { return _mm512_or_si512(a, b); }
    static Bytes sub8(Bytes a, Bytes b) { return _mm512_sub_epi8(a, b); }
    static Bytes add32(Bytes a, Bytes b) { return _mm512_add_epi32(a, b); }
    static Bytes sub32(Bytes a, Bytes b) { return _mm512_sub_epi32(a, b); }
    static Bytes shuffle(Bytes bytes, Bytes places) { return _mm512_shuffle_epi8(bytes, places); }
    /// `value` in the bytes that have one of `bits`, else zero; `bits` has one in each byte.
    static Bytes where_bits(Bytes bytes, Bytes bits, Bytes value)
    {
        return _mm512_maskz_mov_epi8(_mm512_test_epi8_mask(bytes, bits), value);
    }
    template <int Bits>
    static Bytes left16(Bytes value)
    {
        return _mm512_slli_epi16(value, Bits);
    }
    template <int Bits>
    static Bytes right16(Bytes value)
    {
        return _mm512_srli_epi16(value, Bits);
    }
    template <int Bits>
    static Bytes right16_signed(Bytes value)
    {
        return _mm512_srai_epi16(value, Bits);
    }
    template <int Bits>
    static Bytes left32(Bytes value)
    {
        return _mm512_slli_epi32(value, Bits);
    }
    template <int Bits>
    static Bytes right32(Bytes value)
    {
        return _mm512_srli_epi32(value, Bits);
    }

    /// 2^(e - 128) from the exponents e: the bits of a float32, subnormal for the two smallest.
    static Floats power_of_two(Bytes exponents)
    {
        const __m512i normal = _mm512_slli_epi32(_mm512_sub_epi32(exponents, _mm512_set1_epi32(1)), 23);
        const __m512i subnormal = _mm512_sllv_epi32(_mm512_set1_epi32(0x00200000), exponents);
        const __mmask16 small = _mm512_cmpgt_epi32_mask(_mm512_set1_epi32(2), exponents);
        return _mm512_castsi512_ps(_mm512_mask_mov_epi32(normal, small, subnormal));
    }

    /// Weights without a sign as this set's product takes them: as they are stored, with their offset.
    template <int Offset>
    static Bytes stored_quants(Bytes quants)
    {
        return quants;
    }
    /// vpdpbusd takes weights without a sign: with 128 added, which the product takes back.
    static Bytes signed_quants(Bytes quants)
    {
        return _mm512_xor_si512(quants, _mm512_set1_epi8(static_cast<char>(0x80)));
    }
    /// (s, 256 s) for a pair of equal int16 scales s: what multiplies the low byte of a sum and the rest of it.
    static Bytes factor_pair(Bytes pair) { return _mm512_mullo_epi16(pair, _mm512_set1_epi32(0x01000001)); }
};

} // namespace
} // namespace constela::kernels::CONSTELA_AVX512
