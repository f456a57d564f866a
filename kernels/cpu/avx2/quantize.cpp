// SPDX-License-Identifier: GPL-3.0-or-later
//
// Activations to int8 (layouts: kernels/cpu/common/activations.h), and keys and values to binary16 and q8_0.
#include "kernels/cpu/avx2/avx2.h"
#include "kernels/cpu/avx2/simd.h"
#include "kernels/cpu/common/activations.h"
#include "kernels/reference/half.h"

namespace constela::kernels::avx2 {
namespace {

constexpr float kLargestFinite = 0x1.FFFFFEp127F;
constexpr float kNotANumber = __builtin_nanf("");

/// The largest magnitude. As integers, the bits of magnitudes have the same order, with infinity and then NaN on top.
inline float largest_of(const float* x, size_t count)
{
    const __m256i magnitude = _mm256_set1_epi32(0x7FFFFFFF);
    __m256i largest = _mm256_setzero_si256();
    for (size_t j = 0; j < count; j += 8) {
        largest = _mm256_max_epi32(largest, _mm256_and_si256(load_bytes(x + j), magnitude));
    }
    __m128i v = _mm_max_epi32(_mm256_castsi256_si128(largest), _mm256_extracti128_si256(largest, 1));
    v = _mm_max_epi32(v, _mm_shuffle_epi32(v, 0x4E));
    v = _mm_max_epi32(v, _mm_shuffle_epi32(v, 0xB1));
    return _mm_cvtss_f32(_mm_castsi128_ps(v));
}

/// Quantizes 32 values; what comes back are their 32-bit sums by places in fours.
inline __m256i quantize_32(const float* x, __m256 inverse, int8_t* out)
{
    __m256i words[4];
    for (size_t i = 0; i < 4; ++i) {
        words[i] = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(x + 8 * i), inverse));
    }
    const __m256i low = _mm256_packs_epi32(words[0], words[1]);
    const __m256i high = _mm256_packs_epi32(words[2], words[3]);
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    store_bytes(out, _mm256_permutevar8x32_epi32(_mm256_packs_epi16(low, high), order));
    return _mm256_add_epi32(_mm256_add_epi32(words[0], words[1]), _mm256_add_epi32(words[2], words[3]));
}

inline int sum_words(__m256i words)
{
    __m128i v = _mm_add_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
    v = _mm_add_epi32(v, _mm_shuffle_epi32(v, 0x4E));
    v = _mm_add_epi32(v, _mm_shuffle_epi32(v, 0xB1));
    return _mm_cvtsi128_si32(v);
}

struct Scale {
    float scale;
    float inverse;
    bool is_finite = true;
};

inline Scale scale_for(float largest)
{
    if (!(largest <= kLargestFinite)) {
        return {kNotANumber, 0.0F, false};
    }
    if (largest < kSmallestLargest) {
        return {0.0F, 0.0F};
    }
    return {largest / 127.0F, 127.0F / largest};
}

/// Notes the outliers of a row as it is read, 32 values at a time.
class OutlierWriter {
public:
    OutlierWriter(void* data, size_t columns)
        : before_(static_cast<uint32_t*>(data)), columns_(before_ + columns / 32 + 1),
          values_(reinterpret_cast<float*>(columns_ + columns / 32))
    {
        before_[0] = 0;
    }

    /// The values without the one that stands out, if there is one: x itself, or a copy in `copy`.
    const float* take(const float* x, float* copy)
    {
        __m256 squares = _mm256_setzero_ps();
        for (size_t j = 0; j < 32; j += 8) {
            const __m256 eight = _mm256_loadu_ps(x + j);
            squares = _mm256_fmadd_ps(eight, eight, squares);
        }
        float lanes[8];
        _mm256_storeu_ps(lanes, squares);
        const float all =
            ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
        const float largest = largest_of(x, 32);
        const float* rest = x;
        if (stands_out(largest, all)) {
            memcpy(copy, x, 32 * sizeof(float));
            size_t place = 0;
            while (place < 31 && x[place] != largest && x[place] != -largest) {
                ++place;
            }
            columns_[count_] = static_cast<uint32_t>(done_ * 32 + place);
            values_[count_] = x[place];
            ++count_;
            copy[place] = 0.0F;
            rest = copy;
        }
        before_[++done_] = count_;
        return rest;
    }

private:
    uint32_t* before_;
    uint32_t* columns_;
    float* values_;
    uint32_t count_ = 0;
    size_t done_ = 0; ///< Units of 32.
};

} // namespace

