// SPDX-License-Identifier: GPL-3.0-or-later
//
// Q4_0, Q4_1, Q5_0, Q5_1, Q8_0: 32 elements, w = d (q - offset) or w = d q + m, with d and m in binary16.
// Four-bit parts: byte j holds element j in its low and element j + 16 in its high half. Fifth bits: bit j of a
// 32-bit number belongs to element j.
#include "kernels/reference/dequantize.h"
#include "kernels/reference/half.h"

namespace constela::kernels::reference {
namespace {

constexpr std::size_t kBlock = 32;
constexpr std::size_t kHalf = 16;

/// Element j of the four-bit part.
int nibble(const std::uint8_t* quants, std::size_t j)
{
    return j < kHalf ? quants[j] & 0x0F : quants[j - kHalf] >> 4;
}

int fifth_bit(std::uint32_t high, std::size_t j)
{
    return static_cast<int>((high >> j) & 1U) << 4;
}

} // namespace

void widen_q4_0(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 18, out += kBlock) {
        const float d = load_half(data);
        for (std::size_t j = 0; j < kBlock; ++j) {
            out[j] = d * static_cast<float>(nibble(data + 2, j) - 8);
        }
    }
}

void widen_q4_1(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 20, out += kBlock) {
        const float d = load_half(data);
        const float m = load_half(data + 2);
        for (std::size_t j = 0; j < kBlock; ++j) {
            out[j] = d * static_cast<float>(nibble(data + 4, j)) + m;
        }
    }
}

void widen_q5_0(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 22, out += kBlock) {
        const float d = load_half(data);
        const std::uint32_t high = load_u32(data + 2);
        for (std::size_t j = 0; j < kBlock; ++j) {
            out[j] = d * static_cast<float>((nibble(data + 6, j) | fifth_bit(high, j)) - 16);
        }
    }
}

void widen_q5_1(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 24, out += kBlock) {
        const float d = load_half(data);
        const float m = load_half(data + 2);
        const std::uint32_t high = load_u32(data + 4);
        for (std::size_t j = 0; j < kBlock; ++j) {
            out[j] = d * static_cast<float>(nibble(data + 8, j) | fifth_bit(high, j)) + m;
        }
    }
}

void widen_q8_0(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 34, out += kBlock) {
        const float d = load_half(data);
        for (std::size_t j = 0; j < kBlock; ++j) {
            out[j] = d * static_cast<float>(static_cast<std::int8_t>(data[2 + j]));
        }
    }
}

} // namespace constela::kernels::reference
