// SPDX-License-Identifier: GPL-3.0-or-later
//
// The matrix product with quantized weights, for any vector width. Isa says how many rows a vector has and how a
// run of blocks is multiplied; everything here is the order around it, and that order is the promise:
//
// For one row and one token, a block's value is v = d * I, or d * I1 - dmin * I2, or d * I + m * S, where I, I1, I2
// and S are exact integers (converted to float32) and each v takes one fused multiply-add at most. The segment's sum is
// s = fma(d_x, v, s) over its blocks in order. The activations that were taken out (activations.h) have a sum of their
// own, o = fma(x, w, o) over their columns in order, w being what v is for a block that holds a one there and else
// zeros; the segment gives s + o. Segments are added as the tree (docs/adr/0002). Rows lie side by side in a vector, so
// neither the tile, nor the number of tokens, nor the vector width has a part in it.
//
// Everything has internal linkage on purpose: included by sources that are compiled for a newer processor.
#pragma once

#include "kernels/cpu/common/activations.h"
#include "kernels/cpu/common/panel.h"
#include "kernels/matmul_plan.h"

#include <cstring>

namespace constela::kernels {
namespace {

/// Types with blocks of 32. Signed: panel bytes are int8. Offset: what a stored value exceeds the true one by.
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
template <TensorType Type, bool Signed, size_t SubGroups, bool Minimum, size_t Groups>
struct Kind256 {
    static constexpr TensorType kType = Type;
    static constexpr bool kSigned = Signed;
    static constexpr size_t kSubGroups = SubGroups;
    static constexpr bool kMinimum = Minimum;
    static constexpr size_t kGroups = Groups;
    static constexpr size_t kPanelBlocks = 1;
    static constexpr size_t kElements = 256;
    using Activation = Activation256;
    static Activation activation(const void* row, size_t columns) { return activation256(row, columns); }
};

template <class Kind>
void unpack(const uint8_t* const* rows, size_t first, size_t blocks, const PanelPlaces& panel)
{
    switch (Kind::kType) {
    case TensorType::Q4_0: return avx2::unpack_q4_0(rows, first, blocks, panel);
    case TensorType::Q4_1: return avx2::unpack_q4_1(rows, first, blocks, panel);
    case TensorType::Q5_0: return avx2::unpack_q5_0(rows, first, blocks, panel);
    case TensorType::Q5_1: return avx2::unpack_q5_1(rows, first, blocks, panel);
    case TensorType::Q8_0: return avx2::unpack_q8_0(rows, first, blocks, panel);
    case TensorType::Q2_K: return avx2::unpack_q2_k(rows, first, blocks, panel);
    case TensorType::Q3_K: return avx2::unpack_q3_k(rows, first, blocks, panel);
    case TensorType::Q4_K: return avx2::unpack_q4_k(rows, first, blocks, panel);
    case TensorType::Q5_K: return avx2::unpack_q5_k(rows, first, blocks, panel);
    case TensorType::Q6_K: return avx2::unpack_q6_k(rows, first, blocks, panel);
    case TensorType::IQ4_NL: return avx2::unpack_iq4_nl(rows, first, blocks, panel);
    case TensorType::IQ4_XS: return avx2::unpack_iq4_xs(rows, first, blocks, panel);
    case TensorType::MXFP4: return avx2::unpack_mxfp4(rows, first, blocks, panel);
    case TensorType::F32:
    case TensorType::F16:
    case TensorType::BF16: return;
    }
}

template <class Isa>
typename Isa::Floats segment_tree(const float* sums, unsigned count)
{
    constexpr size_t kRows = Isa::kRows;
    const auto node2 = [&](size_t s) {
        return Isa::add(Isa::load(sums + s * kRows), Isa::load(sums + (s + 1) * kRows));
    };
    if (count == 1) {
        return Isa::load(sums);
    }
    if (count == 2) {
        return node2(0);
    }
    const auto first = Isa::add(node2(0), node2(2));
    return count == 4 ? first : Isa::add(first, Isa::add(node2(4), node2(6)));
}

template <class Isa, class Kind>
class QuantizedMatmul {
public:
    QuantizedMatmul(const MatmulArgs& args, const MatmulPlan& plan) : args_(args), plan_(plan) {}

    void run()
    {
        for (size_t row = 0; row < args_.rows; row += kRows) {
            // Rows that are not there repeat the last one; what comes of them is not stored.
            for (size_t r = 0; r < kRows; ++r) {
                const size_t real = row + r < args_.rows ? row + r : args_.rows - 1;
                rows_[r] = reinterpret_cast<const uint8_t*>(args_.weights) + real * args_.weight_stride;
            }
            for (size_t token = 0; token < args_.tokens; token += kTokenTile) {
                const size_t left = args_.tokens - token;
                tile(row, token, left < kTokenTile ? left : kTokenTile);
            }
        }
    }

private:
    static constexpr size_t kRows = Isa::kRows;
    static constexpr size_t kTokenTile = 32; ///< Tokens that share one unpacking.
    static constexpr size_t kTokenStep = 4;  ///< Tokens that share one load of a weight.

