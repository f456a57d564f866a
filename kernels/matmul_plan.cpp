// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/matmul_plan.h"

namespace constela::kernels {

MatmulPlan matmul_plan(const MatmulArgs& args)
{
    const TypeInfo& info = type_info(args.type);
    MatmulPlan plan;
    plan.sum_block = info.sum_block();
    plan.sum_block_bytes = info.row_bytes(plan.sum_block);
    plan.whole_blocks = args.columns / plan.sum_block;
    plan.tail = args.columns % plan.sum_block;
    const std::size_t blocks = plan.whole_blocks + (plan.tail > 0 ? 1 : 0);
    for (unsigned s = 0; s <= kSegments; ++s) {
        plan.bounds[s] = segment_begin(s, blocks);
    }
    return plan;
}

MatmulArgs of_tokens(MatmulArgs args, std::size_t first, std::size_t count)
{
    args.x += first * args.x_stride;
    args.out += first * args.out_stride;
    args.tokens = count;
    return args;
}

} // namespace constela::kernels
