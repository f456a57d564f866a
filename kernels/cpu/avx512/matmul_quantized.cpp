// SPDX-License-Identifier: GPL-3.0-or-later
//
// Integer products with AVX-512 VNNI: vpdpbusd adds four unsigned by signed products to each 32-bit lane, without
// saturation on the way. Signed weights are taken with 128 added, which 128 times the sum of the activations undoes.
// Sixteen rows a vector; the order of the float sums is quantized_matmul.h's, so the bits are the avx2 set's.
// CONSTELA_AVX512_HEADER: what stands in for the intrinsics where the tests compile this for processors without them.
#ifdef CONSTELA_AVX512_HEADER
#include CONSTELA_AVX512_HEADER
#else
#include <immintrin.h>
#endif

#include "kernels/cpu/avx512/avx512.h"
#include "kernels/cpu/avx512/bytes.h"
#include "kernels/cpu/common/quantized_matmul.h"

namespace constela::kernels::CONSTELA_AVX512 {
namespace {

struct Avx512 : ByteVectors {
    static constexpr size_t kVectors = 2;
    static constexpr size_t kTokenTile = 128;
    static constexpr size_t kTokens = 6;

    template <class Kind>
    static constexpr bool kSignedPanel = false;
    template <class Kind>
    static constexpr int kExcess = Kind::kSigned ? 128 : Kind::kOffset;

    /// Adds the products of Groups groups, each row's in a lane of its own.
    template <size_t Groups, size_t Vectors, size_t Tokens>
    static void add_groups(const uint8_t* const* quants, const int8_t* const* x, __m512i (*total)[Vectors])
    {
#pragma GCC unroll 8
        for (size_t g = 0; g < Groups; ++g) {
            __m512i weights[Vectors];
            for (size_t v = 0; v < Vectors; ++v) {
                weights[v] = load_bytes(quants[v] + g * kRows * 4);
            }
            for (size_t k = 0; k < Tokens; ++k) {
                const __m512i four = _mm512_set1_epi32(load_int(x[k] + g * 4));
                for (size_t v = 0; v < Vectors; ++v) {
                    total[k][v] = _mm512_dpbusd_epi32(total[k][v], weights[v], four);
                }
            }
        }
    }

    template <class Kind, size_t Vectors>
    static void multiply_tokens(const Panel<kRows>* panels, size_t first, size_t blocks, const TokenRows& x,
                                size_t tokens, bool fresh, float (*sums)[kRows * Vectors])
    {
        multiply_in_steps<Avx512, Kind, Vectors, kTokens>(panels, first, blocks, x, 0, tokens, fresh, sums);
    }

    template <class Kind, size_t Vectors, size_t Tokens>
    static void multiply_step(const Panel<kRows>* panels, size_t first, size_t blocks, const Activation32* x,
                              bool fresh, float (*sums)[kRows * Vectors])
    {
        constexpr size_t kBlockGroups = 8;
        __m512 sum[Tokens][Vectors];
        for (size_t k = 0; k < Tokens; ++k) {
            for (size_t v = 0; v < Vectors; ++v) {
                sum[k][v] = fresh ? zero() : load(sums[k] + v * kRows);
            }
        }
        for (size_t b = 0; b < blocks; ++b) {
            const size_t block = first + b;
            __m512i total[Tokens][Vectors];
            const int8_t* values[Tokens];
            for (size_t k = 0; k < Tokens; ++k) {
                const __m512i excess =
                    kExcess<Kind> == 0 ? _mm512_setzero_si512() : _mm512_set1_epi32(-kExcess<Kind> * x[k].sums[block]);
                for (size_t v = 0; v < Vectors; ++v) {
                    total[k][v] = excess;
                }
                values[k] = x[k].quants + block * 32;
            }
            const uint8_t* quants[Vectors];
            for (size_t v = 0; v < Vectors; ++v) {
                quants[v] = panels[v].quants + b * 32 * kRows;
            }
            add_groups<kBlockGroups, Vectors, Tokens>(quants, values, total);
            for (size_t k = 0; k < Tokens; ++k) {
                const __m512 of_x = _mm512_set1_ps(x[k].scales[block]);
                for (size_t v = 0; v < Vectors; ++v) {
                    const __m512 scale = load(panels[v].scales + b * kRows);
                    const __m512 product = _mm512_cvtepi32_ps(total[k][v]);
                    __m512 value;
                    if constexpr (Kind::kMinimum) {
                        const __m512 minimum = load(panels[v].minima + b * kRows);
                        const __m512 of_sum = _mm512_set1_ps(static_cast<float>(x[k].sums[block]));
                        value = _mm512_fmadd_ps(scale, product, _mm512_mul_ps(minimum, of_sum));
                    } else {
                        value = _mm512_mul_ps(scale, product);
                    }
                    sum[k][v] = _mm512_fmadd_ps(of_x, value, sum[k][v]);
                }
            }
        }
        for (size_t k = 0; k < Tokens; ++k) {
            for (size_t v = 0; v < Vectors; ++v) {
                store(sums[k] + v * kRows, sum[k][v]);
            }
        }
    }

