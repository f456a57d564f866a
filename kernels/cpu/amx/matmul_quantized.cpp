// SPDX-License-Identifier: GPL-3.0-or-later
//
// Integer products with AMX: tdpbssd multiplies sixteen tokens by sixteen rows, 64 elements of each, into a tile of
// 32-bit sums. Panels are what it wants of weights, activations are taken as they lie. Signed bytes on both sides:
// weights without their offset.
//
// Types with blocks of 32 have a float scale for each block, so each block is a product of its own (half a tile deep).
// Types with blocks of 256 have small integer scales inside: a weight times its scale has up to 13 bits, and goes as
// two planes of bytes, p = 128 high + low, whose products are exact and are put together as integers.
//
// While the vectors scale one tile's sums, the tiles make the next. The order of the float sums is
// quantized_matmul.h's, so the bits are the avx2 set's.
#ifdef CONSTELA_AVX512_HEADER
#include CONSTELA_AVX512_HEADER
#else
#include <immintrin.h>
#endif

#include "kernels/cpu/amx/amx.h"
#include "kernels/cpu/amx/tiles.h"
#include "kernels/cpu/avx512/bytes.h"
#include "kernels/cpu/common/quantized_matmul.h"

namespace constela::kernels::CONSTELA_AMX {
namespace {

constexpr size_t kTokens = kTileTokens;

/// The sums of a tile: [token][row].
struct alignas(64) Products {
    int32_t sums[kTokens][16];
};

/// A block of 256 elements of sixteen rows, each weight multiplied by its small scale: [plane][group][row][4].
struct alignas(64) Planes {
    int8_t low[64][16][4];
    int8_t high[64][16][4];
};

struct Amx : CONSTELA_AVX512::ByteVectors {
    static constexpr size_t kVectors = 2;
    static constexpr size_t kTokenTile = 128;

    template <int Offset>
    static __m512i stored_quants(__m512i quants)
    {
        return Offset == 0 ? quants : _mm512_sub_epi8(quants, _mm512_set1_epi8(static_cast<char>(Offset)));
    }
    static __m512i signed_quants(__m512i quants) { return quants; }
    static __m512i factor_pair(__m512i pair) { return pair; }

    template <class Kind>
    static constexpr bool kSignedPanel = true;
    template <class Kind>
    static constexpr int kExcess = 0;

    template <class Kind, size_t Vectors>
    static void multiply_tokens(const Panel<kRows>* panels, size_t first, size_t blocks, const TokenRows& x,
                                size_t tokens, bool fresh, float (*sums)[kRows * Vectors])
    {
        if constexpr (Kind::kElements == 32) {
            multiply_32<Kind, Vectors>(panels, first, blocks, x, tokens, fresh, sums);
        } else {
            multiply_256<Kind, Vectors>(panels, first, x, tokens, fresh, sums);
        }
    }

private:
    // Types with blocks of 32. Tiles: 0 sums, 1 activations, 2 weights.

    static void load_config_32()
    {
        TileConfig config;
        config.rows[0] = config.rows[1] = kTokens;
        config.row_bytes[0] = 64;
        config.row_bytes[1] = 32;
        config.rows[2] = 8;
        config.row_bytes[2] = 64;
        CONSTELA_TILE_BARRIER();
        _tile_loadconfig(&config);
    }

    static void products_32(const int8_t* x, size_t stride, const uint8_t* quants, Products& out)
    {
        CONSTELA_TILE_BARRIER();
        _tile_zero(0);
        _tile_loadd(1, x, stride);
        _tile_loadd(2, quants, 64);
        _tile_dpbssd(0, 1, 2);
        _tile_stored(0, out.sums, 64);
    }

