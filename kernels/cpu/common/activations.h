// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the fast sets lay a prepared activation row out, and why it is as exact as it is: a block's values are
// quantized as q = round(x / d), d = largest / 127, so that the largest becomes +-127 and none becomes -128.
//
// q8_block32:  columns int8, then (from the next multiple of 64) a float d for each block, then an int32 sum of the
//              quantized values of each block.
// q8_block256: columns int8, then (from the next multiple of 64) a float d for each block, then 16 int16 for each
//              block, the sums of each 16 quantized values.
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

struct Activation32 {
    const int8_t* quants;
    const float* scales;
    const int32_t* sums;
};

struct Activation256 {
    const int8_t* quants;
    const float* scales;
    const int16_t* sums;
};

static inline Activation32 activation32(const void* row, size_t columns)
{
    const auto* quants = static_cast<const int8_t*>(row);
    const void* tail = quants + round_up_64(columns);
    const auto* scales = static_cast<const float*>(tail);
    const void* sums = scales + columns / 32;
    return {quants, scales, static_cast<const int32_t*>(sums)};
}

static inline Activation256 activation256(const void* row, size_t columns)
{
    const auto* quants = static_cast<const int8_t*>(row);
    const void* tail = quants + round_up_64(columns);
    const auto* scales = static_cast<const float*>(tail);
    const void* sums = scales + columns / 256;
    return {quants, scales, static_cast<const int16_t*>(sums)};
}

static inline size_t activation32_bytes(size_t columns)
{
    return round_up_64(round_up_64(columns) + columns / 32 * 8);
}

static inline size_t activation256_bytes(size_t columns)
{
    return round_up_64(round_up_64(columns) + columns / 256 * 36);
}

} // namespace constela::kernels
