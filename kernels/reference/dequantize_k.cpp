// SPDX-License-Identifier: GPL-3.0-or-later
//
// Q2_K to Q6_K: 256 elements. Sub-blocks of 16 or 32 have small integer scales (and minima), which two binary16
// numbers d and dmin scale in turn: w = (d s) q - (dmin m), or w = (d s) (q - offset).
#include "kernels/reference/dequantize.h"
#include "kernels/reference/half.h"
#include "kernels/reference/k_scales.h"

namespace constela::kernels::reference {
namespace {

constexpr std::size_t kBlock = 256;

} // namespace

// scales[16] (low half: scale, high half: minimum), quants[64], d, dmin.
// Each 32 bytes of quants hold 128 elements: 2-bit field f of byte i is element 32 f + i.
void widen_q2_k(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 84, out += kBlock) {
        const std::uint8_t* quants = data + 16;
        const float d = load_half(data + 80);
        const float dmin = load_half(data + 82);
        for (std::size_t j = 0; j < kBlock; ++j) {
            const std::uint8_t scale = data[j / 16];
            const int q = (quants[j / 128 * 32 + j % 32] >> (j % 128 / 32 * 2)) & 3;
            out[j] =
                d * static_cast<float>(scale & 0x0F) * static_cast<float>(q) - dmin * static_cast<float>(scale >> 4);
        }
    }
}

// mask[32], quants[64], scales[12], d. Low two bits as in Q2_K; bit j / 32 of mask[j % 32] is the third bit, and
// the whole is offset by 4. Scales have 6 bits, offset by 32.
void widen_q3_k(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 110, out += kBlock) {
        const std::uint8_t* quants = data + 32;
        std::int8_t scales[16];
        unpack_q3_k_scales(data + 96, scales);
        const float d = load_half(data + 108);
        for (std::size_t j = 0; j < kBlock; ++j) {
            const int low = (quants[j / 128 * 32 + j % 32] >> (j % 128 / 32 * 2)) & 3;
            const int high = (data[j % 32] >> (j / 32)) & 1;
            out[j] = d * static_cast<float>(scales[j / 16]) * static_cast<float>((low | high << 2) - 4);
        }
    }
}

// d, dmin, scales[12], quants[128]. Each 32 bytes of quants hold 64 elements: the low halves, then the high ones.
void widen_q4_k(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 144, out += kBlock) {
        const std::uint8_t* quants = data + 16;
        const float d = load_half(data);
        const float dmin = load_half(data + 2);
        std::uint8_t scales[8];
        std::uint8_t minima[8];
        unpack_q4_k_scales(data + 4, scales, minima);
        for (std::size_t j = 0; j < kBlock; ++j) {
            const int q = (quants[j / 64 * 32 + j % 32] >> (j % 64 / 32 * 4)) & 0x0F;
            out[j] = d * static_cast<float>(scales[j / 32]) * static_cast<float>(q) -
                     dmin * static_cast<float>(minima[j / 32]);
        }
    }
}

// d, dmin, scales[12], high[32], quants[128]: Q4_K with a fifth bit, bit j / 32 of high[j % 32].
void widen_q5_k(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 176, out += kBlock) {
        const std::uint8_t* high = data + 16;
        const std::uint8_t* quants = data + 48;
        const float d = load_half(data);
        const float dmin = load_half(data + 2);
        std::uint8_t scales[8];
        std::uint8_t minima[8];
        unpack_q4_k_scales(data + 4, scales, minima);
        for (std::size_t j = 0; j < kBlock; ++j) {
            const int low = (quants[j / 64 * 32 + j % 32] >> (j % 64 / 32 * 4)) & 0x0F;
            const int q = low | ((high[j % 32] >> (j / 32)) & 1) << 4;
            out[j] = d * static_cast<float>(scales[j / 32]) * static_cast<float>(q) -
                     dmin * static_cast<float>(minima[j / 32]);
        }
    }
}

// low[128], high[64], scales[16] (signed), d. Each half of 128 elements has 64 bytes of low: element j of it takes
// byte j % 64, the low half of the byte for j < 64; and 32 bytes of high: 2-bit field j / 32 of byte j % 32.
void widen_q6_k(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 210, out += kBlock) {
        const std::uint8_t* high = data + 128;
        const std::uint8_t* scales = data + 192;
        const float d = load_half(data + 208);
        for (std::size_t j = 0; j < kBlock; ++j) {
            const std::size_t half = j / 128;
            const std::size_t i = j % 128;
            const int low = (data[half * 64 + i % 64] >> (i / 64 * 4)) & 0x0F;
            const int q = low | ((high[half * 32 + i % 32] >> (i / 32 * 2)) & 3) << 4;
            out[j] = d * static_cast<float>(static_cast<std::int8_t>(scales[j / 16])) * static_cast<float>(q - 32);
        }
    }
}

} // namespace constela::kernels::reference
