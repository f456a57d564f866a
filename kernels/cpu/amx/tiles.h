// SPDX-License-Identifier: GPL-3.0-or-later
//
// AMX tiles, as the products use them. CONSTELA_AMX_HEADER: what stands in for them where the tests compile the sources
// for processors without AMX. Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, AMX.
#pragma once

#include <cstdint>
#include <cstring>

#ifdef CONSTELA_AMX_HEADER
#include CONSTELA_AMX_HEADER
#else
#include <immintrin.h>
// GCC 12's intrinsics do not say that they read memory; a barrier keeps stores before them.
#define CONSTELA_TILE_BARRIER() __asm__ volatile("" ::: "memory")
#endif

namespace constela::kernels::CONSTELA_AMX {
namespace {

/// What LDTILECFG reads: how many rows, and bytes of a row, each of the eight tiles has.
struct alignas(64) TileConfig {
    uint8_t palette = 1;
    uint8_t start_row = 0;
    uint8_t reserved[14] = {};
    uint16_t row_bytes[16] = {};
    uint8_t rows[16] = {};
};
static_assert(sizeof(TileConfig) == 64);

} // namespace
} // namespace constela::kernels::CONSTELA_AMX
