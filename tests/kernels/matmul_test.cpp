// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/kernels/matmul_model.h"
#include "tests/kernels/sets_under_test.h"
#include "tests/support/random_weights.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace constela::test {
namespace {

using kernels::KernelSet;
using kernels::Segments;
using kernels::TensorType;

/// Activations as models have them: here and there one that is much larger than its neighbours.
std::vector<float> activations(std::size_t count)
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
    Product(const KernelSet& set, TensorType type, std::size_t rows, std::size_t columns, std::size_t tokens)
        : Product(set, type, rows, columns, random_weights(type, rows, columns, 11), activations(columns * tokens))
    {
    }

    Product(const KernelSet& set, TensorType type, std::size_t rows, std::size_t columns,
            std::vector<std::byte> weights, std::vector<float> x)
        : set_(set), type_(type), rows_(rows), columns_(columns), tokens_(x.size() / columns),
          weights_(std::move(weights)), x_(std::move(x))
    {
        const kernels::ActivationFormat format = set.activation_format(type);
        stride_ = set.activation_bytes(format, columns);
        EXPECT_EQ(stride_ % 64, 0U);
        prepared_.resize(stride_ * tokens_);
        for (std::size_t t = 0; t < tokens_; ++t) {
            set.prepare_activation(format, x_of(t), prepared_.data() + t * stride_);
        }
    }

    /// out[t][r] of rows [row, row + rows), tokens [token, token + tokens); what lies around it must stay untouched.
    [[nodiscard]] std::vector<float> part(std::size_t row, std::size_t rows, std::size_t token, std::size_t tokens,
                                          Segments segments = {}) const
    {
        constexpr float kUntouched = 12345.0F;
        const std::size_t stride = rows + 3;
        std::vector<float> wide(tokens * stride, kUntouched);
        kernels::MatmulArgs args;
        args.type = type_;
        args.weight_stride = kernels::type_info(type_).row_bytes(columns_);
        args.weights = weights_.data() + row * args.weight_stride;
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

    [[nodiscard]] std::vector<float> whole(Segments segments = {}) const
    {
        return part(0, rows_, 0, tokens_, segments);
    }

    [[nodiscard]] std::span<const std::byte> row(std::size_t r) const
    {
        const std::size_t bytes = kernels::type_info(type_).row_bytes(columns_);
        return std::span(weights_).subspan(r * bytes, bytes);
    }

    [[nodiscard]] std::span<const float> x_of(std::size_t t) const
    {
        return std::span(x_).subspan(t * columns_, columns_);
    }

private:
    const KernelSet& set_;
    TensorType type_;
    std::size_t rows_;
    std::size_t columns_;
    std::size_t tokens_;
    std::vector<std::byte> weights_;
    std::vector<float> x_;
    std::size_t stride_ = 0;
    std::vector<std::byte> prepared_;
};

bool same_bits(float a, float b)
{
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](float left, float right) { return same_bits(left, right); });
}

class Matmul : public WithSetAndType {
protected:
    [[nodiscard]] std::size_t columns(std::size_t blocks) const { return blocks * info().sum_block(); }

    [[nodiscard]] float promised(const Product& product, std::size_t t, std::size_t r, Segments segments = {}) const
    {
        const auto model = under_test().rounds_activations ? fast_product : reference_product;
        return model(type(), product.row(r), product.x_of(t), segments);
    }

    /// Every element is what the order of the sum says, bit for bit.
    void expect_promised(const Product& product, std::size_t rows, std::size_t tokens) const
    {
        const std::vector<float> out = product.whole();
        for (std::size_t t = 0; t < tokens; ++t) {
            for (std::size_t r = 0; r < rows; ++r) {
                const float value = promised(product, t, r);
                ASSERT_TRUE(same_bits(out[t * rows + r], value))
                    << "row " << r << ", token " << t << ": " << out[t * rows + r] << ", promised " << value;
            }
        }
    }
};

TEST_P(Matmul, IsNearTheExactProduct)
{
    constexpr std::size_t kRows = 11;
    const Product product(set(), type(), kRows, columns(9), 3);
    const std::vector<float> out = product.whole();
    for (std::size_t t = 0; t < 3; ++t) {
        for (std::size_t r = 0; r < kRows; ++r) {
            const double exact = exact_product(type(), product.row(r), product.x_of(t));
            double bound = 2e-5;
            if (under_test().rounds_activations && info().quantized) {
                bound += rounding_bound(type(), product.row(r), product.x_of(t));
            }
            EXPECT_NEAR(static_cast<double>(out[t * kRows + r]), exact, bound);
        }
    }
}

