// SPDX-License-Identifier: GPL-3.0-or-later
//
// The matrix product with packed quantized weights (packed.h), for any vector width. Isa says how many rows a vector
// has and how a run of blocks is multiplied; everything here is the order around it, and that order is the promise:
//
// For one row and one token, a block's value is v = d * I, or d * I1 - dmin * I2, or d * I + m * S, where I, I1, I2
// and S are exact integers (converted to float32) and each v takes one fused multiply-add at most. The segment's sum is
// s = fma(d_x, v, s) over its blocks in order. The activations that were taken out (activations.h) have a sum of their
// own, o = fma(x, w, o) over their columns in order, w being what v is for a block that holds a one there and else
// zeros; the segment gives s + o where there are such, else s. Segments are added as the tree (docs/adr/0002). Rows lie
// side by side in a vector, so neither the tile, nor the number of tokens, nor the vector width has a part in it.
//
// How it is fast: a few blocks of Isa::kVectors vectors of rows are unpacked into panels, which stay in the nearest
// cache while a tile of tokens (Isa::kTokenTile) goes over them, a few at a time, with all sums in registers.
//
// Everything has internal linkage on purpose: included by sources that are compiled for a newer processor.
#pragma once

#include "kernels/cpu/common/activations.h"
#include "kernels/cpu/common/unpack.h"
#include "kernels/matmul_plan.h"

#include <cstring>

namespace constela::kernels {
namespace {

/// Types with blocks of 32. Signed: stored values are int8. Offset: what a stored value exceeds the true one by.
/// Minimum: the block adds m * S. Groups: how many groups may be added in int16 lanes without overflow.
template <TensorType Type, bool Signed, int Offset, bool Minimum, size_t Groups>
struct Kind32 {
    static constexpr TensorType kType = Type;
    static constexpr bool kSigned = Signed;
    static constexpr int kOffset = Offset;
    static constexpr bool kMinimum = Minimum;
    static constexpr size_t kGroups = Groups;
    static constexpr size_t kPanelBlocks = kPanelBlocks32;
    static constexpr size_t kElements = 32;
    using Activation = Activation32;
    static Activation activation(const void* row, size_t columns) { return activation32(row, columns); }
};

/// Types with blocks of 256. SubGroups: groups of a sub-block. Minimum: v = d I1 - dmin I2; else v = d (I1 - I2).
/// SumOf: how many activations have a sum that I2 is made of.
template <TensorType Type, bool Signed, int Offset, size_t SubGroups, bool Minimum, size_t SumOf, size_t Groups>
struct Kind256 {
    static constexpr TensorType kType = Type;
    static constexpr bool kSigned = Signed;
    static constexpr int kOffset = Offset;
    static constexpr size_t kSubGroups = SubGroups;
    static constexpr bool kMinimum = Minimum;
    static constexpr size_t kSumOf = SumOf;
    static constexpr size_t kGroups = Groups;
    static constexpr size_t kPanelBlocks = 1;
    static constexpr size_t kElements = 256;
    static constexpr size_t kSumPairs = 256 / SumOf / 2;
    using Activation = Activation256;
    static Activation activation(const void* row, size_t columns) { return activation256(row, columns); }
    /// The sums of activations that I2 is made of, of one block.
    static const int16_t* sums(const Activation& x, size_t block)
    {
        return SumOf == 16 ? x.sums_of_16 + block * 16 : x.sums_of_32 + block * 8;
    }
};

/// Prepared activations of some tokens.
struct TokenRows {
    const std::byte* first;
    size_t stride;
    size_t columns;

