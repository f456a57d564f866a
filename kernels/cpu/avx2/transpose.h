// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bringing the same bytes of eight rows together. Internal linkage on purpose, see simd.h.
#pragma once

#include "kernels/cpu/avx2/simd.h"
#include "kernels/cpu/common/panel.h"

namespace constela::kernels::avx2 {
namespace {

/// Eight rows of a matrix of weights, at one place in each. The pointers are a copy, so that the compiler need not
/// read them again after each byte that is stored.
class EightRows {
public:
    EightRows(const uint8_t* const* rows, size_t at)
    {
        for (size_t r = 0; r < kUnpackRows; ++r) {
            at_[r] = rows[r] + at;
        }
    }

    void advance(size_t bytes)
    {
        for (const uint8_t*& row : at_) {
            row += bytes;
        }
    }

    [[nodiscard]] const uint8_t* row(size_t r, size_t offset) const { return at_[r] + offset; }

private:
    const uint8_t* at_[kUnpackRows];
};

/// Rows r and r + 4 side by side, 16 bytes of each.
inline __m256i two_rows(const EightRows& from, size_t r, size_t offset)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(load_bytes_16(from.row(r, offset))),
                                   load_bytes_16(from.row(r + 4, offset)), 1);
}

/// out[i] = 32-bit word i of each row.
inline void transpose_words(const __m256i* pairs, __m256i* out)
{
    const __m256i low01 = _mm256_unpacklo_epi32(pairs[0], pairs[1]);
    const __m256i low23 = _mm256_unpacklo_epi32(pairs[2], pairs[3]);
    const __m256i high01 = _mm256_unpackhi_epi32(pairs[0], pairs[1]);
    const __m256i high23 = _mm256_unpackhi_epi32(pairs[2], pairs[3]);
    out[0] = _mm256_unpacklo_epi64(low01, low23);
    out[1] = _mm256_unpackhi_epi64(low01, low23);
    out[2] = _mm256_unpacklo_epi64(high01, high23);
    out[3] = _mm256_unpackhi_epi64(high01, high23);
}

/// out[i] = bytes [offset + 4 i, offset + 4 i + 4) of each row, for the 16 bytes at offset.
inline void transpose_16(const EightRows& from, size_t offset, __m256i* out)
{
    const __m256i pairs[4] = {two_rows(from, 0, offset), two_rows(from, 1, offset), two_rows(from, 2, offset),
                              two_rows(from, 3, offset)};
    transpose_words(pairs, out);
}

/// The four bytes at offset of each row.
inline __m256i words_at(const EightRows& from, size_t offset)
{
    const auto word = [&](size_t r) { return load_int(from.row(r, offset)); };
    return _mm256_setr_epi32(word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7));
}

/// The binary16 number at offset of each row.
inline __m256 halves_at(const EightRows& from, size_t offset)
{
    const auto half = [&](size_t r) {
        int16_t value = 0;
        memcpy(&value, from.row(r, offset), sizeof value);
        return value;
    };
    return _mm256_cvtph_ps(_mm_setr_epi16(half(0), half(1), half(2), half(3), half(4), half(5), half(6), half(7)));
}

/// Two binary16 numbers in each word: the low ones, the high ones.
inline void split_halves(__m256i words, __m256& low, __m256& high)
{
    const __m256i lows = _mm256_and_si256(words, _mm256_set1_epi32(0xFFFF));
    const __m256i packed = _mm256_packus_epi32(lows, _mm256_srli_epi32(words, 16));
    const __m256i ordered = _mm256_permute4x64_epi64(packed, 0xD8);
    low = _mm256_cvtph_ps(_mm256_castsi256_si128(ordered));
    high = _mm256_cvtph_ps(_mm256_extracti128_si256(ordered, 1));
}

inline __m256i low_nibbles(__m256i bytes)
{
    return _mm256_and_si256(bytes, _mm256_set1_epi8(0x0F));
}

inline __m256i high_nibbles(__m256i bytes)
{
    return _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0F));
}

inline void put_group(const PanelPlaces& panel, size_t group, __m256i bytes)
{
    store_bytes(panel.quants + group * panel.rows * 4, bytes);
}

} // namespace
} // namespace constela::kernels::avx2
