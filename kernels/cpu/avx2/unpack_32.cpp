// SPDX-License-Identifier: GPL-3.0-or-later
//
// Panels of the types with blocks of 32. Layouts: kernels/reference/dequantize_linear.cpp and dequantize_table.cpp.
#include "kernels/cpu/avx2/transpose.h"
#include "kernels/reference/k_scales.h"

namespace constela::kernels::avx2 {
namespace {

constexpr size_t kBlockGroups = 8;

/// Calls each(rows at the block, index, first group) for every block and keeps the loop out of the formats.
template <class Each>
void for_blocks(const uint8_t* const* rows, size_t first, size_t blocks, size_t block_bytes, const Each& each)
{
    EightRows at(rows, first * block_bytes);
    for (size_t b = 0; b < blocks; ++b, at.advance(block_bytes)) {
        each(at, b, b * kBlockGroups);
    }
}

inline __m256i table(const int8_t (&values)[16], int add)
{
    alignas(16) int8_t bytes[16];
    for (size_t i = 0; i < 16; ++i) {
        bytes[i] = static_cast<int8_t>(values[i] + add);
    }
    return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(bytes)));
}

inline void put_nibbles(const EightRows& block, size_t offset, const PanelPlaces& panel, size_t group)
{
    __m256i packed[4];
    transpose_16(block, offset, packed);
    for (size_t i = 0; i < 4; ++i) {
        put_group(panel, group + i, low_nibbles(packed[i]));
        put_group(panel, group + 4 + i, high_nibbles(packed[i]));
    }
}

inline void put_table_values(const EightRows& block, size_t offset, __m256i values, const PanelPlaces& panel,
                             size_t group)
{
    __m256i packed[4];
    transpose_16(block, offset, packed);
    for (size_t i = 0; i < 4; ++i) {
        put_group(panel, group + i, _mm256_shuffle_epi8(values, low_nibbles(packed[i])));
        put_group(panel, group + 4 + i, _mm256_shuffle_epi8(values, high_nibbles(packed[i])));
    }
}

/// Bits 4 g to 4 g + 3 of each row's word, each as 0x10 in a byte of its own.
inline __m256i fifth_bits(__m256i words, size_t group)
{
    const auto byte = static_cast<char>(group / 2);
    const __m128i one = _mm_setr_epi8(
        byte, byte, byte, byte, static_cast<char>(byte + 4), static_cast<char>(byte + 4), static_cast<char>(byte + 4),
        static_cast<char>(byte + 4), static_cast<char>(byte + 8), static_cast<char>(byte + 8),
        static_cast<char>(byte + 8), static_cast<char>(byte + 8), static_cast<char>(byte + 12),
        static_cast<char>(byte + 12), static_cast<char>(byte + 12), static_cast<char>(byte + 12));
    const __m256i bits = _mm256_set1_epi32(static_cast<int>(group % 2 == 0 ? 0x08040201U : 0x80402010U));
    const __m256i spread = _mm256_shuffle_epi8(words, _mm256_broadcastsi128_si256(one));
    return _mm256_and_si256(_mm256_cmpeq_epi8(_mm256_and_si256(spread, bits), bits), _mm256_set1_epi8(0x10));
}

inline void put_five_bits(const EightRows& block, size_t high_offset, const PanelPlaces& panel, size_t group)
{
    const __m256i high = words_at(block, high_offset);
    __m256i packed[4];
    transpose_16(block, high_offset + 4, packed);
    for (size_t i = 0; i < 4; ++i) {
        put_group(panel, group + i, _mm256_or_si256(low_nibbles(packed[i]), fifth_bits(high, i)));
        put_group(panel, group + 4 + i, _mm256_or_si256(high_nibbles(packed[i]), fifth_bits(high, 4 + i)));
    }
}

inline void put_scale(const PanelPlaces& panel, size_t block, __m256 scale)
{
    _mm256_storeu_ps(panel.scales + block * panel.rows, scale);
}

