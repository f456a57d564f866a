// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/reference/dequantize.h"

namespace constela::kernels::reference {
namespace {

using Widen = void (*)(const std::uint8_t*, float*, std::size_t);

Widen widen_of(TensorType type)
{
    switch (type) {
    case TensorType::F32: return widen_f32;
    case TensorType::F16: return widen_f16;
    case TensorType::BF16: return widen_bf16;
    case TensorType::Q4_0: return widen_q4_0;
    case TensorType::Q4_1: return widen_q4_1;
    case TensorType::Q5_0: return widen_q5_0;
    case TensorType::Q5_1: return widen_q5_1;
    case TensorType::Q8_0: return widen_q8_0;
    case TensorType::Q2_K: return widen_q2_k;
    case TensorType::Q3_K: return widen_q3_k;
    case TensorType::Q4_K: return widen_q4_k;
    case TensorType::Q5_K: return widen_q5_k;
    case TensorType::Q6_K: return widen_q6_k;
    case TensorType::IQ4_NL: return widen_iq4_nl;
    case TensorType::IQ4_XS: return widen_iq4_xs;
    case TensorType::MXFP4: return widen_mxfp4;
    }
    return widen_f32;
}

} // namespace

void widen(TensorType type, const std::byte* data, float* out, std::size_t elements)
{
    widen_of(type)(reinterpret_cast<const std::uint8_t*>(data), out, elements / type_info(type).block_elements);
}

} // namespace constela::kernels::reference
