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
#include "kernels/cpu/common/quantized_matmul.h"

namespace constela::kernels::CONSTELA_AVX512 {
namespace {

struct Avx512 {
    static constexpr size_t kRows = 16;
    using Floats = __m512;

    static __m512 load(const float* data) { return _mm512_loadu_ps(data); }
    static void store(float* data, __m512 value) { _mm512_storeu_ps(data, value); }
    static __m512 add(__m512 a, __m512 b) { return _mm512_add_ps(a, b); }

    static __m512i load_ints(const void* data) { return _mm512_loadu_si512(data); }

    static int load_int(const void* data)
    {
        int value = 0;
        memcpy(&value, data, sizeof value);
        return value;
    }

    /// Adds the products of Groups groups, each row's in a lane of its own.
    template <bool Signed, size_t Groups, size_t Tokens>
    static void add_groups(const uint8_t* quants, const int8_t* const* x, __m512i* total)
    {
        for (size_t g = 0; g < Groups; ++g) {
            __m512i weights = load_ints(quants + g * kRows * 4);
            if constexpr (Signed) {
                weights = _mm512_xor_si512(weights, _mm512_set1_epi32(static_cast<int>(0x80808080U)));
            }
            for (size_t k = 0; k < Tokens; ++k) {
                total[k] = _mm512_dpbusd_epi32(total[k], weights, _mm512_set1_epi32(load_int(x[k] + g * 4)));
            }
        }
    }

    static __m512 multiply_add(float x, __m512 weight, __m512 sum)
    {
        return _mm512_fmadd_ps(_mm512_set1_ps(x), weight, sum);
    }

    /// One weight of each row: element `element` of block `block` of the panel.
    template <class Kind>
    static __m512 weight(const Panel<kRows>& panel, size_t block, size_t element)
    {
        const size_t group = block * Kind::kElements / 4 + element / 4;
        const auto place = static_cast<int>(8 * (element % 4));
        const __m512i bytes = load_ints(panel.quants + group * kRows * 4);
        const __m512i high = _mm512_sll_epi32(bytes, _mm_cvtsi32_si128(24 - place));
        __m512i value = Kind::kSigned ? _mm512_srai_epi32(high, 24) : _mm512_srli_epi32(high, 24);
        const __m512 scale = load(panel.scales + block * kRows);
        if constexpr (Kind::kElements == 32) {
            const __m512 number = _mm512_cvtepi32_ps(_mm512_sub_epi32(value, _mm512_set1_epi32(Kind::kOffset)));
            if constexpr (Kind::kMinimum) {
                return _mm512_fmadd_ps(scale, number, load(panel.minima + block * kRows));
            }
            return _mm512_mul_ps(scale, number);
        } else {
            const size_t sub = element / 4 / Kind::kSubGroups;
            value = _mm512_mullo_epi32(value, _mm512_srai_epi32(load_ints(panel.factors + sub * kRows * 2), 16));
            const __m512i pair = load_ints(panel.weights + element / 32 * kRows * 2);
            const bool second = element / 16 % 2 == 1;
            const __m512i correction = _mm512_srai_epi32(second ? pair : _mm512_slli_epi32(pair, 16), 16);
            if constexpr (Kind::kMinimum) {
                const __m512 less = _mm512_mul_ps(load(panel.minima), _mm512_cvtepi32_ps(correction));
                return _mm512_fmsub_ps(scale, _mm512_cvtepi32_ps(value), less);
            }
            if constexpr (!Kind::kSigned) {
                value = _mm512_sub_epi32(value, correction);
            }
            return _mm512_mul_ps(scale, _mm512_cvtepi32_ps(value));
        }
    }

