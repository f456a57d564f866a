// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the amx set has of its own: products of many tokens; all else is the avx512 set's.
// CONSTELA_AMX is the namespace: amx, or amx_emulated where the tests compile the same source without AMX.
#pragma once

#include "kernels/matmul_plan.h"

namespace constela::kernels::CONSTELA_AMX {

/// Tokens that a tile holds: products are made for multiples of it.
inline constexpr std::size_t kTileTokens = 16;

/// Quantized weights, int8 activations, args.tokens a multiple of kTileTokens; the same bits as avx2::matmul_quantized.
void matmul_quantized(const MatmulArgs& args, const MatmulPlan& plan);
size_t multiply_peak(size_t rounds);

} // namespace constela::kernels::CONSTELA_AMX