    template <class Kind, size_t Vectors>
    static void multiply_32(const Panel<kRows>* panels, size_t first, size_t blocks, const TokenRows& x, size_t tokens,
                            bool fresh, float (*sums)[kRows * Vectors])
    {
        Products products[2];
        load_config_32();
        for (size_t v = 0; v < Vectors; ++v) {
            const Panel<kRows>& panel = panels[v];
            const auto make = [&](size_t t, size_t b, Products& out) {
                products_32(Kind::activation(x.row(t), x.columns).quants + (first + b) * 32, x.stride,
                            panel.quants + b * 32 * kRows, out);
            };
            unsigned turn = 0;
            make(0, 0, products[0]);
            for (size_t t = 0; t < tokens; t += kTokens) {
                const typename Kind::Activation of_x = Kind::activation(x.row(t), x.columns);
                __m512 sum[kTokens];
                for (size_t k = 0; k < kTokens; ++k) {
                    sum[k] = fresh ? zero() : load(sums[t + k] + v * kRows);
                }
                for (size_t b = 0; b < blocks; ++b) {
                    if (b + 1 < blocks) {
                        make(t, b + 1, products[(turn + 1) % 2]);
                    } else if (t + kTokens < tokens) {
                        make(t + kTokens, 0, products[(turn + 1) % 2]);
                    }
                    add_scaled_32<Kind>(panel, b, first + b, of_x, x.stride, products[turn % 2], sum);
                    ++turn;
                }
                for (size_t k = 0; k < kTokens; ++k) {
                    store(sums[t + k] + v * kRows, sum[k]);
                }
            }
        }
        _tile_release();
    }

    /// `x`: the first of the tokens; the others follow `stride` bytes apart.
    template <class Kind>
    static void add_scaled_32(const Panel<kRows>& panel, size_t b, size_t block, const Activation32& x, size_t stride,
                              const Products& products, __m512* sum)
    {
        const __m512 scale = load(panel.scales + b * kRows);
        const __m512 minimum = Kind::kMinimum ? load(panel.minima + b * kRows) : _mm512_setzero_ps();
        const auto* scales = reinterpret_cast<const char*>(x.scales + block);
        const auto* sums = reinterpret_cast<const char*>(x.sums + block);
#pragma GCC unroll 16
        for (size_t k = 0; k < kTokens; ++k) {
            const __m512 product = _mm512_cvtepi32_ps(load_bytes(products.sums[k]));
            __m512 value;
            if constexpr (Kind::kMinimum) {
                const __m512 of_sum = _mm512_set1_ps(static_cast<float>(load_int(sums + k * stride)));
                value = _mm512_fmadd_ps(scale, product, _mm512_mul_ps(minimum, of_sum));
            } else {
                value = _mm512_mul_ps(scale, product);
            }
            float of_x = 0;
            memcpy(&of_x, scales + k * stride, sizeof of_x);
            sum[k] = _mm512_fmadd_ps(_mm512_set1_ps(of_x), value, sum[k]);
        }
    }

    // Types with blocks of 256. Tiles: 0 and 1 sums (low, high), 2 and 3 weights (low, high), 4 to 7 activations.

    static void load_config_256()
    {
        TileConfig config;
        for (size_t tile = 0; tile < 8; ++tile) {
            config.rows[tile] = 16;
            config.row_bytes[tile] = 64;
        }
        CONSTELA_TILE_BARRIER();
        _tile_loadconfig(&config);
    }

    static void load_activations_256(const int8_t* x, size_t stride)
    {
        CONSTELA_TILE_BARRIER();
        _tile_loadd(4, x, stride);
        _tile_loadd(5, x + 64, stride);
        _tile_loadd(6, x + 128, stride);
        _tile_loadd(7, x + 192, stride);
    }

    static void products_256(const Planes& planes, Products* out)
    {
        CONSTELA_TILE_BARRIER();
        _tile_zero(0);
        _tile_zero(1);
        _tile_loadd(2, planes.low[0], 64);
        _tile_loadd(3, planes.high[0], 64);
        _tile_dpbssd(0, 4, 2);
        _tile_dpbssd(1, 4, 3);
        _tile_loadd(2, planes.low[16], 64);
        _tile_loadd(3, planes.high[16], 64);
        _tile_dpbssd(0, 5, 2);
        _tile_dpbssd(1, 5, 3);
        _tile_loadd(2, planes.low[32], 64);
        _tile_loadd(3, planes.high[32], 64);
        _tile_dpbssd(0, 6, 2);
        _tile_dpbssd(1, 6, 3);
        _tile_loadd(2, planes.low[48], 64);
        _tile_loadd(3, planes.high[48], 64);
        _tile_dpbssd(0, 7, 2);
        _tile_dpbssd(1, 7, 3);
        _tile_stored(0, out[0].sums, 64);
        _tile_stored(1, out[1].sums, 64);
    }

