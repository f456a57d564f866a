// SPDX-License-Identifier: GPL-3.0-or-later
//
// Panels: a few blocks of 8 or 16 neighbouring rows of weights, unpacked so that one vector holds the same four
// elements of every row: quants[group][row][4], group g being elements 4 g to 4 g + 3. A dot product then needs no
// sum across a vector: four activations are broadcast, multiplied and added, and each row has its own 32-bit lane.
// Unpacking is done once for a tile of tokens; with one token it costs what a transposed reduction would.
//
// Eight rows are unpacked at a time; `rows` says how many the panel has in all, and so the strides.
#pragma once

#include "kernels/tensor_type.h"

#include <cstddef>
#include <cstdint>

namespace constela::kernels {

static constexpr size_t kUnpackRows = 8;
static constexpr size_t kPanelBlocks32 = 16; ///< Blocks of 32 in a panel; of 256, a panel has one.
static constexpr size_t kMaxPanelRows = 16;

/// Where an unpacker writes; the pointers are those of its first row.
struct PanelPlaces {
    size_t rows;      ///< Rows of the whole panel: the stride of all that follows.
    uint8_t* quants;  ///< [group][rows][4]; signed types hold int8
    float* scales;    ///< [block][rows]: what multiplies the integer product
    float* minima;    ///< [block][rows]: what multiplies the sum (Q4_1, Q5_1: m; Q2_K, Q4_K, Q5_K: dmin)
    int16_t* factors; ///< [sub-block][rows][2]: the integer scale, twice (types with blocks of 256)
    int16_t* weights; ///< [8][rows][2]: what multiplies the 16 sums of activations, in pairs: minima, or offset*scale
};

namespace { // has member functions, which must not be shared between sources

template <size_t Rows>
struct alignas(64) Panel {
    uint8_t quants[kPanelBlocks32 * 32 * Rows];
    float scales[kPanelBlocks32 * Rows];
    float minima[kPanelBlocks32 * Rows];
    int16_t factors[16 * Rows * 2];
    int16_t weights[8 * Rows * 2];

    PanelPlaces places(size_t row)
    {
        return {Rows, quants + row * 4, scales + row, minima + row, factors + row * 2, weights + row * 2};
    }
};

} // namespace

/// Each unpacks `blocks` blocks, from block `first` on, of the eight rows that begin at rows[0..7].
namespace avx2 {
void unpack_q4_0(const uint8_t* const* rows, size_t first, size_t blocks, PanelPlaces panel);
void unpack_q4_1(const uint8_t* const* rows, size_t first, size_t blocks, PanelPlaces panel);
void unpack_q5_0(const uint8_t* const* rows, size_t first, size_t blocks, PanelPlaces panel);
void unpack_q5_1(const uint8_t* const* rows, size_t first, size_t blocks, PanelPlaces panel);
void unpack_q8_0(const uint8_t* const* rows, size_t first, size_t blocks, PanelPlaces panel);
void unpack_iq4_nl(const uint8_t* const* rows, size_t first, size_t blocks, PanelPlaces panel);
void unpack_mxfp4(const uint8_t* const* rows, size_t first, size_t blocks, PanelPlaces panel);
void unpack_q2_k(const uint8_t* const* rows, size_t first, size_t blocks, PanelPlaces panel);
void unpack_q3_k(const uint8_t* const* rows, size_t first, size_t blocks, PanelPlaces panel);
void unpack_q4_k(const uint8_t* const* rows, size_t first, size_t blocks, PanelPlaces panel);
void unpack_q5_k(const uint8_t* const* rows, size_t first, size_t blocks, PanelPlaces panel);
void unpack_q6_k(const uint8_t* const* rows, size_t first, size_t blocks, PanelPlaces panel);
void unpack_iq4_xs(const uint8_t* const* rows, size_t first, size_t blocks, PanelPlaces panel);
} // namespace avx2

} // namespace constela::kernels
