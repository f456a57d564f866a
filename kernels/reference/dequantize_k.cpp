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
        const float d = load_half(data + 80);
        const float dmin = load_half(data + 82);
        for (std::size_t sub = 0; sub < 16; ++sub) {
            const std::uint8_t* quants = data + 16 + sub / 8 * 32 + sub % 2 * 16;
            const std::size_t shift = sub % 8 / 2 * 2;
            const float scale = d * static_cast<float>(data[sub] & 0x0F);
            const float minimum = dmin * static_cast<float>(data[sub] >> 4);
            for (std::size_t j = 0; j < 16; ++j) {
                out[sub * 16 + j] = scale * static_cast<float>((quants[j] >> shift) & 3) - minimum;
            }
        }
    }
}

// mask[32], quants[64], scales[12], d. Low two bits as in Q2_K; bit e / 32 of mask[e % 32] is the third bit of element
// e, and the whole is offset by 4. Scales have 6 bits, offset by 32.
void widen_q3_k(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 110, out += kBlock) {
        std::int8_t scales[16];
        unpack_q3_k_scales(data + 96, scales);
        const float d = load_half(data + 108);
        for (std::size_t sub = 0; sub < 16; ++sub) {
            const std::uint8_t* mask = data + sub % 2 * 16;
            const std::uint8_t* quants = data + 32 + sub / 8 * 32 + sub % 2 * 16;
            const std::size_t shift = sub % 8 / 2 * 2;
            const std::size_t mask_shift = sub / 2;
            const float scale = d * static_cast<float>(scales[sub]);
            for (std::size_t j = 0; j < 16; ++j) {
                const int q = ((quants[j] >> shift) & 3) | ((mask[j] >> mask_shift) & 1) << 2;
                out[sub * 16 + j] = scale * static_cast<float>(q - 4);
            }
        }
    }
}

// d, dmin, scales[12], quants[128]. Each 32 bytes of quants hold 64 elements: the low halves, then the high ones.
void widen_q4_k(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 144, out += kBlock) {
        const float d = load_half(data);
        const float dmin = load_half(data + 2);
        std::uint8_t scales[8];
        std::uint8_t minima[8];
        unpack_q4_k_scales(data + 4, scales, minima);
        for (std::size_t sub = 0; sub < 8; ++sub) {
            const std::uint8_t* quants = data + 16 + sub / 2 * 32;
            const std::size_t shift = sub % 2 * 4;
            const float scale = d * static_cast<float>(scales[sub]);
            const float minimum = dmin * static_cast<float>(minima[sub]);
            for (std::size_t j = 0; j < 32; ++j) {
                out[sub * 32 + j] = scale * static_cast<float>((quants[j] >> shift) & 0x0F) - minimum;
            }
        }
    }
}

// d, dmin, scales[12], high[32], quants[128]: Q4_K with a fifth bit, bit e / 32 of high[e % 32] for element e.
void widen_q5_k(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 176, out += kBlock) {
        const std::uint8_t* high = data + 16;
        const float d = load_half(data);
        const float dmin = load_half(data + 2);
        std::uint8_t scales[8];
        std::uint8_t minima[8];
        unpack_q4_k_scales(data + 4, scales, minima);
        for (std::size_t sub = 0; sub < 8; ++sub) {
            const std::uint8_t* quants = data + 48 + sub / 2 * 32;
            const std::size_t shift = sub % 2 * 4;
            const float scale = d * static_cast<float>(scales[sub]);
            const float minimum = dmin * static_cast<float>(minima[sub]);
            for (std::size_t j = 0; j < 32; ++j) {
                const int q = ((quants[j] >> shift) & 0x0F) | ((high[j] >> sub) & 1) << 4;
                out[sub * 32 + j] = scale * static_cast<float>(q) - minimum;
            }
        }
    }
}

// low[128], high[64], scales[16] (signed), d. Each half of 128 elements has 64 bytes of low: element i of it takes
// byte i % 64, the low half of the byte for i < 64; and 32 bytes of high: 2-bit field i / 32 of byte i % 32.
void widen_q6_k(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 210, out += kBlock) {
        const float d = load_half(data + 208);
        for (std::size_t sub = 0; sub < 16; ++sub) {
            const std::uint8_t* low = data + sub / 8 * 64 + sub % 4 * 16;
            const std::uint8_t* high = data + 128 + sub / 8 * 32 + sub % 2 * 16;
            const std::size_t shift = sub % 8 / 4 * 4;
            const std::size_t high_shift = sub % 8 / 2 * 2;
            const float scale = d * static_cast<float>(static_cast<std::int8_t>(data[192 + sub]));
            for (std::size_t j = 0; j < 16; ++j) {
                const int q = ((low[j] >> shift) & 0x0F) | ((high[j] >> high_shift) & 3) << 4;
                out[sub * 16 + j] = scale * static_cast<float>(q - 32);
            }
        }
    }
}

} // namespace constela::kernels::reference
