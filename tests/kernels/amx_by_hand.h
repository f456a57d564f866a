// SPDX-License-Identifier: GPL-3.0-or-later
//
// AMX tiles in plain C++, so that the amx sources are tested bit for bit on any machine. Operations as the Intel 64 and
// IA-32 Architectures Software Developer's Manual, volume 2, describes them; what it calls an error is one here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace constela::test {

class HandmadeTiles {
public:
    void configure(const void* config)
    {
        std::uint8_t bytes[64];
        std::memcpy(bytes, config, sizeof bytes);
        need(bytes[0] == 1);
        for (std::size_t tile = 0; tile < 8; ++tile) {
            std::uint16_t width = 0;
            std::memcpy(&width, bytes + 16 + 2 * tile, sizeof width);
            need(width <= 64 && bytes[48 + tile] <= 16);
            tiles_[tile] = {bytes[48 + tile], width, {}};
        }
    }
    void release() { *this = {}; }
    void zero(std::size_t tile) { std::memset(tiles_[tile].bytes, 0, sizeof tiles_[tile].bytes); }
    void load(std::size_t tile, const void* from, std::size_t stride)
    {
        Tile& to = tiles_[tile];
        need(to.rows > 0 && to.width > 0);
        for (std::size_t row = 0; row < to.rows; ++row) {
            std::memcpy(to.bytes[row], static_cast<const char*>(from) + row * stride, to.width);
        }
    }
    void store(std::size_t tile, void* to, std::size_t stride) const
    {
        const Tile& from = tiles_[tile];
        need(from.rows > 0 && from.width > 0);
        for (std::size_t row = 0; row < from.rows; ++row) {
            std::memcpy(static_cast<char*>(to) + row * stride, from.bytes[row], from.width);
        }
    }
    /// TDPBSSD
    void multiply(std::size_t sums, std::size_t left, std::size_t right)
    {
        Tile& c = tiles_[sums];
        const Tile& a = tiles_[left];
        const Tile& b = tiles_[right];
        need(c.rows == a.rows && c.width == b.width && a.width == 4 * b.rows);
        for (std::size_t row = 0; row < c.rows; ++row) {
            for (std::size_t column = 0; column < c.width / 4U; ++column) {
                std::int32_t sum = 0;
                std::memcpy(&sum, c.bytes[row] + 4 * column, sizeof sum);
                for (std::size_t k = 0; k < a.width; ++k) {
                    sum += static_cast<std::int8_t>(a.bytes[row][k]) *
                           static_cast<std::int8_t>(b.bytes[k / 4][4 * column + k % 4]);
                }
                std::memcpy(c.bytes[row] + 4 * column, &sum, sizeof sum);
            }
        }
    }

private:
    struct Tile {
        std::uint8_t rows = 0;
        std::uint16_t width = 0;
        std::uint8_t bytes[16][64] = {};
    };
    static void need(bool met)
    {
        if (!met) {
            std::abort(); // the processor would raise an exception
        }
    }

    Tile tiles_[8];
};

inline HandmadeTiles& handmade_tiles()
{
    static thread_local HandmadeTiles tiles;
    return tiles;
}

} // namespace constela::test

// NOLINTBEGIN(bugprone-reserved-identifier): the names of the intrinsics are what is replaced here.
#undef _tile_zero
#undef _tile_loadd
#undef _tile_stored
#undef _tile_dpbssd
#define CONSTELA_TILE_BARRIER() static_cast<void>(0)
#define _tile_loadconfig(config) constela::test::handmade_tiles().configure(config)
#define _tile_release() constela::test::handmade_tiles().release()
#define _tile_zero(tile) constela::test::handmade_tiles().zero(tile)
#define _tile_loadd(tile, from, stride) constela::test::handmade_tiles().load(tile, from, stride)
#define _tile_stored(tile, to, stride) constela::test::handmade_tiles().store(tile, to, stride)
#define _tile_dpbssd(sums, left, right) constela::test::handmade_tiles().multiply(sums, left, right)
// NOLINTEND(bugprone-reserved-identifier)