    [[nodiscard]] const std::byte* row(size_t token) const { return first + token * stride; }
};

inline int load_int(const void* data)
{
    int value = 0;
    memcpy(&value, data, sizeof value);
    return value;
}

/// One weight of each row: element `element` of block `block` of the panel. Isa::kSignedPanel and kExcess say what the
/// panel's bytes are: signed or not, and by how much they exceed the true values.
template <class Isa, class Kind>
typename Isa::Floats weight_of(const Panel<Isa::kRows>& panel, size_t block, size_t element)
{
    constexpr size_t kRows = Isa::kRows;
    const size_t group = block * Kind::kElements / 4 + element / 4;
    const auto bytes = Isa::load_bytes(panel.quants + group * kRows * 4);
    const auto byte = Isa::template byte_of<Isa::template kSignedPanel<Kind>>(bytes, element % 4);
    const auto value = Isa::sub32(byte, Isa::fill32(Isa::template kExcess<Kind>));
    const auto scale = Isa::load(panel.scales + block * kRows);
    if constexpr (Kind::kElements == 32) {
        if constexpr (Kind::kMinimum) {
            return Isa::multiply_add(scale, Isa::to_floats(value), Isa::load(panel.minima + block * kRows));
        }
        return Isa::multiply(scale, Isa::to_floats(value));
    } else {
        // The lower int16 of a factor is the small scale in every set.
        const size_t sub = element / 4 / Kind::kSubGroups;
        const auto factor = Isa::half_of(Isa::load_bytes(panel.factors + sub * kRows * 2), 0);
        const auto number = Isa::to_floats(Isa::multiply32(value, factor));
        if constexpr (Kind::kMinimum) {
            const size_t sum_place = element / Kind::kSumOf;
            const auto pair = Isa::load_bytes(panel.weights + sum_place / 2 * kRows * 2);
            const auto minimum = Isa::half_of(pair, sum_place % 2);
            const auto less = Isa::multiply(Isa::load(panel.minima), Isa::to_floats(minimum));
            return Isa::multiply_subtract(scale, number, less);
        }
        return Isa::multiply(scale, number);
    }
}

/// The panels, which hold `blocks` blocks from block `first` on, times the tokens from `t` on, added to sums[t] (fresh:
/// to zero): Tokens at a time by Isa::multiply_step(), then the rest by smaller steps.
template <class Isa, class Kind, size_t Vectors, size_t Tokens>
void multiply_in_steps(const Panel<Isa::kRows>* panels, size_t first, size_t blocks, const TokenRows& rows, size_t t,
                       size_t tokens, bool fresh, float (*sums)[Isa::kRows * Vectors])
{
    for (; t + Tokens <= tokens; t += Tokens) {
        typename Kind::Activation x[Tokens];
        for (size_t k = 0; k < Tokens; ++k) {
            x[k] = Kind::activation(rows.row(t + k), rows.columns);
        }
        Isa::template multiply_step<Kind, Vectors, Tokens>(panels, first, blocks, x, fresh, sums + t);
    }
    if constexpr (Tokens > 1) {
        multiply_in_steps<Isa, Kind, Vectors, (Tokens > 2 ? 2 : 1)>(panels, first, blocks, rows, t, tokens, fresh,
                                                                    sums);
    }
}

/// The sums of the tokens of a tile, for one run of rows. Segments come one after the other, and what the tree can add
/// already is added at once, as one counts in binary: after segment i, left[k] holds a node of 2^k segments exactly
/// where bit k of i + 1 is set.
template <size_t Lanes, size_t Tokens>
struct TileSums {
    static constexpr size_t kLanes = Lanes;
    alignas(64) float left[3][Tokens][Lanes];
    alignas(64) float segment[Tokens][Lanes]; ///< The segment in hand, where it is not left[0].
    /// A token that has outliers in the segment in hand; `next` is the first that is not added yet.
    struct TokenWithOutliers {
        size_t token;
        uint32_t next;
        Outliers outliers;
    };
    TokenWithOutliers
        with_outliers[Tokens]; ///< The first `outlier_tokens` of them; outliers[i] is the sum of the i-th.
    size_t outlier_tokens;
    alignas(64) float outliers[Tokens][Lanes];
};

template <class Isa, class Kind>
class QuantizedMatmul {
public:
    QuantizedMatmul(const MatmulArgs& args, const MatmulPlan& plan) : args_(args), plan_(plan) {}

    void run()
    {
        size_t row = 0;
        for (; row + Isa::kVectors * kRows <= args_.rows; row += Isa::kVectors * kRows) {
            rows<Isa::kVectors>(row);
        }
        for (; row < args_.rows; row += kRows) {
            rows<1>(row);
        }
    }

private:
    static constexpr size_t kRows = Isa::kRows;
    static constexpr size_t kAhead = 2048; ///< Bytes that weights are asked of memory before they are unpacked.
    /// Up to so many tokens, memory is what is waited for; with more, what is asked for ahead is in the panels' way.
    static constexpr size_t kFewTokens = 16;
    static constexpr size_t kTokenTile = Isa::kTokenTile; ///< Tokens that share one unpacking.

    template <size_t Vectors>
    void rows(size_t row)
    {
        for (size_t token = 0; token < args_.tokens; token += kTokenTile) {
            const size_t left = args_.tokens - token;
            tile<Vectors>(row, token, left < kTokenTile ? left : kTokenTile);
        }
    }

    template <size_t Vectors>
    using Sums = TileSums<kRows * Vectors, Isa::kTokenTile>;