TEST_P(Matmul, KeepsThePromisedOrder)
{
    for (const std::size_t blocks : {1U, 3U, 9U, 17U, 40U}) {
        SCOPED_TRACE(blocks);
        expect_promised(Product(set(), type(), 19, columns(blocks), 6), 19, 6);
    }
}

TEST_P(Matmul, IsExactWithTheLargestValues)
{
    // Bytes that make the largest quantized values of either sign, and activations of one size: where an integer
    // sum could saturate or a sign get lost.
    for (const unsigned byte : {0x00U, 0x7FU, 0x80U, 0xFFU, 0x8FU, 0xF8U}) {
        SCOPED_TRACE(byte);
        std::vector<std::byte> weights = random_weights(type(), 9, columns(4), 5);
        const ScalePlaces places = scale_places(type());
        for (std::size_t i = 0; info().quantized && i < weights.size(); ++i) {
            const std::size_t at = i % info().block_bytes;
            const bool is_scale = (places.count > 0 && (at & ~std::size_t{1}) == places.offsets[0]) ||
                                  (places.count > 1 && (at & ~std::size_t{1}) == places.offsets[1]) ||
                                  (type() == TensorType::MXFP4 && at == 0);
            weights[i] = is_scale ? weights[i] : static_cast<std::byte>(byte);
        }
        for (const bool alternate : {false, true}) {
            std::vector<float> x(columns(4) * 5);
            for (std::size_t i = 0; i < x.size(); ++i) {
                x[i] = alternate && i % 2 == 1 ? 3.0F : -3.0F;
            }
            expect_promised(Product(set(), type(), 9, columns(4), weights, x), 9, 5);
        }
    }
}

TEST_P(Matmul, SegmentsAddUpToTheWhole)
{
    for (const std::size_t blocks : {1U, 3U, 8U, 9U, 18U, 35U}) {
        const Product product(set(), type(), 10, columns(blocks), 5);
        const std::vector<float> whole = product.whole();
        for (const unsigned parts : {2U, 4U, 8U}) {
            SCOPED_TRACE(std::to_string(blocks) + " blocks in " + std::to_string(parts));
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
            EXPECT_TRUE(same_bits(sums[0], whole));
        }
    }
}

TEST_P(Matmul, DoesNotDependOnRowsOrTokens)
{
    constexpr std::size_t kRows = 37;
    constexpr std::size_t kTokens = 71;
    const Product product(set(), type(), kRows, columns(info().sum_block() == 256 ? 3 : 19), kTokens);
    const std::vector<float> whole = product.whole();
    const auto expect_part = [&](std::size_t row, std::size_t rows, std::size_t token, std::size_t tokens) {
        const std::vector<float> out = product.part(row, rows, token, tokens);
        for (std::size_t t = 0; t < tokens; ++t) {
            for (std::size_t r = 0; r < rows; ++r) {
                ASSERT_TRUE(same_bits(out[t * rows + r], whole[(token + t) * kRows + row + r]))
                    << "rows " << row << " + " << rows << ", tokens " << token << " + " << tokens;
            }
        }
    };
    for (const std::size_t token : {0U, 1U, 33U, 70U}) {
        expect_part(0, kRows, token, 1);
    }
    expect_part(0, kRows, 3, 7);
    expect_part(0, kRows, 5, 8);
    expect_part(0, kRows, 30, 33);
    expect_part(0, 1, 0, kTokens);
    expect_part(5, 9, 2, 11);
    expect_part(16, 21, 0, kTokens);
    expect_part(36, 1, 64, 7);
}

TEST_P(Matmul, IsZeroForZeroAndTinyActivations)
{
    for (const float value : {0.0F, -0.0F, 1e-38F, 1e-44F}) {
        const std::vector<float> x(columns(2), value);
        const Product product(set(), type(), 3, columns(2), random_weights(type(), 3, columns(2), 5), x);
        for (const float out : product.whole()) {
            EXPECT_LT(std::fabs(out), 1e-30F);
        }
    }
}

CONSTELA_FOR_EACH_SET_AND_TYPE(Matmul);

} // namespace
} // namespace constela::test
