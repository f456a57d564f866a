// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/reference/dequantize.h"
#include "kernels/reference/half.h"

#include <cstring>

namespace constela::kernels::reference {

void widen_f32(const std::uint8_t* data, float* out, std::size_t blocks)
{
    std::memcpy(out, data, blocks * sizeof(float));
}

void widen_f16(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (std::size_t i = 0; i < blocks; ++i) {
        out[i] = load_half(data + 2 * i);
    }
}

void widen_bf16(const std::uint8_t* data, float* out, std::size_t blocks)
{
    for (std::size_t i = 0; i < blocks; ++i) {
        out[i] = float_from_bfloat(load_u16(data + 2 * i));
    }
}

} // namespace constela::kernels::reference