    template <size_t Vectors>
    void tile(size_t row, size_t token, size_t tokens)
    {
        Sums<Vectors> sums;
        const TokenRows x{args_.x + token * args_.x_stride, args_.x_stride, args_.columns};
        const unsigned count = args_.segments.count;
        for (unsigned s = 0; s < count; ++s) {
            const size_t begin = plan_.bounds[args_.segments.first + s];
            const size_t end = plan_.bounds[args_.segments.first + s + 1];
            auto* segment = s % 2 == 0 && s + 1 < count ? sums.left[0] : sums.segment;
            if (begin == end) {
                memset(segment, 0, tokens * sizeof *segment);
            }
            find_outliers<Vectors>(begin, end, x, tokens, sums);
            for (size_t block = begin; block < end; block += Kind::kPanelBlocks) {
                const size_t blocks = end - block < Kind::kPanelBlocks ? end - block : Kind::kPanelBlocks;
                unpack<Vectors>(row, block, blocks);
                Isa::template multiply_tokens<Kind, Vectors>(panels_, block, blocks, x, tokens, block == begin,
                                                             segment);
                add_outliers<Vectors>(block, blocks, sums);
            }
            for (size_t i = 0; i < sums.outlier_tokens; ++i) {
                add<Vectors>(segment[sums.with_outliers[i].token], sums.outliers[i]);
            }
            if (s + 1 == count) {
                for (size_t t = 0; t < tokens; ++t) {
                    put<Vectors>(row, token + t, t, s, sums);
                }
            } else if (s % 2 == 1) {
                for (size_t t = 0; t < tokens; ++t) {
                    merge<Vectors>(t, s, sums);
                }
            }
        }
    }

    /// to += what
    template <size_t Vectors>
    static void add(float* to, const float* what)
    {
        for (size_t v = 0; v < Vectors; ++v) {
            Isa::store(to + v * kRows, Isa::add(Isa::load(to + v * kRows), Isa::load(what + v * kRows)));
        }
    }

    /// Segment s of a token, a right one, and the nodes to the left of it become one.
    template <size_t Vectors>
    static typename Isa::Floats merged(size_t t, unsigned s, size_t lane, const Sums<Vectors>& sums)
    {
        auto sum = Isa::load(sums.segment[t] + lane);
        for (unsigned level = 0; (s >> level & 1U) != 0; ++level) {
            sum = Isa::add(Isa::load(sums.left[level][t] + lane), sum);
        }
        return sum;
    }

    template <size_t Vectors>
    static void merge(size_t t, unsigned s, Sums<Vectors>& sums)
    {
        const unsigned level = s % 4 == 1 ? 1 : 2; // the first that is free: s is 1, 3 or 5
        for (size_t lane = 0; lane < Sums<Vectors>::kLanes; lane += kRows) {
            Isa::store(sums.left[level][t] + lane, merged<Vectors>(t, s, lane, sums));
        }
    }

    template <size_t Vectors>
    void put(size_t row, size_t token, size_t t, unsigned s, const Sums<Vectors>& sums) const
    {
        float* out = args_.out + token * args_.out_stride + row;
        for (size_t lane = 0; lane < Sums<Vectors>::kLanes; lane += kRows) {
            const auto sum = merged<Vectors>(t, s, lane, sums);
            const size_t rows_left = args_.rows - row - lane;
            if (rows_left >= kRows) {
                Isa::store(out + lane, sum);
            } else {
                float all[kRows];
                Isa::store(all, sum);
                memcpy(out + lane, all, rows_left * sizeof(float));
            }
        }
    }

    template <size_t Vectors>
    void unpack(size_t row, size_t first, size_t blocks)
    {
        const size_t block_bytes = kPackedRows * plan_.sum_block_bytes;
        for (size_t v = 0; v < Vectors; ++v) {
            const size_t at = row + v * kRows;
            const auto* packed = reinterpret_cast<const uint8_t*>(args_.weights) +
                                 at / kPackedRows * args_.weight_stride + first * block_bytes;
            for (size_t b = 0; b < blocks; ++b) {
                if (args_.tokens <= kFewTokens) {
                    prefetch(packed + b * block_bytes + kAhead, block_bytes);
                }
                Unpacker<Isa, Kind::kOffset>::template block<Kind::kType>(packed + b * block_bytes, at % kPackedRows,
                                                                          panels_[v], b);
            }
        }
    }

    static void prefetch(const uint8_t* data, size_t bytes)
    {
        for (size_t at = 0; at < bytes; at += 64) {
            __builtin_prefetch(data + at);
        }
    }

    static constexpr size_t kUnits = Kind::kElements / 32; ///< Of which each can have an outlier.