    template <class Kind, size_t Tokens>
    static void multiply(const Panel<kRows>& panel, size_t begin, size_t from, size_t to, const Activation32* x,
                         __m512* sum)
    {
        constexpr size_t kBlockGroups = 8;
        constexpr int kOffset = Kind::kSigned ? 128 : Kind::kOffset;
        for (size_t block = from; block < to; ++block) {
            __m512i total[Tokens];
            const int8_t* values[Tokens];
            for (size_t k = 0; k < Tokens; ++k) {
                total[k] = _mm512_set1_epi32(-kOffset * x[k].sums[block]);
                values[k] = x[k].quants + block * 32;
            }
            add_groups<Kind::kSigned, kBlockGroups, Tokens>(panel.quants + (block - begin) * 32 * kRows, values, total);
            const __m512 scale = load(panel.scales + (block - begin) * kRows);
            for (size_t k = 0; k < Tokens; ++k) {
                const __m512 product = _mm512_cvtepi32_ps(total[k]);
                __m512 value;
                if constexpr (Kind::kMinimum) {
                    const __m512 minimum = load(panel.minima + (block - begin) * kRows);
                    const __m512 of_sum = _mm512_set1_ps(static_cast<float>(x[k].sums[block]));
                    value = _mm512_fmadd_ps(scale, product, _mm512_mul_ps(minimum, of_sum));
                } else {
                    value = _mm512_mul_ps(scale, product);
                }
                sum[k] = _mm512_fmadd_ps(_mm512_set1_ps(x[k].scales[block]), value, sum[k]);
            }
        }
    }

    template <class Kind, size_t Tokens>
    static void multiply(const Panel<kRows>& panel, size_t /*begin*/, size_t block, size_t /*to*/,
                         const Activation256* x, __m512* sum)
    {
        constexpr size_t kBlockGroups = 64;
        __m512i total[Tokens];
        __m512i correction[Tokens];
        for (size_t k = 0; k < Tokens; ++k) {
            total[k] = _mm512_setzero_si512();
            correction[k] = _mm512_setzero_si512();
        }
        for (size_t sub = 0; sub < kBlockGroups / Kind::kSubGroups; ++sub) {
            const size_t g = sub * Kind::kSubGroups;
            __m512i products[Tokens];
            const int8_t* values[Tokens];
            for (size_t k = 0; k < Tokens; ++k) {
                products[k] = _mm512_setzero_si512();
                values[k] = x[k].quants + block * 256 + g * 4;
            }
            add_groups<Kind::kSigned, Kind::kSubGroups, Tokens>(panel.quants + g * kRows * 4, values, products);
            const __m512i factor = _mm512_srai_epi32(load_ints(panel.factors + sub * kRows * 2), 16);
            for (size_t k = 0; k < Tokens; ++k) {
                total[k] = _mm512_add_epi32(total[k], _mm512_mullo_epi32(products[k], factor));
            }
        }
        for (size_t pair = 0; pair < 8; ++pair) {
            const __m512i weights = load_ints(panel.weights + pair * kRows * 2);
            for (size_t k = 0; k < Tokens; ++k) {
                const __m512i sums = _mm512_set1_epi32(load_int(x[k].sums + block * 16 + pair * 2));
                correction[k] = _mm512_add_epi32(correction[k], _mm512_madd_epi16(weights, sums));
            }
        }
        const __m512 scale = load(panel.scales);
        for (size_t k = 0; k < Tokens; ++k) {
            __m512 value;
            if constexpr (Kind::kMinimum) {
                const __m512 less = _mm512_mul_ps(load(panel.minima), _mm512_cvtepi32_ps(correction[k]));
                value = _mm512_fmsub_ps(scale, _mm512_cvtepi32_ps(total[k]), less);
            } else {
                // A signed type's correction is the plain sum; 128 is what its weights had too much.
                const __m512i excess = Kind::kSigned ? _mm512_slli_epi32(correction[k], 7) : correction[k];
                value = _mm512_mul_ps(scale, _mm512_cvtepi32_ps(_mm512_sub_epi32(total[k], excess)));
            }
            sum[k] = _mm512_fmadd_ps(_mm512_set1_ps(x[k].scales[block]), value, sum[k]);
        }
    }
};

} // namespace

void matmul_quantized(const MatmulArgs& args, const MatmulPlan& plan)
{
    quantized_matmul<Avx512>(args, plan);
}

} // namespace constela::kernels::CONSTELA_AVX512