    void tile(size_t row, size_t token, size_t tokens)
    {
        memset(sums_, 0, tokens * sizeof sums_[0]);
        memset(outlier_sums_, 0, tokens * sizeof outlier_sums_[0]);
        const size_t end = plan_.bounds[args_.segments.first + args_.segments.count];
        for (size_t block = plan_.bounds[args_.segments.first]; block < end; block += Kind::kPanelBlocks) {
            const size_t blocks = end - block < Kind::kPanelBlocks ? end - block : Kind::kPanelBlocks;
            for (size_t r = 0; r < kRows; r += kUnpackRows) {
                unpack<Kind>(rows_ + r, block, blocks, panel_.places(r));
            }
            size_t t = 0;
            for (; t + kTokenStep <= tokens; t += kTokenStep) {
                multiply<kTokenStep>(block, block + blocks, token, t);
            }
            for (; t < tokens; ++t) {
                multiply<1>(block, block + blocks, token, t);
            }
        }
        const size_t rows = args_.rows - row < kRows ? args_.rows - row : kRows;
        for (size_t t = 0; t < tokens; ++t) {
            float* out = args_.out + (token + t) * args_.out_stride + row;
            for (unsigned s = 0; s < args_.segments.count; ++s) {
                Isa::store(sums_[t][s], Isa::add(Isa::load(sums_[t][s]), Isa::load(outlier_sums_[t][s])));
            }
            const auto sum = segment_tree<Isa>(sums_[t][0], args_.segments.count);
            if (rows == kRows) {
                Isa::store(out, sum);
            } else {
                float all[kRows];
                Isa::store(all, sum);
                memcpy(out, all, rows * sizeof(float));
            }
        }
    }

    /// The panel, which holds the blocks [begin, end), times Tokens tokens, each run added to its segment.
    template <size_t Tokens>
    void multiply(size_t begin, size_t end, size_t token, size_t t)
    {
        typename Kind::Activation x[Tokens];
        for (size_t k = 0; k < Tokens; ++k) {
            x[k] = Kind::activation(args_.x + (token + t + k) * args_.x_stride, args_.columns);
        }
        for (unsigned s = 0; s < args_.segments.count; ++s) {
            const size_t segment_end = plan_.bounds[args_.segments.first + s + 1];
            const size_t segment_first = plan_.bounds[args_.segments.first + s];
            const size_t from = segment_first > begin ? segment_first : begin;
            const size_t to = segment_end < end ? segment_end : end;
            if (from >= to) {
                continue;
            }
            typename Isa::Floats sum[Tokens];
            for (size_t k = 0; k < Tokens; ++k) {
                sum[k] = Isa::load(sums_[t + k][s]);
            }
            Isa::template multiply<Kind, Tokens>(panel_, begin, from, to, x, sum);
            for (size_t k = 0; k < Tokens; ++k) {
                Isa::store(sums_[t + k][s], sum[k]);
                add_outliers(x[k].outliers, begin, from, to, outlier_sums_[t + k][s]);
            }
        }
    }

    /// The outliers of one token in the blocks [from, to) of the panel, which begins with block `begin`.
    void add_outliers(const Outliers& outliers, size_t begin, size_t from, size_t to, float* sums)
    {
        constexpr size_t kUnits = Kind::kElements / 32;
        const uint32_t end = outliers.before[to * kUnits];
        uint32_t o = outliers.before[from * kUnits];
        if (o == end) {
            return;
        }
        auto sum = Isa::load(sums);
        for (; o < end; ++o) {
            const size_t column = outliers.columns[o];
            const auto weight =
                Isa::template weight<Kind>(panel_, column / Kind::kElements - begin, column % Kind::kElements);
            sum = Isa::multiply_add(outliers.values[o], weight, sum);
        }
        Isa::store(sums, sum);
    }

    const MatmulArgs& args_;
    const MatmulPlan& plan_;
    const uint8_t* rows_[kRows];
    Panel<kRows> panel_;
    alignas(64) float sums_[kTokenTile][kSegments][kRows];
    alignas(64) float outlier_sums_[kTokenTile][kSegments][kRows];
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
    case T::Q2_K: return multiply_quantized<Isa, Kind256<T::Q2_K, false, 4, true, 4>>(args, plan);
    case T::Q3_K: return multiply_quantized<Isa, Kind256<T::Q3_K, false, 4, false, 4>>(args, plan);
    case T::Q4_K: return multiply_quantized<Isa, Kind256<T::Q4_K, false, 8, true, 8>>(args, plan);
    case T::Q5_K: return multiply_quantized<Isa, Kind256<T::Q5_K, false, 8, true, 4>>(args, plan);
    case T::Q6_K: return multiply_quantized<Isa, Kind256<T::Q6_K, false, 4, false, 2>>(args, plan);
    case T::IQ4_XS: return multiply_quantized<Isa, Kind256<T::IQ4_XS, true, 8, false, 1>>(args, plan);
    case T::F32:
    case T::F16:
    case T::BF16: return;
    }
}

} // namespace
} // namespace constela::kernels
