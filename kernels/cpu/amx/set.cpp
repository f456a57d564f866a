// SPDX-License-Identifier: GPL-3.0-or-later
//
// The amx set: the avx512 set with products of its own where there are tokens enough to fill tiles. Compiled for any
// processor, like avx2/set.cpp.
#include "kernels/cpu/amx/amx.h"
#include "kernels/cpu/common/sets.h"

namespace constela::kernels {
namespace {

/// How many of the tokens go in tiles. Turning blocks of 256 into what tiles want takes longer than one tile saves.
std::size_t tokens_in_tiles(const MatmulArgs& args)
{
    const TypeInfo& info = type_info(args.type);
    const std::size_t tiles = args.tokens / amx::kTileTokens;
    const std::size_t least = info.block_elements == 256 ? 2 : 1;
    return info.quantized && tiles >= least ? tiles * amx::kTileTokens : 0;
}

void matmul(const MatmulArgs& args)
{
    const std::size_t in_tiles = tokens_in_tiles(args);
    if (in_tiles > 0) {
        const MatmulArgs tiles = of_tokens(args, 0, in_tiles);
        amx::matmul_quantized(tiles, matmul_plan(tiles));
    }
    if (in_tiles < args.tokens) {
        avx512_kernels().matmul(of_tokens(args, in_tiles, args.tokens - in_tiles));
    }
}

KernelSet make_set()
{
    KernelSet set = avx512_kernels();
    set.name = "amx";
    set.matmul = matmul;
    set.multiply_peak = amx::multiply_peak;
    return set;
}

} // namespace

const KernelSet& amx_kernels()
{
    static const KernelSet set = make_set();
    return set;
}

} // namespace constela::kernels
