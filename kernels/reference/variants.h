// SPDX-License-Identifier: GPL-3.0-or-later
//
// The two heavy reference functions are compiled twice from the same source: for any processor, and with AVX2
// switched on for the compiler. Fused multiply-add stays off in both, so both give the same bits; reference_kernels()
// takes the second where the processor permits, since whole models are measured against the reference.
#pragma once

#include "kernels/kernels.h"

#include <cstddef>

namespace constela::kernels::reference {

/// What a matrix product needs to know beyond its arguments, worked out where no special instructions are in force.
struct MatmulPlan {
    std::size_t sum_block = 32;          ///< Elements of a block of the sum order.
    std::size_t sum_block_bytes = 0;     ///< Bytes of such a block in a row of weights.
    std::size_t bounds[kSegments + 1]{}; ///< Segment s has the blocks [bounds[s], bounds[s + 1]).
};

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
