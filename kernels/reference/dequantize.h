// SPDX-License-Identifier: GPL-3.0-or-later
//
// Widening of stored weights to float32, a function per type: `blocks` blocks from `data` into `out`.
// Layouts: ggml's ggml-common.h and ggml-quants.c (github.com/ggml-org/llama.cpp); numbers are little-endian.
#pragma once

#include "kernels/tensor_type.h"

#include <cstddef>
#include <cstdint>

namespace constela::kernels::reference {

// Plain types: one element a block.
void widen_f32(const std::uint8_t* data, float* out, std::size_t blocks);
void widen_f16(const std::uint8_t* data, float* out, std::size_t blocks);
void widen_bf16(const std::uint8_t* data, float* out, std::size_t blocks);

// 32 elements with one scale, some with a minimum too.
void widen_q4_0(const std::uint8_t* data, float* out, std::size_t blocks);
void widen_q4_1(const std::uint8_t* data, float* out, std::size_t blocks);
void widen_q5_0(const std::uint8_t* data, float* out, std::size_t blocks);
void widen_q5_1(const std::uint8_t* data, float* out, std::size_t blocks);
void widen_q8_0(const std::uint8_t* data, float* out, std::size_t blocks);

// 256 elements in sub-blocks whose small integer scales share a float scale.
void widen_q2_k(const std::uint8_t* data, float* out, std::size_t blocks);
void widen_q3_k(const std::uint8_t* data, float* out, std::size_t blocks);
void widen_q4_k(const std::uint8_t* data, float* out, std::size_t blocks);
void widen_q5_k(const std::uint8_t* data, float* out, std::size_t blocks);
void widen_q6_k(const std::uint8_t* data, float* out, std::size_t blocks);

// Four bits that index a table of values.
void widen_iq4_nl(const std::uint8_t* data, float* out, std::size_t blocks);
void widen_iq4_xs(const std::uint8_t* data, float* out, std::size_t blocks);
void widen_mxfp4(const std::uint8_t* data, float* out, std::size_t blocks);

/// Widens `elements` elements of any type; a multiple of the type's block.
void widen(TensorType type, const std::byte* data, float* out, std::size_t elements);

} // namespace constela::kernels::reference