    template <class Kind>
    static void make_planes(const Panel<kRows>& panel, Planes& planes)
    {
        const __m512i seven = _mm512_set1_epi16(0x7F);
        const __m512i byte = _mm512_set1_epi16(0xFF);
        for (size_t group = 0; group < 64; ++group) {
            const __m512i factor = load_bytes(panel.factors + group / Kind::kSubGroups * kRows * 2);
            const __m512i quants = load_bytes(panel.quants + group * kRows * 4);
            const __m512i even = _mm512_mullo_epi16(_mm512_srai_epi16(_mm512_slli_epi16(quants, 8), 8), factor);
            const __m512i odd = _mm512_mullo_epi16(_mm512_srai_epi16(quants, 8), factor);
            store_bytes(planes.low[group], _mm512_or_si512(_mm512_and_si512(even, seven),
                                                           _mm512_slli_epi16(_mm512_and_si512(odd, seven), 8)));
            store_bytes(planes.high[group], _mm512_or_si512(_mm512_and_si512(_mm512_srai_epi16(even, 7), byte),
                                                            _mm512_slli_epi16(_mm512_srai_epi16(odd, 7), 8)));
        }
    }

    template <class Kind, size_t Vectors>
    static void multiply_256(const Panel<kRows>* panels, size_t block, const TokenRows& x, size_t tokens, bool fresh,
                             float (*sums)[kRows * Vectors])
    {
        Planes planes[Vectors];
        for (size_t v = 0; v < Vectors; ++v) {
            make_planes<Kind>(panels[v], planes[v]);
        }
        Products products[2][2];
        load_config_256();
        const auto make = [&](size_t unit, Products* out) {
            if (unit % Vectors == 0) {
                const auto of_x = Kind::activation(x.row(unit / Vectors * kTokens), x.columns);
                load_activations_256(of_x.quants + block * 256, x.stride);
            }
            products_256(planes[unit % Vectors], out);
        };
        const size_t units = tokens / kTokens * Vectors;
        make(0, products[0]);
        for (size_t unit = 0; unit < units; ++unit) {
            if (unit + 1 < units) {
                make(unit + 1, products[(unit + 1) % 2]);
            }
            const size_t t = unit / Vectors * kTokens;
            const size_t v = unit % Vectors;
            for (size_t k = 0; k < kTokens; ++k) {
                const auto of_x = Kind::activation(x.row(t + k), x.columns);
                float* sum = sums[t + k] + v * kRows;
                store(sum,
                      add_scaled_256<Kind>(panels[v], block, of_x, products[unit % 2], k, fresh ? zero() : load(sum)));
            }
        }
        _tile_release();
    }

    template <class Kind>
    static __m512 add_scaled_256(const Panel<kRows>& panel, size_t block, const Activation256& x,
                                 const Products* products, size_t k, __m512 sum)
    {
        const __m512i total =
            _mm512_add_epi32(load_bytes(products[0].sums[k]), _mm512_slli_epi32(load_bytes(products[1].sums[k]), 7));
        const __m512 scale = load(panel.scales);
        __m512 value;
        if constexpr (Kind::kMinimum) {
            __m512i correction = _mm512_setzero_si512();
            for (size_t pair = 0; pair < Kind::kSumPairs; ++pair) {
                correction = _mm512_dpwssd_epi32(correction, load_bytes(panel.weights + pair * kRows * 2),
                                                 _mm512_set1_epi32(load_int(Kind::sums(x, block) + pair * 2)));
            }
            const __m512 less = _mm512_mul_ps(load(panel.minima), _mm512_cvtepi32_ps(correction));
            value = _mm512_fmsub_ps(scale, _mm512_cvtepi32_ps(total), less);
        } else {
            value = _mm512_mul_ps(scale, _mm512_cvtepi32_ps(total));
        }
        return _mm512_fmadd_ps(_mm512_set1_ps(x.scales[block]), value, sum);
    }
};

} // namespace

void matmul_quantized(const MatmulArgs& args, const MatmulPlan& plan)
{
    quantized_matmul<Amx>(args, plan);
}

} // namespace constela::kernels::CONSTELA_AMX
