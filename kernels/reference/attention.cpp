// SPDX-License-Identifier: GPL-3.0-or-later
//
// Attention of one token over one key/value head, in three plain steps: scores, softmax, weighted sum of values.
// (Vaswani et al. 2017; grouped queries: Ainslie et al. 2023; soft cap: Gemma 2 report, 2024.)
//
// The order of the sums: a dot product goes in pieces of 256 elements, added in order; in a piece, lane l adds
// elements l, l + 8, ..., and lanes are added as ((0+1)+(2+3))+((4+5)+(6+7)). Sums over positions go by position.
//
// Compiled twice (see variants.h). Nothing here may instantiate an inline function with external linkage.
#include "kernels/reference/kv_rows.h"
#include "kernels/reference/variants.h"

#include <cmath>
#include <cstring>

namespace constela::kernels::reference::CONSTELA_VARIANT {
namespace {

#ifdef __AVX2__
constexpr size_t kWidth = 8;
#else
constexpr size_t kWidth = 4;
#endif
using Vector __attribute__((vector_size(kWidth * sizeof(float)))) = float;

constexpr size_t kLanes = 8;
constexpr size_t kPiece = 256;

float dot(const float* a, const float* b, size_t count)
{
    Vector sums[kLanes / kWidth] = {};
    size_t j = 0;
    for (; j + kLanes <= count; j += kLanes) {
        for (size_t part = 0; part < kLanes / kWidth; ++part) {
            Vector left;
            Vector right;
            memcpy(&left, a + j + part * kWidth, sizeof left);
            memcpy(&right, b + j + part * kWidth, sizeof right);
            sums[part] += left * right;
        }
    }
    float lanes[kLanes];
    memcpy(lanes, sums, sizeof lanes);
    for (size_t lane = 0; j + lane < count; ++lane) {
        lanes[lane] += a[j + lane] * b[j + lane];
    }
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

/// out += weight * values
void add_weighted(float* out, float weight, const float* values, size_t count)
{
    for (size_t j = 0; j < count; ++j) {
        out[j] += weight * values[j];
    }
}

size_t piece_at(size_t from, size_t size)
{
    return size - from < kPiece ? size - from : kPiece;
}

/// s_p = scale q . K_p, capped.
void fill_scores(const AttentionArgs& args)
{
    const size_t span = args.last - args.first;
    float key[kPiece];
    for (size_t p = args.first; p < args.last; ++p) {
        const std::byte* row = args.key_pages[p / args.page_positions] + args.key_head_offset +
                               p % args.page_positions * args.key_position_stride;
        for (size_t from = 0; from < args.head_size; from += kPiece) {
            const size_t count = piece_at(from, args.head_size);
            read_kv(args.type, row, from, count, key);
            for (size_t g = 0; g < args.group; ++g) {
                float& score = args.scores[g * span + p - args.first];
                score = (from == 0 ? 0.0F : score) + dot(args.queries + g * args.head_size + from, key, count);
            }
        }
    }
    for (size_t i = 0; i < args.group * span; ++i) {
        const float score = args.scores[i] * args.scale;
        args.scores[i] = args.softcap > 0.0F ? args.softcap * tanhf(score / args.softcap) : score;
    }
}

/// x = exp(x - max) / sum
void softmax(float* x, size_t count)
{
    float largest = x[0];
    for (size_t i = 1; i < count; ++i) {
        largest = x[i] > largest ? x[i] : largest;
    }
    float sum = 0.0F;
    for (size_t i = 0; i < count; ++i) {
        x[i] = expf(x[i] - largest);
        sum += x[i];
    }
    for (size_t i = 0; i < count; ++i) {
        x[i] /= sum;
    }
}

/// out = sum of w_p V_p
void mix_values(const AttentionArgs& args)
{
    const size_t span = args.last - args.first;
    memset(args.out, 0, args.group * args.value_head_size * sizeof(float));
    float value[kPiece];
    for (size_t p = args.first; p < args.last; ++p) {
        const std::byte* row = args.value_pages[p / args.page_positions] + args.value_head_offset +
                               p % args.page_positions * args.value_position_stride;
        for (size_t from = 0; from < args.value_head_size; from += kPiece) {
            const size_t count = piece_at(from, args.value_head_size);
            read_kv(args.type, row, from, count, value);
            for (size_t g = 0; g < args.group; ++g) {
                add_weighted(args.out + g * args.value_head_size + from, args.scores[g * span + p - args.first], value,
                             count);
            }
        }
    }
}

} // namespace

void attention(const AttentionArgs& args)
{
    fill_scores(args);
    const size_t span = args.last - args.first;
    for (size_t g = 0; g < args.group && span > 0; ++g) {
        softmax(args.scores + g * span, span);
    }
    mix_values(args);
}

} // namespace constela::kernels::reference::CONSTELA_VARIANT
