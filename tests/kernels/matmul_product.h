// SPDX-License-Identifier: GPL-3.0-or-later
//
// A matrix, some activations, and any part of their product, for the tests of the matrix product.
#pragma once

#include "kernels/kernels.h"
#include "tests/support/random_weights.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <gtest/gtest.h>
#include <span>
#include <utility>
#include <vector>

namespace constela::test {

/// Activations as models have them: here and there one that is much larger than its neighbours.
inline std::vector<float> activations(std::size_t count)
{
    std::vector<float> x = random_floats(count, 7);
    for (std::size_t i = 7; i < count; i += 41) {
        x[i] *= 15.0F;
    }
    return x;
}

/// A matrix and some activations, and the product of any part of them.
class Product {
public:
    Product(const kernels::KernelSet& set, kernels::TensorType type, std::size_t rows, std::size_t columns,
            std::size_t tokens)
        : Product(set, type, rows, columns, random_weights(type, rows, columns, 11), activations(columns * tokens))
    {
    }

    /// `lead`: bytes before the first row, stored and packed, so that rows begin at any address.
    Product(const kernels::KernelSet& set, kernels::TensorType type, std::size_t rows, std::size_t columns,
            std::vector<std::byte> weights, std::vector<float> x, std::size_t lead = 0)
        : set_(set), type_(type), rows_(rows), columns_(columns), tokens_(x.size() / columns), lead_(lead),
          weights_(std::move(weights)), x_(std::move(x))
    {
        weights_.insert(weights_.begin(), lead, std::byte{0xFF});
        weights_.shrink_to_fit();
        group_ = set.row_group(type);
        group_bytes_ = group_ * kernels::type_info(type).row_bytes(columns);
        packed_.assign((rows + group_ - 1) / group_ * group_bytes_ + lead, std::byte{0xFF});
        set.pack(type, weights_.data() + lead, kernels::type_info(type).row_bytes(columns), rows, columns,
                 packed_.data() + lead);
        const kernels::ActivationFormat format = set.activation_format(type);
        stride_ = set.activation_bytes(format, columns);
        EXPECT_EQ(stride_ % 64, 0U);
        prepared_.resize(stride_ * tokens_);
        for (std::size_t t = 0; t < tokens_; ++t) {
            set.prepare_activation(format, x_of(t), prepared_.data() + t * stride_);
        }
    }

    /// Rows that only come together: a part begins with a multiple of it.
    [[nodiscard]] std::size_t row_group() const { return group_; }

    /// out[t][r] of rows [row, row + rows), tokens [token, token + tokens); what lies around it must stay untouched.
    [[nodiscard]] std::vector<float> part(std::size_t row, std::size_t rows, std::size_t token, std::size_t tokens,
                                          kernels::Segments segments = {}) const
    {
        constexpr float kUntouched = 12345.0F;
        const std::size_t stride = rows + 3;
        std::vector<float> wide(tokens * stride, kUntouched);
        kernels::MatmulArgs args;
        args.type = type_;
        EXPECT_EQ(row % group_, 0U);
        args.weight_stride = group_bytes_;
        args.weights = packed_.data() + lead_ + row / group_ * group_bytes_;
        args.rows = rows;
        args.columns = columns_;
        args.x = prepared_.data() + token * stride_;
        args.x_stride = stride_;
        args.tokens = tokens;
        args.out = wide.data();
        args.out_stride = stride;
        args.segments = segments;
        set_.matmul(args);
        std::vector<float> out;
        for (std::size_t t = 0; t < tokens; ++t) {
            const auto from = wide.begin() + static_cast<std::ptrdiff_t>(t * stride);
            const auto end = from + static_cast<std::ptrdiff_t>(rows);
            out.insert(out.end(), from, end);
            EXPECT_TRUE(std::all_of(end, end + 3, [](float value) { return value == kUntouched; }));
        }
        return out;
    }

    [[nodiscard]] std::vector<float> whole(kernels::Segments segments = {}) const
    {
        return part(0, rows_, 0, tokens_, segments);
    }

    [[nodiscard]] std::span<const std::byte> row(std::size_t r) const
    {
        const std::size_t bytes = kernels::type_info(type_).row_bytes(columns_);
        return std::span(weights_).subspan(lead_ + r * bytes, bytes);
    }

    [[nodiscard]] std::span<const float> x_of(std::size_t t) const
    {
        return std::span(x_).subspan(t * columns_, columns_);
    }

private:
    const kernels::KernelSet& set_;
    kernels::TensorType type_;
    std::size_t rows_;
    std::size_t columns_;
    std::size_t tokens_;
    std::size_t lead_;
    std::vector<std::byte> weights_;
    std::size_t group_ = 1;
    std::size_t group_bytes_ = 0;
    std::vector<std::byte> packed_;
    std::vector<float> x_;
    std::size_t stride_ = 0;
    std::vector<std::byte> prepared_;
};

inline bool same_bits(float a, float b)
{
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

inline bool same_bits(const std::vector<float>& a, const std::vector<float>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](float left, float right) { return same_bits(left, right); });
}

/// The product in 2, 4 or 8 parts by segments, added as docs/adr/0002 says.
inline std::vector<float> added_as_the_tree(const Product& product, unsigned parts)
{
    std::vector<std::vector<float>> sums;
    for (unsigned p = 0; p < parts; ++p) {
        sums.push_back(product.whole({p * (8 / parts), 8 / parts}));
    }
    while (sums.size() > 1) {
        for (std::size_t i = 0; i < sums.size() / 2; ++i) {
            std::transform(sums[2 * i].begin(), sums[2 * i].end(), sums[2 * i + 1].begin(), sums[2 * i].begin(),
                           std::plus<>());
            sums[i] = sums[2 * i];
        }
        sums.resize(sums.size() / 2);
    }
    return sums[0];
}

} // namespace constela::test