void quantize_block32(const float* row, size_t columns, std::byte* out)
{
    auto* quants = reinterpret_cast<int8_t*>(out);
    auto* scales = reinterpret_cast<float*>(out + round_up_64(columns));
    auto* sums = reinterpret_cast<int32_t*>(scales + columns / 32);
    OutlierWriter outliers(sums + columns / 32, columns);
    for (size_t block = 0; block < columns / 32; ++block) {
        float copy[32];
        const float* x = outliers.take(row + block * 32, copy);
        const Scale s = scale_for(largest_of(x, 32));
        scales[block] = s.scale;
        if (!s.is_finite) {
            memset(quants + block * 32, 0, 32);
            sums[block] = 0;
            continue;
        }
        sums[block] = sum_words(quantize_32(x, _mm256_set1_ps(s.inverse), quants + block * 32));
    }
}

void quantize_block256(const float* row, size_t columns, std::byte* out)
{
    auto* quants = reinterpret_cast<int8_t*>(out);
    auto* scales = reinterpret_cast<float*>(out + round_up_64(columns));
    auto* sums = reinterpret_cast<int16_t*>(scales + columns / 256);
    int16_t* sums_of_32 = sums + columns / 16;
    const __m256i one_bytes = _mm256_set1_epi8(1);
    const __m256i one_words = _mm256_set1_epi16(1);
    OutlierWriter outliers(sums_of_32 + columns / 32, columns);
    for (size_t block = 0; block < columns / 256; ++block) {
        float x[256];
        for (size_t part = 0; part < 256; part += 32) {
            const float* rest = outliers.take(row + block * 256 + part, x + part);
            if (rest != x + part) {
                memcpy(x + part, rest, 32 * sizeof(float));
            }
        }
        const Scale s = scale_for(largest_of(x, 256));
        const __m256 inverse = _mm256_set1_ps(s.inverse);
        scales[block] = s.scale;
        if (!s.is_finite) {
            memset(quants + block * 256, 0, 256);
            memset(sums + block * 16, 0, 16 * sizeof sums[0]);
            memset(sums_of_32 + block * 8, 0, 8 * sizeof sums[0]);
            continue;
        }
        for (size_t part = 0; part < 8; ++part) {
            int8_t* to = quants + block * 256 + part * 32;
            quantize_32(x + part * 32, inverse, to);
            // Each half of the vector holds 16 values: their sum.
            const __m256i pairs = _mm256_maddubs_epi16(one_bytes, load_bytes(to));
            __m256i quads = _mm256_madd_epi16(pairs, one_words);
            quads = _mm256_add_epi32(quads, _mm256_shuffle_epi32(quads, 0x4E));
            quads = _mm256_add_epi32(quads, _mm256_shuffle_epi32(quads, 0xB1));
            const int low = _mm256_extract_epi32(quads, 0);
            const int high = _mm256_extract_epi32(quads, 4);
            sums[block * 16 + part * 2] = static_cast<int16_t>(low);
            sums[block * 16 + part * 2 + 1] = static_cast<int16_t>(high);
            sums_of_32[block * 8 + part] = static_cast<int16_t>(low + high);
        }
    }
}

void store_f16(const float* values, size_t count, std::byte* out)
{
    auto* halves = reinterpret_cast<uint8_t*>(out);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m128i eight = _mm256_cvtps_ph(_mm256_loadu_ps(values + i), _MM_FROUND_TO_NEAREST_INT);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(halves + 2 * i), eight);
    }
    for (; i < count; ++i) {
        const uint16_t half = half_from_float(values[i]);
        memcpy(halves + 2 * i, &half, sizeof half);
    }
}

void store_q8_0(const float* values, size_t count, std::byte* out)
{
    auto* bytes = reinterpret_cast<uint8_t*>(out);
    for (size_t from = 0; from + 32 <= count; from += 32, bytes += 34) {
        const Scale s = scale_for(largest_of(values + from, 32));
        const uint16_t half = half_from_float(s.scale);
        memcpy(bytes, &half, sizeof half);
        if (s.is_finite) {
            quantize_32(values + from, _mm256_set1_ps(s.inverse), reinterpret_cast<int8_t*>(bytes + 2));
        } else {
            memset(bytes + 2, 0, 32);
        }
    }
}

} // namespace constela::kernels::avx2
