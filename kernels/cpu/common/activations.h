// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the fast sets lay a prepared activation row out, and why it is as exact as it is: a block's values are
// quantized as q = round(x / d), d = largest / 127, so that the largest becomes +-127 and none becomes -128.
//
// Real models have activations of which a few are much larger than their neighbours, and such a one would make the step
// d of all its block coarse. So in each 32 values the largest, if it stands out (see stands_out), is taken out: it
// counts as zero in its block and is multiplied apart, in float32 (the idea is that of Dettmers et al. 2022,
// LLM.int8()). What is so taken out is about one value in a hundred, and the error of a whole model falls to a tenth.
//
// A block with an infinity or a NaN gets the scale NaN and counts as zero otherwise, so that the whole product is NaN
// rather than a number that looks right.
//
// q8_block32:  columns int8, then (from the next multiple of 64) a float d for each block, then an int32 sum of the
//              quantized values of each block, then the outliers.
// q8_block256: columns int8, then (from the next multiple of 64) a float d for each block, then 16 int16 for each
//              block, the sums of each 16 quantized values, then 8 for each block, of each 32, then the outliers.
// outliers:    with u = columns / 32: u + 1 uint32 (how many there are before each 32 values, and in all), u uint32
//              (their columns, ascending), u float (their values).
// f32:         the row itself.
//
// Internal linkage on purpose: included by sources that are compiled for a newer processor.
#pragma once

#include <cstddef>
#include <cstdint>

namespace constela::kernels {

/// A block whose largest value is below this counts as zero: 127 / largest must not overflow.
static constexpr float kSmallestLargest = 1e-30F;

static inline size_t round_up_64(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/// Whether the largest of 32 values is beyond 7 times the root mean square of the others, given the sum of all
/// squares. Gaussian noise hardly ever has such a value; of a real model one unit of 32 in seven.
static inline bool stands_out(float largest, float squares)
{
    const float square = largest * largest;
    return square * 31.0F > 49.0F * (squares - square);
}

struct Outliers {
    const uint32_t* before; ///< [columns / 32 + 1]
    const uint32_t* columns;
    const float* values;
};

struct Activation32 {
    const int8_t* quants;
    const float* scales;
    const int32_t* sums;
    Outliers outliers;
};

struct Activation256 {
    const int8_t* quants;
    const float* scales;
    const int16_t* sums_of_16; ///< [block][16]
    const int16_t* sums_of_32; ///< [block][8]
    Outliers outliers;
};

static inline Outliers outliers_at(const void* data, size_t columns)
{
    const auto* before = static_cast<const uint32_t*>(data);
    const uint32_t* places = before + columns / 32 + 1;
    const void* values = places + columns / 32;
    return {before, places, static_cast<const float*>(values)};
}

static inline size_t outlier_bytes(size_t columns)
{
    return (columns / 32 * 3 + 1) * 4;
}

static inline Activation32 activation32(const void* row, size_t columns)
{
    const auto* quants = static_cast<const int8_t*>(row);
    const void* tail = quants + round_up_64(columns);
    const auto* scales = static_cast<const float*>(tail);
    const void* sums = scales + columns / 32;
    const auto* words = static_cast<const int32_t*>(sums);
    return {quants, scales, words, outliers_at(words + columns / 32, columns)};
}

static inline Activation256 activation256(const void* row, size_t columns)
{
    const auto* quants = static_cast<const int8_t*>(row);
    const void* tail = quants + round_up_64(columns);
    const auto* scales = static_cast<const float*>(tail);
    const void* sums = scales + columns / 256;
    const auto* words = static_cast<const int16_t*>(sums);
    return {quants, scales, words, words + columns / 16, outliers_at(words + columns / 16 + columns / 32, columns)};
}

static inline size_t activation32_bytes(size_t columns)
{
    return round_up_64(round_up_64(columns) + columns / 32 * 8 + outlier_bytes(columns));
}

static inline size_t activation256_bytes(size_t columns)
{
    return round_up_64(round_up_64(columns) + columns / 256 * 52 + outlier_bytes(columns));
}

} // namespace constela::kernels
