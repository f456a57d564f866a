// SPDX-License-Identifier: GPL-3.0-or-later
//
// Integer products with AVX2. vpmaddubsw multiplies unsigned by signed bytes and adds pairs with saturation, so what
// may be added in int16 is counted (Kind::kGroups): 8 groups of 4-bit values are at most 8 * 2 * 15 * 127 = 30480.
// Signed weights w go as |w| (at most 128) times sign(w) x; |w| x + |w'| x' is at most 2 * 128 * 127 = 32512.
#include "kernels/cpu/avx2/avx2.h"
#include "kernels/cpu/avx2/bytes.h"
#include "kernels/cpu/common/quantized_matmul.h"

namespace constela::kernels::avx2 {
namespace {

struct Avx2 : ByteVectors {
    static constexpr size_t kVectors = 1;
    static constexpr size_t kTokenTile = 64;
    static constexpr size_t kTokens = 4;

    template <class Kind>
    static constexpr bool kSignedPanel = Kind::kSigned;
    template <class Kind>
    static constexpr int kExcess = Kind::kOffset;

    /// Adds to total[k] the products of kGroups groups, each row's multiplied by its factor (in both int16 halves).
    template <class Kind, size_t Tokens>
    static void add_groups(const uint8_t* quants, __m256i factor, const int8_t* const* x, __m256i* total)
    {
        __m256i products[Tokens];
        for (size_t g = 0; g < Kind::kGroups; ++g) {
            const __m256i weights = avx2::load_bytes(quants + g * kRows * 4);
            for (size_t k = 0; k < Tokens; ++k) {
                const __m256i values = _mm256_set1_epi32(load_int(x[k] + g * 4));
                const __m256i product =
                    Kind::kSigned ? _mm256_maddubs_epi16(_mm256_abs_epi8(weights), _mm256_sign_epi8(values, weights))
                                  : _mm256_maddubs_epi16(weights, values);
                products[k] = g == 0 ? product : _mm256_add_epi16(products[k], product);
            }
        }
        for (size_t k = 0; k < Tokens; ++k) {
            total[k] = _mm256_add_epi32(total[k], _mm256_madd_epi16(products[k], factor));
        }
    }

    template <class Kind, size_t Vectors>
    static void multiply_tokens(const Panel<kRows>* panels, size_t first, size_t blocks, const TokenRows& x,
                                size_t tokens, bool fresh, float (*sums)[kRows * Vectors])
    {
        multiply_in_steps<Avx2, Kind, Vectors, kTokens>(panels, first, blocks, x, 0, tokens, fresh, sums);
    }

    template <class Kind, size_t Vectors, size_t Tokens>
    static void multiply_step(const Panel<kRows>* panels, size_t first, size_t blocks, const Activation32* x,
                              bool fresh, float (*sums)[kRows * Vectors])
    {
        constexpr size_t kBlockGroups = 8;
        const Panel<kRows>& panel = panels[0];
        const __m256i one = _mm256_set1_epi16(1);
        __m256 sum[Tokens];
        for (size_t k = 0; k < Tokens; ++k) {
            sum[k] = fresh ? zero() : load(sums[k]);
        }
        for (size_t b = 0; b < blocks; ++b) {
            const size_t block = first + b;
            const uint8_t* quants = panel.quants + b * 32 * kRows;
            __m256i total[Tokens];
            for (size_t k = 0; k < Tokens; ++k) {
                total[k] =
                    Kind::kOffset == 0 ? _mm256_setzero_si256() : _mm256_set1_epi32(-Kind::kOffset * x[k].sums[block]);
            }
            for (size_t g = 0; g < kBlockGroups; g += Kind::kGroups) {
                const int8_t* values[Tokens];
                for (size_t k = 0; k < Tokens; ++k) {
                    values[k] = x[k].quants + block * 32 + g * 4;
                }
                add_groups<Kind, Tokens>(quants + g * kRows * 4, one, values, total);
            }
            const __m256 scale = load(panel.scales + b * kRows);
            for (size_t k = 0; k < Tokens; ++k) {
                const __m256 product = _mm256_cvtepi32_ps(total[k]);
                __m256 value;
                if constexpr (Kind::kMinimum) {
                    const __m256 minimum = load(panel.minima + b * kRows);
                    const __m256 of_sum = _mm256_set1_ps(static_cast<float>(x[k].sums[block]));
                    value = _mm256_fmadd_ps(scale, product, _mm256_mul_ps(minimum, of_sum));
                } else {
                    value = _mm256_mul_ps(scale, product);
                }
                sum[k] = _mm256_fmadd_ps(_mm256_set1_ps(x[k].scales[block]), value, sum[k]);
            }
        }
        for (size_t k = 0; k < Tokens; ++k) {
            store(sums[k], sum[k]);
        }
    }

    template <class Kind, size_t Vectors, size_t Tokens>
    static void multiply_step(const Panel<kRows>* panels, size_t block, size_t /*blocks*/, const Activation256* x,
                              bool fresh, float (*sums)[kRows * Vectors])
    {
        constexpr size_t kBlockGroups = 64;
        const Panel<kRows>& panel = panels[0];
        __m256i total[Tokens];
        __m256i correction[Tokens];
        for (size_t k = 0; k < Tokens; ++k) {
            total[k] = _mm256_setzero_si256();
            correction[k] = _mm256_setzero_si256();
        }
        for (size_t g = 0; g < kBlockGroups; g += Kind::kGroups) {
            const int8_t* values[Tokens];
            for (size_t k = 0; k < Tokens; ++k) {
                values[k] = x[k].quants + block * 256 + g * 4;
            }
            const __m256i factor = load_bytes(panel.factors + g / Kind::kSubGroups * kRows * 2);
            add_groups<Kind, Tokens>(panel.quants + g * kRows * 4, factor, values, total);
        }
        if constexpr (!Kind::kSigned) {
            for (size_t pair = 0; pair < Kind::kSumPairs; ++pair) {
                const __m256i weights = load_bytes(panel.weights + pair * kRows * 2);
                for (size_t k = 0; k < Tokens; ++k) {
                    const __m256i of_x = _mm256_set1_epi32(load_int(Kind::sums(x[k], block) + pair * 2));
                    correction[k] = _mm256_add_epi32(correction[k], _mm256_madd_epi16(weights, of_x));
                }
            }
        }
        const __m256 scale = load(panel.scales);
        for (size_t k = 0; k < Tokens; ++k) {
            __m256 value;
            if constexpr (Kind::kMinimum) {
                const __m256 less = _mm256_mul_ps(load(panel.minima), _mm256_cvtepi32_ps(correction[k]));
                value = _mm256_fmsub_ps(scale, _mm256_cvtepi32_ps(total[k]), less);
            } else {
                value = _mm256_mul_ps(scale, _mm256_cvtepi32_ps(_mm256_sub_epi32(total[k], correction[k])));
            }
            store(sums[k], _mm256_fmadd_ps(_mm256_set1_ps(x[k].scales[block]), value, fresh ? zero() : load(sums[k])));
        }
    }
};

} // namespace

void matmul_quantized(const MatmulArgs& args, const MatmulPlan& plan)
{
    quantized_matmul<Avx2>(args, plan);
}

} // namespace constela::kernels::avx2
