// SPDX-License-Identifier: GPL-3.0-or-later
//
// The two heavy reference functions are compiled twice from the same source: for any processor, and with AVX2
// switched on for the compiler. Fused multiply-add stays off in both, so both give the same bits; reference_kernels()
// takes the second where the processor permits, since whole models are measured against the reference.
#pragma once

#include "kernels/matmul_plan.h"

namespace constela::kernels::reference {

namespace portable {
void matmul(const MatmulArgs& args, const MatmulPlan& plan);
void attention(const AttentionArgs& args);
} // namespace portable

#ifdef CONSTELA_X86
namespace avx2 {
void matmul(const MatmulArgs& args, const MatmulPlan& plan);
void attention(const AttentionArgs& args);
} // namespace avx2
#endif

} // namespace constela::kernels::reference