inline void put_scale_and_minimum(const EightRows& rows, const PanelPlaces& panel, size_t block)
{
    __m256 d;
    __m256 m;
    split_halves(words_at(rows, 0), d, m);
    put_scale(panel, block, d);
    _mm256_storeu_ps(panel.minima + block * panel.rows, m);
}

} // namespace

void unpack_q4_0(const uint8_t* const* rows, size_t first, size_t blocks, PanelPlaces panel)
{
    for_blocks(rows, first, blocks, 18, [&](const EightRows& at, size_t block, size_t group) {
        put_scale(panel, block, halves_at(at, 0));
        put_nibbles(at, 2, panel, group);
    });
}

void unpack_q4_1(const uint8_t* const* rows, size_t first, size_t blocks, PanelPlaces panel)
{
    for_blocks(rows, first, blocks, 20, [&](const EightRows& at, size_t block, size_t group) {
        put_scale_and_minimum(at, panel, block);
        put_nibbles(at, 4, panel, group);
    });
}

void unpack_q5_0(const uint8_t* const* rows, size_t first, size_t blocks, PanelPlaces panel)
{
    for_blocks(rows, first, blocks, 22, [&](const EightRows& at, size_t block, size_t group) {
        put_scale(panel, block, halves_at(at, 0));
        put_five_bits(at, 2, panel, group);
    });
}

void unpack_q5_1(const uint8_t* const* rows, size_t first, size_t blocks, PanelPlaces panel)
{
    for_blocks(rows, first, blocks, 24, [&](const EightRows& at, size_t block, size_t group) {
        put_scale_and_minimum(at, panel, block);
        put_five_bits(at, 4, panel, group);
    });
}

void unpack_q8_0(const uint8_t* const* rows, size_t first, size_t blocks, PanelPlaces panel)
{
    for_blocks(rows, first, blocks, 34, [&](const EightRows& at, size_t block, size_t group) {
        put_scale(panel, block, halves_at(at, 0));
        for (size_t half = 0; half < 2; ++half) {
            __m256i words[4];
            transpose_16(at, 2 + 16 * half, words);
            for (size_t i = 0; i < 4; ++i) {
                put_group(panel, group + 4 * half + i, words[i]);
            }
        }
    });
}

void unpack_iq4_nl(const uint8_t* const* rows, size_t first, size_t blocks, PanelPlaces panel)
{
    const __m256i values = table(kIq4Values, 0);
    for_blocks(rows, first, blocks, 18, [&](const EightRows& at, size_t block, size_t group) {
        put_scale(panel, block, halves_at(at, 0));
        put_table_values(at, 2, values, panel, group);
    });
}

void unpack_mxfp4(const uint8_t* const* rows, size_t first, size_t blocks, PanelPlaces panel)
{
    const __m256i values = table(kMxfp4Values, 12); // the offset makes them fit the unsigned product
    for_blocks(rows, first, blocks, 17, [&](const EightRows& at, size_t block, size_t group) {
        const auto exponent = [&](size_t r) { return static_cast<int>(*at.row(r, 0)); };
        const __m256i e = _mm256_setr_epi32(exponent(0), exponent(1), exponent(2), exponent(3), exponent(4),
                                            exponent(5), exponent(6), exponent(7));
        // 2^(e - 128) as the bits of a float32; subnormal for the two smallest.
        const __m256i normal = _mm256_slli_epi32(_mm256_sub_epi32(e, _mm256_set1_epi32(1)), 23);
        const __m256i subnormal = _mm256_sllv_epi32(_mm256_set1_epi32(0x00200000), e);
        const __m256i small = _mm256_cmpgt_epi32(_mm256_set1_epi32(2), e);
        put_scale(panel, block, _mm256_castsi256_ps(_mm256_blendv_epi8(normal, subnormal, small)));
        put_table_values(at, 1, values, panel, group);
    });
}

} // namespace constela::kernels::avx2
