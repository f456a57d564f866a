// SPDX-License-Identifier: GPL-3.0-or-later
//
// The int8 products that AMX can do at most: tdpbssd on full tiles, four sums in turn.
#include "kernels/cpu/amx/amx.h"
#include "kernels/cpu/amx/tiles.h"

namespace constela::kernels::CONSTELA_AMX {

size_t multiply_peak(size_t rounds)
{
    constexpr size_t kSums = 4;
    alignas(64) static constexpr int8_t kValues[16 * 64] = {1, -2, 3};
    TileConfig config;
    for (size_t tile = 0; tile < 8; ++tile) {
        config.rows[tile] = 16;
        config.row_bytes[tile] = 64;
    }
    CONSTELA_TILE_BARRIER();
    _tile_loadconfig(&config);
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    _tile_loadd(4, kValues, 64);
    _tile_loadd(5, kValues, 64);
    for (size_t round = 0; round < rounds; ++round) {
        _tile_dpbssd(0, 4, 5);
        _tile_dpbssd(1, 4, 5);
        _tile_dpbssd(2, 4, 5);
        _tile_dpbssd(3, 4, 5);
    }
    _tile_release();
    return rounds * kSums * 16 * 16 * 64;
}

} // namespace constela::kernels::CONSTELA_AMX
