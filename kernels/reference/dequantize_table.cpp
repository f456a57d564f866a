// SPDX-License-Identifier: GPL-3.0-or-later
//
// IQ4_NL, IQ4_XS, MXFP4: four bits that index a table, 32 elements to 16 bytes (low halves first, then high ones).
#include "kernels/reference/dequantize.h"
#include "kernels/reference/half.h"
#include "kernels/reference/k_scales.h"

namespace constela::kernels::reference {
namespace {

void widen_32(const std::uint8_t* quants, const std::int8_t (&values)[16], float scale, float* out)
{
    for (std::size_t j = 0; j < 16; ++j) {
        out[j] = scale * static_cast<float>(values[quants[j] & 0x0F]);
        out[j + 16] = scale * static_cast<float>(values[quants[j] >> 4]);
    }
}

} // namespace

// d, quants[16].
void widen_iq4_nl(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 18, out += 32) {
        widen_32(data + 2, kIq4Values, load_half(data), out);
    }
}

// exponent, quants[16].
void widen_mxfp4(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 17, out += 32) {
        widen_32(data + 1, kMxfp4Values, half_power_from_e8m0(data[0]), out);
    }
}

// d, high bits of the scales (16 bits, two for each of the 8 sub-blocks), low bits [4] (four for each), quants[128].
void widen_iq4_xs(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (; blocks > 0; --blocks, data += 136, out += 256) {
        const float d = load_half(data);
        const unsigned high = load_u16(data + 2);
        for (std::size_t s = 0; s < 8; ++s) {
            const unsigned low = (static_cast<unsigned>(data[4 + s / 2]) >> (s % 2 * 4)) & 0x0FU;
            const int scale = static_cast<int>(low | ((high >> (2 * s)) & 3U) << 4U) - 32;
            widen_32(data + 8 + 16 * s, kIq4Values, d * static_cast<float>(scale), out + 32 * s);
        }
    }
}

} // namespace constela::kernels::reference