    /// Which tokens have outliers in the blocks of a segment, and zeros for the sums of those.
    template <size_t Vectors>
    static void find_outliers(size_t begin, size_t end, const TokenRows& x, size_t tokens, Sums<Vectors>& sums)
    {
        sums.outlier_tokens = 0;
        for (size_t t = 0; t < tokens; ++t) {
            const Outliers outliers = Kind::activation(x.row(t), x.columns).outliers;
            const uint32_t next = outliers.before[begin * kUnits];
            if (next != outliers.before[end * kUnits]) {
                memset(sums.outliers[sums.outlier_tokens], 0, sizeof sums.outliers[0]);
                sums.with_outliers[sums.outlier_tokens] = {t, next, outliers};
                ++sums.outlier_tokens;
            }
        }
    }

    /// The outliers of the blocks in the panels.
    template <size_t Vectors>
    void add_outliers(size_t first, size_t blocks, Sums<Vectors>& sums)
    {
        for (size_t i = 0; i < sums.outlier_tokens; ++i) {
            auto& with = sums.with_outliers[i];
            const uint32_t end = with.outliers.before[(first + blocks) * kUnits];
            if (with.next == end) {
                continue;
            }
            typename Isa::Floats sum[Vectors];
            for (size_t v = 0; v < Vectors; ++v) {
                sum[v] = Isa::load(sums.outliers[i] + v * kRows);
            }
            for (; with.next < end; ++with.next) {
                const size_t column = with.outliers.columns[with.next];
                for (size_t v = 0; v < Vectors; ++v) {
                    const auto weight =
                        weight_of<Isa, Kind>(panels_[v], column / Kind::kElements - first, column % Kind::kElements);
                    sum[v] = Isa::multiply_add(Isa::fill(with.outliers.values[with.next]), weight, sum[v]);
                }
            }
            for (size_t v = 0; v < Vectors; ++v) {
                Isa::store(sums.outliers[i] + v * kRows, sum[v]);
            }
        }
    }

    const MatmulArgs& args_;
    const MatmulPlan& plan_;
    Panel<kRows> panels_[Isa::kVectors];
};

template <class Isa, class Kind>
void multiply_quantized(const MatmulArgs& args, const MatmulPlan& plan)
{
    QuantizedMatmul<Isa, Kind> product(args, plan);
    product.run();
}

/// The product for args.type, which must be a quantized one.
template <class Isa>
void quantized_matmul(const MatmulArgs& args, const MatmulPlan& plan)
{
    using T = TensorType;
    switch (args.type) {
    case T::Q4_0: return multiply_quantized<Isa, Kind32<T::Q4_0, false, 8, false, 8>>(args, plan);
    case T::Q4_1: return multiply_quantized<Isa, Kind32<T::Q4_1, false, 0, true, 8>>(args, plan);
    case T::Q5_0: return multiply_quantized<Isa, Kind32<T::Q5_0, false, 16, false, 4>>(args, plan);
    case T::Q5_1: return multiply_quantized<Isa, Kind32<T::Q5_1, false, 0, true, 4>>(args, plan);
    case T::Q8_0: return multiply_quantized<Isa, Kind32<T::Q8_0, true, 0, false, 1>>(args, plan);
    case T::IQ4_NL: return multiply_quantized<Isa, Kind32<T::IQ4_NL, true, 0, false, 1>>(args, plan);
    case T::MXFP4: return multiply_quantized<Isa, Kind32<T::MXFP4, false, 12, false, 4>>(args, plan);
    case T::Q2_K: return multiply_quantized<Isa, Kind256<T::Q2_K, false, 0, 4, true, 16, 4>>(args, plan);
    case T::Q3_K: return multiply_quantized<Isa, Kind256<T::Q3_K, false, 4, 4, false, 16, 4>>(args, plan);
    case T::Q4_K: return multiply_quantized<Isa, Kind256<T::Q4_K, false, 0, 8, true, 32, 8>>(args, plan);
    case T::Q5_K: return multiply_quantized<Isa, Kind256<T::Q5_K, false, 0, 8, true, 32, 4>>(args, plan);
    case T::Q6_K: return multiply_quantized<Isa, Kind256<T::Q6_K, false, 32, 4, false, 16, 2>>(args, plan);
    case T::IQ4_XS: return multiply_quantized<Isa, Kind256<T::IQ4_XS, true, 0, 8, false, 32, 1>>(args, plan);
    case T::F32:
    case T::F16:
    case T::BF16: return;
    }
}

} // namespace
} // namespace constela::kernels
