// SPDX-License-Identifier: GPL-3.0-or-later
//
// The packed six-bit scales of Q3_K, Q4_K and Q5_K, and the table of IQ4_NL, IQ4_XS and MXFP4: facts that the
// reference and the fast kernels share. Internal linkage on purpose, see half.h.
#pragma once

#include <cstdint>

namespace constela::kernels {

/// 12 bytes hold 16 scales: the low four bits of scale s are half s / 8 of byte s % 8, its high two bits are field
/// s / 4 of byte 8 + s % 4; what is stored is the scale + 32.
static inline void unpack_q3_k_scales(const uint8_t* packed, int8_t* scales)
{
    for (unsigned s = 0; s < 16; ++s) {
        const int low = (packed[s % 8] >> (s / 8 * 4)) & 0x0F;
        const int high = (packed[8 + s % 4] >> (s / 4 * 2)) & 3;
        scales[s] = static_cast<int8_t>((low | high << 4) - 32);
    }
}

/// 12 bytes hold 8 scales and 8 minima of six bits. Of the first four, scale s is byte s and minimum s byte 4 + s.
/// Of the last four, byte 8 + s has the low four bits of both, and the two spare bits of bytes s and 4 + s the rest.
static inline void unpack_q4_k_scales(const uint8_t* packed, uint8_t* scales, uint8_t* minima)
{
    for (unsigned s = 0; s < 4; ++s) {
        scales[s] = packed[s] & 0x3F;
        minima[s] = packed[4 + s] & 0x3F;
        scales[4 + s] = static_cast<uint8_t>((packed[8 + s] & 0x0F) | (packed[s] >> 6) << 4);
        minima[4 + s] = static_cast<uint8_t>((packed[8 + s] >> 4) | (packed[4 + s] >> 6) << 4);
    }
}

/// The sixteen values of IQ4_NL and IQ4_XS.
static constexpr int8_t kIq4Values[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

/// Twice the sixteen E2M1 values of the OCP Microscaling specification 1.0, which MXFP4 stores.
static constexpr int8_t kMxfp4Values[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

} // namespace constela::kernels
