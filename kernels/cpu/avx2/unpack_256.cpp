// SPDX-License-Identifier: GPL-3.0-or-later
//
// Panels of the types with blocks of 256; a panel holds one block. Layouts: kernels/reference/dequantize_k.cpp and
// dequantize_table.cpp. Everything is unpacked after the transposition, on words that hold the same four bytes of
// eight rows: also the packed scales, whose bytes need only be spread to pairs of int16.
#include "kernels/cpu/avx2/transpose.h"
#include "kernels/reference/k_scales.h"

namespace constela::kernels::avx2 {
namespace {

/// Bytes i and j of each word, as the high bytes of the word's two int16.
inline __m256i high_bytes(__m256i words, size_t i, size_t j)
{
    const auto a = static_cast<int>(i);
    const auto b = static_cast<int>(j);
    const int pattern = 0x00800080 | a << 8 | b << 24;
    const __m256i base =
        _mm256_setr_epi32(0, 0x04000400, 0x08000800, 0x0C000C00, 0, 0x04000400, 0x08000800, 0x0C000C00);
    return _mm256_shuffle_epi8(words, _mm256_add_epi32(_mm256_set1_epi32(pattern), base));
}

/// The int8 scale in byte s % 4 of words[s / 4], twice, for each of `count` sub-blocks.
inline void put_factors(const PanelPlaces& panel, const __m256i* words, size_t count)
{
    for (size_t s = 0; s < count; ++s) {
        const __m256i pair = _mm256_srai_epi16(high_bytes(words[s / 4], s % 4, s % 4), 8);
        store_bytes(panel.factors + s * panel.rows * 2, pair);
    }
}

/// What multiplies the sums of 16 activations: bytes 2 k and 2 k + 1 of four words, shifted right by Shift - 8 bits
/// (so 8 takes the int8 as it is, 3 takes it times 32).
template <int Shift>
inline void put_weights_of_16(const PanelPlaces& panel, const __m256i* words)
{
    for (size_t k = 0; k < 8; ++k) {
        const size_t i = 2 * k % 4;
        store_bytes(panel.weights + k * panel.rows * 2, _mm256_srai_epi16(high_bytes(words[k / 2], i, i + 1), Shift));
    }
}

/// The same for sub-blocks of 32: both sums of 16 take byte k of two words.
inline void put_weights_of_32(const PanelPlaces& panel, const __m256i* words)
{
    for (size_t k = 0; k < 8; ++k) {
        const __m256i pair = _mm256_srai_epi16(high_bytes(words[k / 4], k % 4, k % 4), 8);
        store_bytes(panel.weights + k * panel.rows * 2, pair);
    }
}

inline void put_scale_and_minimum(const PanelPlaces& panel, __m256i words)
{
    __m256 d;
    __m256 dmin;
    split_halves(words, d, dmin);
    _mm256_storeu_ps(panel.scales, d);
    _mm256_storeu_ps(panel.minima, dmin);
}

/// The 16 bytes that Q4_K and Q5_K begin with: d, dmin, and the packed scales and minima.
inline void put_q4_k_header(const EightRows& block, const PanelPlaces& panel)
{
    __m256i words[4];
    transpose_16(block, 0, words);
    put_scale_and_minimum(panel, words[0]);
    const __m256i six = _mm256_set1_epi8(0x3F);
    const __m256i two = _mm256_set1_epi8(0x30);
    const __m256i rest_of_scales = _mm256_and_si256(_mm256_srli_epi16(words[1], 2), two);
    const __m256i rest_of_minima = _mm256_and_si256(_mm256_srli_epi16(words[2], 2), two);
    const __m256i scales[2] = {_mm256_and_si256(words[1], six), _mm256_or_si256(low_nibbles(words[3]), rest_of_scales)};
    const __m256i minima[2] = {_mm256_and_si256(words[2], six),
                               _mm256_or_si256(high_nibbles(words[3]), rest_of_minima)};
    put_factors(panel, scales, 8);
    put_weights_of_32(panel, minima);
}

inline __m256i field(__m256i bytes, size_t index)
{
    const __m128i shift = _mm_cvtsi32_si128(static_cast<int>(2 * index));
    return _mm256_and_si256(_mm256_srl_epi16(bytes, shift), _mm256_set1_epi8(3));
}

} // namespace

void unpack_q2_k(const uint8_t* const* rows, size_t first, size_t /*blocks*/, PanelPlaces panel)
{
    const EightRows block(rows, first * 84);
    __m256i packed[4];
    __m256i scales[4];
    __m256i minima[4];
    transpose_16(block, 0, packed);
    for (size_t i = 0; i < 4; ++i) {
        scales[i] = low_nibbles(packed[i]);
        minima[i] = high_nibbles(packed[i]);
    }
    put_factors(panel, scales, 16);
    put_weights_of_16<8>(panel, minima);
    put_scale_and_minimum(panel, words_at(block, 80));
    for (size_t part = 0; part < 4; ++part) { // 16 bytes: part % 2 of the half part / 2
        transpose_16(block, 16 + 16 * part, packed);
        for (size_t f = 0; f < 4; ++f) {
            for (size_t i = 0; i < 4; ++i) {
                put_group(panel, part / 2 * 32 + f * 8 + part % 2 * 4 + i, field(packed[i], f));
            }
        }
    }
}

void unpack_q3_k(const uint8_t* const* rows, size_t first, size_t /*blocks*/, PanelPlaces panel)
{
    const EightRows block(rows, first * 110);
    // The last 16 bytes of the block are two of the quants, 12 of the scales and d; turned by two bytes they are
    // three words of scales and a word that ends in d.
    const __m128i turn = _mm_setr_epi8(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1, 14, 15);
    __m256i pairs[4];
    for (size_t r = 0; r < 4; ++r) {
        pairs[r] = _mm256_shuffle_epi8(two_rows(block, r, 94), _mm256_broadcastsi128_si256(turn));
    }
    __m256i words[4];
    transpose_words(pairs, words);
    __m256 unused;
    __m256 d;
    split_halves(words[3], unused, d);
    _mm256_storeu_ps(panel.scales, d);

    const __m256i two = _mm256_set1_epi8(0x30);
    const __m256i high[4] = {_mm256_and_si256(_mm256_slli_epi16(words[2], 4), two),
                             _mm256_and_si256(_mm256_slli_epi16(words[2], 2), two), _mm256_and_si256(words[2], two),
                             _mm256_and_si256(_mm256_srli_epi16(words[2], 2), two)};
    const __m256i low[4] = {low_nibbles(words[0]), low_nibbles(words[1]), high_nibbles(words[0]),
                            high_nibbles(words[1])};
    __m256i scales[4];
    for (size_t i = 0; i < 4; ++i) {
        scales[i] = _mm256_sub_epi8(_mm256_or_si256(low[i], high[i]), _mm256_set1_epi8(32));
    }
    put_factors(panel, scales, 16);
    put_weights_of_16<6>(panel, scales); // 4 is the offset of a stored value

    __m256i mask[8];
    transpose_16(block, 0, mask);
    transpose_16(block, 16, mask + 4);
    for (size_t half = 0; half < 2; ++half) {
        __m256i packed[8];
        transpose_16(block, 32 + 32 * half, packed);
        transpose_16(block, 48 + 32 * half, packed + 4);
        for (size_t f = 0; f < 4; ++f) {
            const __m128i bit = _mm_cvtsi32_si128(static_cast<int>(half * 4 + f));
            for (size_t i = 0; i < 8; ++i) {
                const __m256i third = _mm256_and_si256(_mm256_srl_epi16(mask[i], bit), _mm256_set1_epi8(1));
                put_group(panel, half * 32 + f * 8 + i,
                          _mm256_or_si256(field(packed[i], f), _mm256_slli_epi16(third, 2)));
            }
        }
    }
}

void unpack_q4_k(const uint8_t* const* rows, size_t first, size_t /*blocks*/, PanelPlaces panel)
{
    const EightRows block(rows, first * 144);
    put_q4_k_header(block, panel);
    for (size_t part = 0; part < 8; ++part) { // 16 bytes: part % 2 of the 32 bytes that hold 64 elements
        __m256i packed[4];
        transpose_16(block, 16 + 16 * part, packed);
        const size_t group = part / 2 * 16 + part % 2 * 4;
        for (size_t i = 0; i < 4; ++i) {
            put_group(panel, group + i, low_nibbles(packed[i]));
            put_group(panel, group + 8 + i, high_nibbles(packed[i]));
        }
    }
}

void unpack_q5_k(const uint8_t* const* rows, size_t first, size_t /*blocks*/, PanelPlaces panel)
{
    const EightRows block(rows, first * 176);
    put_q4_k_header(block, panel);
    __m256i high[8];
    transpose_16(block, 16, high);
    transpose_16(block, 32, high + 4);
    const __m256i first_bit = _mm256_set1_epi8(1);
    const __m256i second_bit = _mm256_set1_epi8(2);
    for (size_t part = 0; part < 4; ++part) { // 32 bytes that hold 64 elements
        __m256i packed[8];
        transpose_16(block, 48 + 32 * part, packed);
        transpose_16(block, 64 + 32 * part, packed + 4);
        for (size_t i = 0; i < 8; ++i) {
            const __m256i fifth_low = _mm256_slli_epi16(_mm256_and_si256(high[i], first_bit), 4);
            const __m256i fifth_high = _mm256_slli_epi16(_mm256_and_si256(high[i], second_bit), 3);
            put_group(panel, part * 16 + i, _mm256_or_si256(low_nibbles(packed[i]), fifth_low));
            put_group(panel, part * 16 + 8 + i, _mm256_or_si256(high_nibbles(packed[i]), fifth_high));
            high[i] = _mm256_srli_epi16(high[i], 2);
        }
    }
}

void unpack_q6_k(const uint8_t* const* rows, size_t first, size_t /*blocks*/, PanelPlaces panel)
{
    const EightRows block(rows, first * 210);
    __m256i scales[4];
    transpose_16(block, 192, scales);
    put_factors(panel, scales, 16);
    put_weights_of_16<3>(panel, scales); // 32 is the offset of a stored value
    _mm256_storeu_ps(panel.scales, halves_at(block, 208));
    const __m256i fields[4] = {_mm256_set1_epi8(0x03), _mm256_set1_epi8(0x0C), _mm256_set1_epi8(0x30),
                               _mm256_set1_epi8(static_cast<char>(0xC0))};
    for (size_t part = 0; part < 4; ++part) { // 16 bytes: part % 2 of each 32 bytes of the half part / 2
        __m256i low[4];
        __m256i low_next[4];
        __m256i high[4];
        transpose_16(block, part / 2 * 64 + part % 2 * 16, low);
        transpose_16(block, part / 2 * 64 + part % 2 * 16 + 32, low_next);
        transpose_16(block, 128 + 16 * part, high);
        const size_t group = part / 2 * 32 + part % 2 * 4;
        for (size_t i = 0; i < 4; ++i) {
            const __m256i top0 = _mm256_slli_epi16(_mm256_and_si256(high[i], fields[0]), 4);
            const __m256i top1 = _mm256_slli_epi16(_mm256_and_si256(high[i], fields[1]), 2);
            const __m256i top2 = _mm256_and_si256(high[i], fields[2]);
            const __m256i top3 = _mm256_srli_epi16(_mm256_and_si256(high[i], fields[3]), 2);
            put_group(panel, group + i, _mm256_or_si256(low_nibbles(low[i]), top0));
            put_group(panel, group + 8 + i, _mm256_or_si256(low_nibbles(low_next[i]), top1));
            put_group(panel, group + 16 + i, _mm256_or_si256(high_nibbles(low[i]), top2));
            put_group(panel, group + 24 + i, _mm256_or_si256(high_nibbles(low_next[i]), top3));
        }
    }
}

void unpack_iq4_xs(const uint8_t* const* rows, size_t first, size_t /*blocks*/, PanelPlaces panel)
{
    const EightRows block(rows, first * 136);
    __m256i words[4];
    transpose_16(block, 0, words); // the last two words are quants already, and are read again below
    __m256 d;
    __m256 unused;
    split_halves(words[0], d, unused);
    _mm256_storeu_ps(panel.scales, d);
    __m256i low = words[1];
    __m256i high = _mm256_srli_epi32(words[0], 16);
    for (size_t s = 0; s < 8; ++s) {
        const __m256i top = _mm256_slli_epi32(_mm256_and_si256(high, _mm256_set1_epi32(3)), 4);
        const __m256i biased = _mm256_or_si256(_mm256_and_si256(low, _mm256_set1_epi32(15)), top);
        const __m256i scale = _mm256_sub_epi32(biased, _mm256_set1_epi32(32));
        const __m256i pair = _mm256_blend_epi16(scale, _mm256_slli_epi32(scale, 16), 0xAA);
        store_bytes(panel.factors + s * panel.rows * 2, pair);
        store_bytes(panel.weights + s * panel.rows * 2, pair);
        low = _mm256_srli_epi32(low, 4);
        high = _mm256_srli_epi32(high, 2);
    }
    const __m256i values = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kIq4Values)));
    for (size_t s = 0; s < 8; ++s) {
        __m256i packed[4];
        transpose_16(block, 8 + 16 * s, packed);
        for (size_t i = 0; i < 4; ++i) {
            put_group(panel, s * 8 + i, _mm256_shuffle_epi8(values, low_nibbles(packed[i])));
            put_group(panel, s * 8 + 4 + i, _mm256_shuffle_epi8(values, high_nibbles(packed[i])));
        }
    }
}

} // namespace constela::kernels::avx2
