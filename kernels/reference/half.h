// SPDX-License-Identifier: GPL-3.0-or-later
//
// IEEE 754 binary16 to and from float32, and bfloat16, in integer arithmetic.
// Everything here has internal linkage on purpose: the file is included by sources that are compiled for a newer
// processor, and an external inline function compiled there could be the copy that the linker keeps for all.
#pragma once

#include <cstdint>
#include <cstring>

namespace constela::kernels {

static inline float float_from_bits(uint32_t bits)
{
    float value = 0.0F;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t bits_of_float(float value)
{
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float float_from_half(uint16_t half)
{
    const uint32_t sign = static_cast<uint32_t>(half & 0x8000U) << 16U;
    const uint32_t exponent = (half >> 10U) & 0x1FU;
    const uint32_t fraction = half & 0x3FFU;
    if (exponent == 0x1FU) { // infinity and NaN; a NaN comes out quiet, as the processor's own conversion makes it
        const uint32_t quiet = fraction != 0 ? 0x400000U : 0U;
        return float_from_bits(sign | 0x7F800000U | quiet | fraction << 13U);
    }
    if (exponent == 0) { // zero and subnormal: fraction * 2^-24, exact in float32
        const float magnitude = static_cast<float>(fraction) * 0x1.0p-24F;
        return float_from_bits(sign | bits_of_float(magnitude));
    }
    return float_from_bits(sign | (exponent + 112U) << 23U | fraction << 13U);
}

/// Rounds to nearest, ties to even; too large becomes infinity.
static inline uint16_t half_from_float(float value)
{
    const uint32_t bits = bits_of_float(value);
    const uint32_t sign = (bits >> 16U) & 0x8000U;
    const uint32_t magnitude = bits & 0x7FFFFFFFU;
    if (magnitude > 0x7F800000U) {
        return static_cast<uint16_t>(sign | 0x7E00U | ((magnitude >> 13U) & 0x3FFU));
    }
    if (magnitude >= 0x47800000U) { // 2^16 and above
        return static_cast<uint16_t>(sign | 0x7C00U);
    }
    if (magnitude < 0x38800000U) { // below 2^-14: subnormal; adding 0.5 lets the float unit do the rounding
        const float shifted = float_from_bits(magnitude) + 0.5F;
        return static_cast<uint16_t>(sign | (bits_of_float(shifted) - 0x3F000000U));
    }
    const uint32_t odd = (magnitude >> 13U) & 1U;
    return static_cast<uint16_t>(sign | ((magnitude - 0x38000000U + 0xFFFU + odd) >> 13U));
}

static inline float float_from_bfloat(uint16_t value)
{
    return float_from_bits(static_cast<uint32_t>(value) << 16U);
}

/// The power of two that MXFP4 stores as an 8-bit exponent (bias 127), halved: its element table holds doubled values.
static inline float half_power_from_e8m0(uint8_t exponent)
{
    return float_from_bits(exponent < 2 ? 0x00200000U << exponent : static_cast<uint32_t>(exponent - 1) << 23U);
}

static inline uint16_t load_u16(const void* data)
{
    uint16_t value = 0;
    memcpy(&value, data, sizeof value);
    return value;
}

static inline uint32_t load_u32(const void* data)
{
    uint32_t value = 0;
    memcpy(&value, data, sizeof value);
    return value;
}

static inline float load_half(const void* data)
{
    return float_from_half(load_u16(data));
}

} // namespace constela::kernels
