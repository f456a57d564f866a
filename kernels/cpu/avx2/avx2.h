// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the sources compiled with -mavx2 -mfma -mf16c offer, in terms that need no inline function. Formulas:
// kernels/kernels.h. An element of an elementwise operation has the same bits wherever it stands in its row.
#pragma once

#include "kernels/matmul_plan.h"

#include <cstddef>

namespace constela::kernels::avx2 {

void quantize_block32(const float* row, size_t columns, std::byte* out);
void quantize_block256(const float* row, size_t columns, std::byte* out);

/// Quantized weights, int8 activations.
void matmul_quantized(const MatmulArgs& args, const MatmulPlan& plan);
/// F32, F16 and BF16 weights, float32 activations.
void matmul_plain(const MatmulArgs& args, const MatmulPlan& plan);
size_t multiply_peak(size_t rounds);

void store_f16(const float* values, size_t count, std::byte* out);
void store_q8_0(const float* values, size_t count, std::byte* out);
void attention(const AttentionArgs& args);

void rms_norm(const float* x, const float* weight, size_t count, float eps, float* out); ///< weight may be null
void rope(RopeLayout layout, const float* cosines, const float* sines, size_t pairs, float* head);
void silu_multiply(const float* gate, const float* up, size_t count, float* out);
void gelu_multiply(const float* gate, const float* up, size_t count, float* out);
void add(float* x, const float* y, size_t count);
void add_scaled(float* x, float factor, const float* y, size_t count);
void scale(float* x, float factor, size_t count);
void softcap(float* x, float cap, size_t count);
void softmax(float* x, size_t count);

} // namespace constela::kernels::avx2
