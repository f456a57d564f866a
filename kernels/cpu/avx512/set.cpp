// SPDX-License-Identifier: GPL-3.0-or-later
//
// The avx512 set: the avx2 set with integer products of its own. Compiled for any processor, like avx2/set.cpp.
#include "kernels/cpu/avx2/avx2.h"
#include "kernels/cpu/avx512/avx512.h"
#include "kernels/cpu/common/sets.h"

namespace constela::kernels {
namespace {

void matmul(const MatmulArgs& args)
{
    const MatmulPlan plan = matmul_plan(args);
    if (type_info(args.type).quantized) {
        avx512::matmul_quantized(args, plan);
    } else {
        avx2::matmul_plain(args, plan); // bound by memory, and the same bits
    }
}

KernelSet make_set()
{
    KernelSet set = avx2_kernels();
    set.name = "avx512";
    set.matmul = matmul;
    set.multiply_peak = avx512::multiply_peak;
    return set;
}

} // namespace

const KernelSet& avx512_kernels()
{
    static const KernelSet set = make_set();
    return set;
}

} // namespace constela::kernels
