// SPDX-License-Identifier: GPL-3.0-or-later
//
// The small operations, eight lanes at a time. A row's last, incomplete eight goes through the same instructions
// under a mask, so that an element's bits do not depend on where it stands. Sums go in eight lanes by index.
#include "kernels/cpu/avx2/avx2.h"
#include "kernels/cpu/avx2/math.h"

#include <cmath>

namespace constela::kernels::avx2 {
namespace {

/// Calls step(i, mask) for i = 0, 8, 16 ...
template <class Step>
inline void for_eights(size_t count, const Step& step)
{
    const __m256i all = _mm256_set1_epi32(-1);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        step(i, all);
    }
    if (i < count) {
        step(i, first_lanes(count - i));
    }
}

/// out = f(a, b)
template <class Function>
inline void map(const float* a, const float* b, size_t count, float* out, const Function& f)
{
    for_eights(count, [&](size_t i, __m256i mask) {
        _mm256_maskstore_ps(out + i, mask, f(_mm256_maskload_ps(a + i, mask), _mm256_maskload_ps(b + i, mask)));
    });
}

/// x = f(x)
template <class Function>
inline void map(float* x, size_t count, const Function& f)
{
    for_eights(count,
               [&](size_t i, __m256i mask) { _mm256_maskstore_ps(x + i, mask, f(_mm256_maskload_ps(x + i, mask))); });
}

} // namespace

void rms_norm(const float* x, const float* weight, size_t count, float eps, float* out)
{
    __m256 lanes = _mm256_setzero_ps();
    for_eights(count, [&](size_t i, __m256i mask) {
        const __m256 v = _mm256_maskload_ps(x + i, mask);
        lanes = _mm256_fmadd_ps(v, v, lanes);
    });
    const float mean = sum_lanes(lanes) / static_cast<float>(count);
    const __m256 factor = _mm256_set1_ps(1.0F / sqrtf(mean + eps));
    if (weight == nullptr) {
        map(x, x, count, out, [&](__m256 v, __m256) { return _mm256_mul_ps(v, factor); });
        return;
    }
    map(x, weight, count, out, [&](__m256 v, __m256 w) { return _mm256_mul_ps(_mm256_mul_ps(v, factor), w); });
}

// Both layouts round alike: a' = fma(a, cos, -(b sin)), b' = fma(b, cos, a sin).
void rope(RopeLayout layout, const float* cosines, const float* sines, size_t pairs, float* head)
{
    if (layout == RopeLayout::halves) {
        for_eights(pairs, [&](size_t i, __m256i mask) {
            const __m256 a = _mm256_maskload_ps(head + i, mask);
            const __m256 b = _mm256_maskload_ps(head + pairs + i, mask);
            const __m256 c = _mm256_maskload_ps(cosines + i, mask);
            const __m256 s = _mm256_maskload_ps(sines + i, mask);
            _mm256_maskstore_ps(head + i, mask, _mm256_fmsub_ps(a, c, _mm256_mul_ps(b, s)));
            _mm256_maskstore_ps(head + pairs + i, mask, _mm256_fmadd_ps(b, c, _mm256_mul_ps(a, s)));
        });
        return;
    }
    const __m256i twice = _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3);
    for_eights(2 * pairs, [&](size_t i, __m256i mask) {
        const __m128i half_mask = _mm256_castsi256_si128(first_lanes(pairs - i / 2));
        const __m256 c4 = _mm256_castps128_ps256(_mm_maskload_ps(cosines + i / 2, half_mask));
        const __m256 s4 = _mm256_castps128_ps256(_mm_maskload_ps(sines + i / 2, half_mask));
        const __m256 c = _mm256_permutevar8x32_ps(c4, twice);
        const __m256 s = _mm256_permutevar8x32_ps(s4, twice);
        const __m256 v = _mm256_maskload_ps(head + i, mask);
        const __m256 crossed = _mm256_mul_ps(_mm256_permute_ps(v, 0xB1), s);
        _mm256_maskstore_ps(head + i, mask, _mm256_fmaddsub_ps(v, c, crossed));
    });
}

void silu_multiply(const float* gate, const float* up, size_t count, float* out)
{
    const __m256 one = _mm256_set1_ps(1.0F);
    map(gate, up, count, out, [&](__m256 x, __m256 y) {
        const __m256 grown = _mm256_add_ps(one, exp(_mm256_xor_ps(x, _mm256_set1_ps(-0.0F))));
        return _mm256_mul_ps(_mm256_div_ps(x, grown), y);
    });
}

void gelu_multiply(const float* gate, const float* up, size_t count, float* out)
{
    const __m256 one = _mm256_set1_ps(1.0F);
    map(gate, up, count, out, [&](__m256 x, __m256 y) {
        const __m256 cubic = _mm256_fmadd_ps(_mm256_mul_ps(x, x), _mm256_set1_ps(0.044715F), one);
        const __m256 inner = _mm256_mul_ps(_mm256_mul_ps(_mm256_set1_ps(0.7978845608F), x), cubic);
        const __m256 half = _mm256_mul_ps(_mm256_set1_ps(0.5F), x);
        return _mm256_mul_ps(_mm256_mul_ps(half, _mm256_add_ps(one, tanh(inner))), y);
    });
}

void add(float* x, const float* y, size_t count)
{
    map(x, y, count, x, [](__m256 a, __m256 b) { return _mm256_add_ps(a, b); });
}

void add_scaled(float* x, float factor, const float* y, size_t count)
{
    const __m256 f = _mm256_set1_ps(factor);
    map(x, y, count, x, [&](__m256 a, __m256 b) { return _mm256_fmadd_ps(f, b, a); });
}

void scale(float* x, float factor, size_t count)
{
    const __m256 f = _mm256_set1_ps(factor);
    map(x, count, [&](__m256 a) { return _mm256_mul_ps(a, f); });
}

void softcap(float* x, float cap, size_t count)
{
    const __m256 c = _mm256_set1_ps(cap);
    map(x, count, [&](__m256 a) { return _mm256_mul_ps(c, tanh(_mm256_div_ps(a, c))); });
}

void softmax(float* x, size_t count)
{
    const __m256 lowest = _mm256_set1_ps(-INFINITY);
    __m256 largest = lowest;
    for_eights(count, [&](size_t i, __m256i mask) {
        const __m256 v = _mm256_maskload_ps(x + i, mask);
        largest = _mm256_max_ps(largest, _mm256_blendv_ps(lowest, v, _mm256_castsi256_ps(mask)));
    });
    const __m256 top = _mm256_set1_ps(largest_lane(largest));
    __m256 sums = _mm256_setzero_ps();
    for_eights(count, [&](size_t i, __m256i mask) {
        const __m256 e = exp(_mm256_sub_ps(_mm256_maskload_ps(x + i, mask), top));
        sums = _mm256_add_ps(sums, _mm256_and_ps(e, _mm256_castsi256_ps(mask)));
        _mm256_maskstore_ps(x + i, mask, e);
    });
    const __m256 sum = _mm256_set1_ps(sum_lanes(sums));
    map(x, count, [&](__m256 e) { return _mm256_div_ps(e, sum); });
}

} // namespace constela::kernels::avx2
