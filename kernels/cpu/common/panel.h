// SPDX-License-Identifier: GPL-3.0-or-later
//
// Panels: a few blocks of 8 or 16 neighbouring rows of weights, unpacked so that one vector holds the same four
// elements of every row: quants[group][row][4], group g being elements 4 g to 4 g + 3. A dot product then needs no
// sum across a vector: four activations are broadcast, multiplied and added, and each row has its own 32-bit lane.
// Unpacking is done once for a tile of tokens. (A panel of 16 rows is also what AMX wants of a tile of weights.)
#pragma once

#include <cstddef>
#include <cstdint>

namespace constela::kernels {

static constexpr size_t kPanelBlocks32 = 16; ///< Blocks of 32 in a panel; of 256, a panel has one.

namespace { // has a size of its own for each source

template <size_t Rows>
struct alignas(64) Panel {
    uint8_t quants[kPanelBlocks32 * 32 *
                   Rows]; ///< [group][row][4], as Isa::stored_quants() or, of signed types, signed_quants() has them
    float scales[kPanelBlocks32 * Rows]; ///< [block][row]: what multiplies the integer product
    float minima[kPanelBlocks32 *
                 Rows];             ///< [block][row]: what multiplies the sum (Q4_1, Q5_1: m; Q2_K, Q4_K, Q5_K: dmin)
    int16_t factors[16 * Rows * 2]; ///< [sub-block][row][2]: the integer scale, as Isa::factor_pair() has it
    int16_t weights[8 * Rows * 2]; ///< [pair][row][2]: what multiplies the sums of activations: minima, or offset*scale
};

} // namespace

} // namespace constela::kernels