    /// Adds products * factor to total: vpdpwssd takes the low byte of each sum and the rest of it as two int16.
    static __m512i add_scaled(__m512i total, __m512i products, __m512i factor)
    {
        const __m512i parts =
            _mm512_broadcast_i32x4(_mm_setr_epi8(0, -1, 1, 2, 4, -1, 5, 6, 8, -1, 9, 10, 12, -1, 13, 14));
        return _mm512_dpwssd_epi32(total, _mm512_shuffle_epi8(products, parts), factor);
    }

    template <class Kind, size_t Vectors, size_t Tokens>
    static void multiply_step(const Panel<kRows>* panels, size_t block, size_t /*blocks*/, const Activation256* x,
                              bool fresh, float (*sums)[kRows * Vectors])
    {
        constexpr size_t kSubBlocks = 64 / Kind::kSubGroups;
        __m512i total[Tokens][Vectors];
        for (size_t k = 0; k < Tokens; ++k) {
            for (size_t v = 0; v < Vectors; ++v) {
                total[k][v] = _mm512_setzero_si512();
            }
        }
        for (size_t sub = 0; sub < kSubBlocks; ++sub) {
            const size_t g = sub * Kind::kSubGroups;
            __m512i products[Tokens][Vectors];
            const int8_t* values[Tokens];
            for (size_t k = 0; k < Tokens; ++k) {
                for (size_t v = 0; v < Vectors; ++v) {
                    products[k][v] = _mm512_setzero_si512();
                }
                values[k] = x[k].quants + block * 256 + g * 4;
            }
            const uint8_t* quants[Vectors];
            for (size_t v = 0; v < Vectors; ++v) {
                quants[v] = panels[v].quants + g * kRows * 4;
            }
            add_groups<Kind::kSubGroups, Vectors, Tokens>(quants, values, products);
            for (size_t v = 0; v < Vectors; ++v) {
                const __m512i factor = load_bytes(panels[v].factors + sub * kRows * 2);
                for (size_t k = 0; k < Tokens; ++k) {
                    total[k][v] = add_scaled(total[k][v], products[k][v], factor);
                }
            }
        }
        __m512i correction[Tokens][Vectors];
        for (size_t k = 0; k < Tokens; ++k) {
            for (size_t v = 0; v < Vectors; ++v) {
                correction[k][v] = _mm512_setzero_si512();
            }
        }
        for (size_t pair = 0; pair < Kind::kSumPairs; ++pair) {
            for (size_t k = 0; k < Tokens; ++k) {
                const __m512i of_x = _mm512_set1_epi32(load_int(Kind::sums(x[k], block) + pair * 2));
                for (size_t v = 0; v < Vectors; ++v) {
                    correction[k][v] =
                        _mm512_dpwssd_epi32(correction[k][v], load_bytes(panels[v].weights + pair * kRows * 2), of_x);
                }
            }
        }
        for (size_t k = 0; k < Tokens; ++k) {
            const __m512 of_x = _mm512_set1_ps(x[k].scales[block]);
            for (size_t v = 0; v < Vectors; ++v) {
                const __m512 scale = load(panels[v].scales);
                __m512 value;
                if constexpr (Kind::kMinimum) {
                    const __m512 less = _mm512_mul_ps(load(panels[v].minima), _mm512_cvtepi32_ps(correction[k][v]));
                    value = _mm512_fmsub_ps(scale, _mm512_cvtepi32_ps(total[k][v]), less);
                } else {
                    // A signed type's correction is the plain sum; 128 is what its weights had too much.
                    const __m512i excess = Kind::kSigned ? _mm512_slli_epi32(correction[k][v], 7) : correction[k][v];
                    value = _mm512_mul_ps(scale, _mm512_cvtepi32_ps(_mm512_sub_epi32(total[k][v], excess)));
                }
                float* sum = sums[k] + v * kRows;
                store(sum, _mm512_fmadd_ps(of_x, value, fresh ? zero() : load(sum)));
            }
        }
    }
};

} // namespace

void matmul_quantized(const MatmulArgs& args, const MatmulPlan& plan)
{
    quantized_matmul<Avx512>(args, plan);
}

} // namespace constela::kernels::CONSTELA_AVX512
