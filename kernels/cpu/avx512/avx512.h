// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the avx512 set has of its own; all else is the avx2 set's, since only the integer products gain much.
// CONSTELA_AVX512 is the namespace: avx512, or avx512_emulated where the tests compile the same source with SIMDe.
#pragma once

#include "kernels/matmul_plan.h"

namespace constela::kernels::CONSTELA_AVX512 {

/// Quantized weights, int8 activations; the same bits as avx2::matmul_quantized.
void matmul_quantized(const MatmulArgs& args, const MatmulPlan& plan);
size_t multiply_peak(size_t rounds);

} // namespace constela::kernels::CONSTELA_AVX512
