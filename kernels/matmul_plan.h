// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a matrix product needs to know beyond its arguments. It is worked out in a source without special
// instructions, so that sources compiled for a newer processor need no inline function with external linkage.
#pragma once

#include "kernels/kernels.h"

#include <cstddef>

namespace constela::kernels {

struct MatmulPlan {
    std::size_t sum_block = 32;          ///< Elements of a block of the sum order.
    std::size_t sum_block_bytes = 0;     ///< Bytes of such a block in a row of weights.
    std::size_t bounds[kSegments + 1]{}; ///< Segment s has the blocks [bounds[s], bounds[s + 1]).
    std::size_t whole_blocks = 0;        ///< Blocks that are complete.
    std::size_t tail = 0; ///< Elements of one more block, as if zeros filled it up; plain types alone have such a one.
};

[[nodiscard]] MatmulPlan matmul_plan(const MatmulArgs& args);

/// The same product for the tokens [first, first + count) alone.
[[nodiscard]] MatmulArgs of_tokens(MatmulArgs args, std::size_t first, std::size_t count);

} // namespace constela::kernels
