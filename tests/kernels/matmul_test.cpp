// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/kernels/matmul_model.h"
#include "tests/kernels/matmul_product.h"
#include "tests/kernels/sets_under_test.h"

#include <algorithm>
#include <cmath>

namespace constela::test {
namespace {

using kernels::Segments;
using kernels::TensorType;

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
        expect_promised(Product(set(), type(), 19, columns(blocks), 18), 19, 18);
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
    for (const std::size_t blocks : {1U, 3U, 5U, 8U, 9U, 18U, 35U}) {
        const Product product(set(), type(), 10, columns(blocks), 5);
        const std::vector<float> whole = product.whole();
        for (const unsigned parts : {2U, 4U, 8U}) {
            SCOPED_TRACE(std::to_string(blocks) + " blocks in " + std::to_string(parts));
            EXPECT_TRUE(same_bits(added_as_the_tree(product, parts), whole));
        }
    }
}

TEST_P(Matmul, DoesNotDependOnRowsOrTokens)
{
    constexpr std::size_t kRows = 67;
    constexpr std::size_t kTokens = 71;
    const Product product(set(), type(), kRows, columns(info().sum_block() == 256 ? 3 : 19), kTokens);
    const std::vector<float> whole = product.whole();
    const auto expect_part = [&](std::size_t row, std::size_t rows, std::size_t token, std::size_t tokens) {
        const std::vector<float> out = product.part(row, rows, token, tokens);
        for (std::size_t t = 0; t < tokens; ++t) {
            for (std::size_t r = 0; r < rows; ++r) {
                ASSERT_TRUE(same_bits(out[t * rows + r], whole[(token + t) * kRows + row + r]))
                    << "rows " << row << " + " << rows << ", tokens " << token << " + " << tokens << ", at row " << r
                    << " of token " << t << ": " << out[t * rows + r] << ", of the whole "
                    << whole[(token + t) * kRows + row + r];
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
    expect_part(0, 5, 64, 7);
    for (std::size_t row = product.row_group(); row < kRows; row += product.row_group()) {
        expect_part(row, 1, 64, 7);
        expect_part(row, kRows - row, 2, 11);
    }
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
