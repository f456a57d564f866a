// SPDX-License-Identifier: GPL-3.0-or-later
//
// out[t][r] = sum over columns of weights[r][c] x[t][c], weights widened to float32, x as it is.
//
// The order of the sum (docs/adr/0002): in a block, lane l adds up the products of elements l, l + 8, l + 16 ...; the
// block's sum is ((l0+l1)+(l2+l3))+((l4+l5)+(l6+l7)); block sums are added in order to their segment; segments are
// added as the same tree. A vector below holds the same quantity of kRowTile neighbouring rows, so its width has no
// part in that order. A last block that is not complete is filled up with zeros.
//
// Compiled twice (see variants.h). Nothing here may instantiate an inline function with external linkage.
#include "kernels/reference/dequantize.h"
#include "kernels/reference/variants.h"

#include <cstring>

namespace constela::kernels::reference::CONSTELA_VARIANT {
namespace {

#ifdef __AVX2__
constexpr size_t kRowTile = 8;
#else
constexpr size_t kRowTile = 4;
#endif
using Rows __attribute__((vector_size(kRowTile * sizeof(float)))) = float;

constexpr size_t kLanes = 8;
constexpr size_t kTokenTile = 64;
constexpr size_t kPlainBlock = 32;
constexpr size_t kChunk = 256; ///< Elements that are widened at once: one K-quant block, or eight blocks of 32.

struct Tile {
    Rows weights[kChunk]; ///< [element], the rows side by side
    Rows segments[kTokenTile][kSegments];
};

template <class T>
T tree(const T* parts, size_t count)
{
    if (count == 1) {
        return parts[0];
    }
    if (count == 2) {
        return parts[0] + parts[1];
    }
    if (count == 4) {
        return (parts[0] + parts[1]) + (parts[2] + parts[3]);
    }
    return ((parts[0] + parts[1]) + (parts[2] + parts[3])) + ((parts[4] + parts[5]) + (parts[6] + parts[7]));
}

Rows block_sum(const Rows* weights, const float* x, size_t elements)
{
    Rows lanes[kLanes] = {};
    for (size_t j = 0; j < elements; j += kLanes) {
        for (size_t lane = 0; lane < kLanes; ++lane) {
            lanes[lane] += weights[j + lane] * x[j + lane];
        }
    }
    return tree(lanes, kLanes);
}

/// Widens `elements` elements of up to kRowTile rows; rows that are not there become zeros.
void widen_rows(const MatmulArgs& args, size_t first_row, size_t offset_bytes, size_t elements, Rows* out)
{
    const size_t rows = args.rows - first_row < kRowTile ? args.rows - first_row : kRowTile;
    if (rows < kRowTile) {
        memset(out, 0, elements * sizeof(Rows));
    }
    float row[kChunk];
    for (size_t r = 0; r < rows; ++r) {
        widen(args.type, args.weights + (first_row + r) * args.weight_stride + offset_bytes, row, elements);
        auto* column = reinterpret_cast<float*>(out) + r;
        for (size_t j = 0; j < elements; ++j) {
            column[j * kRowTile] = row[j];
        }
    }
}

/// All asked segments of kRowTile rows and `tokens` tokens.
void matmul_tile(const MatmulArgs& args, const MatmulPlan& plan, size_t row, size_t token, size_t tokens, Tile& tile)
{
    memset(tile.segments, 0, tokens * sizeof tile.segments[0]);
    const size_t chunk_blocks = kChunk / plan.sum_block;
    for (size_t s = 0; s < args.segments.count; ++s) {
        const size_t end = plan.bounds[args.segments.first + s + 1];
        for (size_t block = plan.bounds[args.segments.first + s]; block < end; block += chunk_blocks) {
            const size_t blocks = end - block < chunk_blocks ? end - block : chunk_blocks;
            const size_t whole = plan.whole_blocks - block < blocks ? plan.whole_blocks - block : blocks;
            const size_t elements = whole * plan.sum_block + (whole < blocks ? plan.tail : 0);
            widen_rows(args, row, block * plan.sum_block_bytes, elements, tile.weights);
            memset(tile.weights + elements, 0, (blocks * plan.sum_block - elements) * sizeof(Rows));
            for (size_t t = 0; t < tokens; ++t) {
                const auto* x = reinterpret_cast<const float*>(args.x + (token + t) * args.x_stride);
                for (size_t b = 0; b < whole; ++b) {
                    tile.segments[t][s] +=
                        block_sum(tile.weights + b * plan.sum_block, x + (block + b) * plan.sum_block, plan.sum_block);
                }
                if (whole < blocks) {
                    float rest[kPlainBlock] = {};
                    memcpy(rest, x + plan.whole_blocks * kPlainBlock, plan.tail * sizeof(float));
                    tile.segments[t][s] += block_sum(tile.weights + whole * kPlainBlock, rest, kPlainBlock);
                }
            }
        }
    }
    const size_t rows = args.rows - row < kRowTile ? args.rows - row : kRowTile;
    for (size_t t = 0; t < tokens; ++t) {
        const Rows sums = tree(tile.segments[t], args.segments.count);
        memcpy(args.out + (token + t) * args.out_stride + row, &sums, rows * sizeof(float));
    }
}

} // namespace

void matmul(const MatmulArgs& args, const MatmulPlan& plan)
{
    Tile tile;
    for (size_t row = 0; row < args.rows; row += kRowTile) {
        for (size_t token = 0; token < args.tokens; token += kTokenTile) {
            const size_t tokens = args.tokens - token < kTokenTile ? args.tokens - token : kTokenTile;
            matmul_tile(args, plan, row, token, tokens, tile);
        }
    }
}

} // namespace constela::kernels::reference::CONSTELA_VARIANT
