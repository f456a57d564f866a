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

/// w = d (q - offset) + m for the four-bit part with the fifth bits in `high`.
inline void widen_nibbles(const std::uint8_t* quants, std::uint32_t high, float d, int offset, float m, float* out)
{
    for (std::size_t j = 0; j < kHalf; ++j) {
        const int low_fifth = static_cast<int>((high >> j) & 1U) << 4;
        const int high_fifth = static_cast<int>((high >> (j + kHalf)) & 1U) << 4;
        out[j] = d * static_cast<float>(((quants[j] & 0x0F) | low_fifth) - offset) + m;
        out[j + kHalf] = d * static_cast<float>(((quants[j] >> 4) | high_fifth) - offset) + m;
    }
}

} // namespace

void widen_q4_0(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 18, out += kBlock) {
        widen_nibbles(data + 2, 0, load_half(data), 8, 0.0F, out);
    }
}

void widen_q4_1(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 20, out += kBlock) {
        widen_nibbles(data + 4, 0, load_half(data), 0, load_half(data + 2), out);
    }
}

void widen_q5_0(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 22, out += kBlock) {
        widen_nibbles(data + 6, load_u32(data + 2), load_half(data), 16, 0.0F, out);
    }
}

void widen_q5_1(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 24, out += kBlock) {
        widen_nibbles(data + 8, load_u32(data + 4), load_half(data), 0, load_half(data + 2), out);
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
