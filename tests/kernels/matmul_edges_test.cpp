// SPDX-License-Identifier: GPL-3.0-or-later
//
// The matrix product at its edges: rows at any address, rows that are no whole number of blocks, scales and
// activations that are zero, subnormal, infinite or not a number.
#include "tests/kernels/matmul_model.h"
#include "tests/kernels/matmul_product.h"
#include "tests/kernels/sets_under_test.h"

#include <cmath>
#include <limits>

namespace constela::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class MatmulEdges : public WithSetAndType {
protected:
    [[nodiscard]] std::size_t columns(std::size_t blocks) const { return blocks * info().sum_block(); }

    [[nodiscard]] std::vector<std::byte> weights(std::size_t rows, std::size_t columns) const
    {
        return random_weights(type(), rows, columns, 5);
    }

    /// The weights with another float scale (d, dmin, m) in every block.
    [[nodiscard]] std::vector<std::byte> with_scale(std::size_t rows, std::size_t columns, std::uint16_t half) const
    {
        std::vector<std::byte> bytes = weights(rows, columns);
        const ScalePlaces places = scale_places(type());
        for (std::size_t at = 0; at < bytes.size(); at += info().block_bytes) {
            for (std::size_t i = 0; i < places.count; ++i) {
                std::memcpy(bytes.data() + at + places.offsets[i], &half, sizeof half);
            }
        }
        return bytes;
    }
};

/// Rows of quantized types are whole blocks by their format.
class MatmulOfPlainTypes : public MatmulEdges {};
/// Types whose blocks have a float scale.
class MatmulOfScaledTypes : public MatmulEdges {};

template <class Predicate>
std::vector<kernels::TensorType> types_where(Predicate fits)
{
    std::vector<kernels::TensorType> types = all_types();
    std::erase_if(types, [&](kernels::TensorType type) { return !fits(type); });
    return types;
}

TEST_P(MatmulEdges, TakesRowsAtAnyAddress)
{
    constexpr std::size_t kRows = 9;
    const std::size_t width = columns(3);
    const std::vector<float> x = activations(width * 5);
    const std::vector<float> aligned = Product(set(), type(), kRows, width, weights(kRows, width), x).whole();
    for (const std::size_t lead : {1U, 2U, 3U, 7U, 17U, 33U}) {
        EXPECT_TRUE(same_bits(Product(set(), type(), kRows, width, weights(kRows, width), x, lead).whole(), aligned))
            << lead;
    }
}

TEST_P(MatmulOfPlainTypes, FillsAnIncompleteBlockUpWithZeros)
{
    const auto model = under_test().rounds_activations ? fast_product : reference_product;
    for (const std::size_t width : {1U, 7U, 8U, 31U, 33U, 100U, 255U, 257U, 300U, 579U}) {
        SCOPED_TRACE(width);
        const Product product(set(), type(), 11, width, 6);
        const std::vector<float> whole = product.whole();
        for (std::size_t i = 0; i < whole.size(); ++i) {
            const float promised = model(type(), product.row(i % 11), product.x_of(i / 11), {});
            ASSERT_TRUE(same_bits(whole[i], promised)) << "row " << i % 11 << ", token " << i / 11;
        }
        for (const unsigned parts : {2U, 4U, 8U}) {
            EXPECT_TRUE(same_bits(added_as_the_tree(product, parts), whole)) << parts;
        }
        for (std::size_t t = 0; t < 6; ++t) {
            EXPECT_TRUE(same_bits(product.part(10, 1, t, 1)[0], whole[t * 11 + 10]));
        }
    }
}

TEST_P(MatmulOfScaledTypes, IsZeroForZeroScales)
{
    const Product product(set(), type(), 9, columns(3), with_scale(9, columns(3), 0), activations(columns(3) * 5));
    for (const float out : product.whole()) {
        EXPECT_EQ(out, 0.0F);
    }
}

TEST_P(MatmulOfScaledTypes, KeepsSubnormalScales)
{
    const auto model = under_test().rounds_activations ? fast_product : reference_product;
    for (const std::uint16_t half : {std::uint16_t{0x0001}, std::uint16_t{0x83FF}}) {
        const Product product(set(), type(), 9, columns(3), with_scale(9, columns(3), half),
                              activations(columns(3) * 2));
        const std::vector<float> out = product.whole();
        for (std::size_t i = 0; i < out.size(); ++i) {
            ASSERT_TRUE(same_bits(out[i], model(type(), product.row(i % 9), product.x_of(i / 9), {})));
        }
    }
}

TEST_P(MatmulEdges, TakesScalesThatAreNotFinite)
{
    for (const std::uint16_t half : {std::uint16_t{0x7C00}, std::uint16_t{0xFC00}, std::uint16_t{0x7E01}}) {
        const Product product(set(), type(), 9, columns(2), with_scale(9, columns(2), half),
                              activations(columns(2) * 5));
        const std::vector<float> out = product.whole();
        if (scale_places(type()).count > 0) {
            EXPECT_TRUE(std::none_of(out.begin(), out.end(), [](float value) { return std::isfinite(value); }));
        }
    }
}

TEST_P(MatmulEdges, KeepsWhatIsNotFiniteToItsToken)
{
    constexpr std::size_t kRows = 9;
    const std::size_t width = columns(5);
    const std::vector<float> x = activations(width * 6);
    const std::vector<float> clean = Product(set(), type(), kRows, width, weights(kRows, width), x).whole();
    for (const float bad : {kInfinity, -kInfinity, kNan}) {
        for (const std::size_t place : {std::size_t{0}, std::size_t{7}, width / 2 + 5, width - 1}) {
            std::vector<float> spoilt = x;
            spoilt[2 * width + place] = bad; // token 2
            const std::vector<float> out = Product(set(), type(), kRows, width, weights(kRows, width), spoilt).whole();
            for (std::size_t i = 0; i < out.size(); ++i) {
                if (i / kRows != 2) {
                    ASSERT_TRUE(same_bits(out[i], clean[i])) << "token " << i / kRows;
                } else {
                    // Infinity times a weight may be infinity, and times zero is not a number; never a plain number.
                    ASSERT_FALSE(std::isfinite(out[i])) << bad << " at " << place << ": " << out[i];
                }
            }
        }
    }
}

TEST_P(MatmulEdges, TakesTheLargestActivations)
{
    std::vector<float> x(columns(2) * 2, std::numeric_limits<float>::max());
    x[3] = 1.0F;
    x[columns(2) + 40 % columns(2)] = -std::numeric_limits<float>::max();
    const Product product(set(), type(), 5, columns(2), weights(5, columns(2)), x);
    EXPECT_EQ(product.whole().size(), 10U); // may overflow; must not trap
}

CONSTELA_FOR_EACH_SET_AND_TYPE(MatmulEdges);
CONSTELA_FOR_EACH_SET_AND(MatmulOfPlainTypes,
                          types_where([](kernels::TensorType type) { return !kernels::type_info(type).quantized; }));
CONSTELA_FOR_EACH_SET_AND(MatmulOfScaledTypes,
                          types_where([](kernels::TensorType type) { return scale_places(type).count > 0; }));

} // namespace
} // namespace constela::test
