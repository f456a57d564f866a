// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/kernels/sets_under_test.h"
#include "tests/support/random_weights.h"

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace constela::test {
namespace {

using kernels::RopeLayout;

/// Numbers over the whole range in which something happens, and the ends of it.
std::vector<float> telling_numbers()
{
    std::vector<float> x;
    for (float value = 1e-6F; value < 200.0F; value *= 1.07F) {
        x.push_back(value);
        x.push_back(-value);
    }
    for (const float value : {0.0F, -0.0F, 87.0F, 88.0F, 88.7F, 89.0F, -87.3F, -88.0F, -103.0F, -104.0F, 1e4F, -1e4F,
                              1e30F, -1e30F, 0.6249F, 0.625F, 0.6251F}) {
        x.push_back(value);
    }
    return x;
}

double relative_error(float value, double exact)
{
    const double smallest = std::numeric_limits<float>::min();
    return std::fabs(static_cast<double>(value) - exact) / std::max(std::fabs(exact), smallest);
}

class Elementwise : public WithSet {
protected:
    using Gated = void (*)(std::span<const float>, std::span<const float>, std::span<float>);

    static void expect_gated(Gated gated, const std::function<double(double)>& function, double absolute,
                             double relative)
    {
        const std::vector<float> x = telling_numbers();
        const std::vector<float> up(x.size(), 1.0F);
        std::vector<float> out(x.size());
        gated(x, up, out);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double exact = function(static_cast<double>(x[i]));
            ASSERT_TRUE(std::isfinite(out[i])) << x[i];
            ASSERT_NEAR(static_cast<double>(out[i]), exact, absolute + relative * std::fabs(exact)) << x[i];
        }
        std::vector<float> in_place = x;
        gated(in_place, up, in_place);
        EXPECT_EQ(in_place, out);
    }

    /// What `operation` makes of a row, it makes of each element at any place in a row of any length.
    static void expect_independent_of_place(const std::function<void(std::span<float>)>& operation)
    {
        std::vector<float> whole = random_floats(67, 9);
        const std::vector<float> x = whole;
        operation(whole);
        for (std::size_t from = 0; from < x.size(); from += 3) {
            for (const std::size_t count : {1U, 2U, 7U, 8U, 9U, 31U}) {
                const std::size_t end = std::min(from + count, x.size());
                std::vector<float> part(x.begin() + static_cast<std::ptrdiff_t>(from),
                                        x.begin() + static_cast<std::ptrdiff_t>(end));
                operation(part);
                ASSERT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(from)));
            }
        }
    }
};

TEST_P(Elementwise, SiluIsAccurate)
{
    expect_gated(
        set().silu_multiply, [](double x) { return x / (1.0 + std::exp(-x)); }, 1e-37, 5e-7);
}

TEST_P(Elementwise, GeluIsAccurate)
{
    const auto gelu = [](double x) {
        return 0.5 * x * (1.0 + std::tanh(std::sqrt(2.0 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
    };
    expect_gated(set().gelu_multiply, gelu, 5e-7, 1e-6);
}

TEST_P(Elementwise, GatesMultiplyByUp)
{
    const std::vector<float> gate = random_floats(13, 1);
    const std::vector<float> up = random_floats(13, 2);
    const std::vector<float> ones(13, 1.0F);
    for (const Gated gated : {set().silu_multiply, set().gelu_multiply}) {
        std::vector<float> alone(13);
        std::vector<float> out(13);
        gated(gate, ones, alone);
        gated(gate, up, out);
        for (std::size_t i = 0; i < out.size(); ++i) {
            EXPECT_EQ(out[i], alone[i] * up[i]);
        }
    }
}

TEST_P(Elementwise, SoftcapIsAccurate)
{
    const std::vector<float> x = telling_numbers();
    std::vector<float> out = x;
    set().softcap(out, 30.0F);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double exact = 30.0 * std::tanh(static_cast<double>(x[i]) / 30.0);
        EXPECT_LT(relative_error(out[i], exact), 1e-6) << x[i];
    }
}

TEST_P(Elementwise, SoftmaxIsAccurate)
{
    for (const std::size_t count : {1U, 2U, 7U, 8U, 9U, 100U, 1027U}) {
        std::vector<float> x = random_floats(count, 4);
        for (float& value : x) {
            value *= 60.0F;
        }
        std::vector<double> exact;
        exact.reserve(count);
        const double top = *std::max_element(x.begin(), x.end());
        for (const float value : x) {
            exact.push_back(std::exp(static_cast<double>(value) - top));
        }
        const double sum = std::accumulate(exact.begin(), exact.end(), 0.0);
        set().softmax(x);
        for (std::size_t i = 0; i < count; ++i) {
            // The difference from the largest is rounded before it is raised.
            const double rounded = 0x1p-24 * std::fabs(std::log(exact[i]));
            EXPECT_LT(relative_error(x[i], exact[i] / sum), 1e-6 + rounded) << count << " numbers, number " << i;
        }
    }
}

TEST_P(Elementwise, SoftmaxTakesExtremes)
{
    std::vector<float> x = {1e30F, -1e30F, -std::numeric_limits<float>::infinity(), 1e30F, 0.0F};
    set().softmax(x);
    EXPECT_EQ(x, (std::vector<float>{0.5F, 0.0F, 0.0F, 0.5F, 0.0F}));
    std::vector<float> none;
    set().softmax(none);
}

TEST_P(Elementwise, RmsNormIsAccurateAlsoInPlace)
{
    for (const std::size_t count : {1U, 7U, 8U, 64U, 576U, 1001U}) {
        const std::vector<float> x = random_floats(count, 1);
        const std::vector<float> weight = random_floats(count, 2);
        double squares = 0.0;
        for (const float value : x) {
            squares += static_cast<double>(value) * static_cast<double>(value);
        }
        const double factor = 1.0 / std::sqrt(squares / static_cast<double>(count) + 1e-5);
        std::vector<float> out(count);
        set().rms_norm(x, weight, 1e-5F, out);
        std::vector<float> plain(count);
        set().rms_norm(x, {}, 1e-5F, plain);
        for (std::size_t i = 0; i < count; ++i) {
            const double exact = static_cast<double>(x[i]) * factor;
            EXPECT_NEAR(static_cast<double>(plain[i]), exact, 3e-7 * std::fabs(exact));
            EXPECT_NEAR(static_cast<double>(out[i]), exact * static_cast<double>(weight[i]), 3e-7 * std::fabs(exact));
        }
        std::vector<float> in_place = x;
        set().rms_norm(in_place, weight, 1e-5F, in_place);
        EXPECT_EQ(in_place, out);
    }
}

TEST_P(Elementwise, RopeTurnsBothLayouts)
{
    for (const std::size_t pairs : {1U, 2U, 3U, 4U, 5U, 8U, 13U, 32U, 48U}) {
        const std::vector<float> x = random_floats(2 * pairs + 5, 6);
        const std::vector<float> angles = random_floats(pairs, 8);
        std::vector<float> cosines;
        std::vector<float> sines;
        for (const float angle : angles) {
            cosines.push_back(std::cos(3.0F * angle));
            sines.push_back(std::sin(3.0F * angle));
        }
        for (const RopeLayout layout : {RopeLayout::adjacent, RopeLayout::halves}) {
            std::vector<float> head = x;
            set().rope(layout, cosines, sines, head);
            for (std::size_t i = 0; i < pairs; ++i) {
                const std::size_t a = layout == RopeLayout::adjacent ? 2 * i : i;
                const std::size_t b = layout == RopeLayout::adjacent ? 2 * i + 1 : i + pairs;
                EXPECT_NEAR(head[a], x[a] * cosines[i] - x[b] * sines[i], 3e-7F);
                EXPECT_NEAR(head[b], x[a] * sines[i] + x[b] * cosines[i], 3e-7F);
            }
            // What lies behind the turned part stays.
            EXPECT_TRUE(std::equal(head.begin() + static_cast<std::ptrdiff_t>(2 * pairs), head.end(),
                                   x.begin() + static_cast<std::ptrdiff_t>(2 * pairs)));
        }
    }
}

TEST_P(Elementwise, RopeTurnsAPairAlikeInBothLayouts)
{
    constexpr std::size_t kPairs = 19;
    const std::vector<float> x = random_floats(2 * kPairs, 6);
    const std::vector<float> cosines = random_floats(kPairs, 7);
    const std::vector<float> sines = random_floats(kPairs, 8);
    std::vector<float> adjacent(2 * kPairs);
    for (std::size_t i = 0; i < kPairs; ++i) {
        adjacent[2 * i] = x[i];
        adjacent[2 * i + 1] = x[i + kPairs];
    }
    std::vector<float> halves = x;
    set().rope(RopeLayout::halves, cosines, sines, halves);
    set().rope(RopeLayout::adjacent, cosines, sines, adjacent);
    for (std::size_t i = 0; i < kPairs; ++i) {
        EXPECT_EQ(adjacent[2 * i], halves[i]);
        EXPECT_EQ(adjacent[2 * i + 1], halves[i + kPairs]);
    }
}

TEST_P(Elementwise, AddsAndScales)
{
    for (const std::size_t count : {0U, 1U, 8U, 21U}) {
        const std::vector<float> a = random_floats(count, 1);
        const std::vector<float> b = random_floats(count, 2);
        std::vector<float> sum = a;
        std::vector<float> mixed = a;
        std::vector<float> scaled = a;
        set().add(sum, b);
        set().add_scaled(mixed, 0.3F, b);
        set().scale(scaled, -2.5F);
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_EQ(sum[i], a[i] + b[i]);
            EXPECT_NEAR(mixed[i], a[i] + 0.3F * b[i], 1.2e-7F);
            EXPECT_EQ(scaled[i], a[i] * -2.5F);
        }
    }
}

TEST_P(Elementwise, AnElementDoesNotDependOnItsPlace)
{
    expect_independent_of_place([&](std::span<float> x) { set().silu_multiply(x, x, x); });
    expect_independent_of_place([&](std::span<float> x) { set().gelu_multiply(x, x, x); });
    expect_independent_of_place([&](std::span<float> x) { set().softcap(x, 0.7F); });
    expect_independent_of_place([&](std::span<float> x) { set().add(x, x); });
    expect_independent_of_place([&](std::span<float> x) { set().add_scaled(x, 0.3F, x); });
    expect_independent_of_place([&](std::span<float> x) { set().scale(x, 0.3F); });
}

TEST_P(Elementwise, LeavesWhatLiesBehindTheRow)
{
    std::vector<float> x = random_floats(16, 1);
    const std::vector<float> before = x;
    const std::span<float> row = std::span(x).first(11);
    set().silu_multiply(row, row, row);
    set().gelu_multiply(row, row, row);
    set().add(row, row);
    set().scale(row, 0.5F);
    set().softcap(row, 2.0F);
    set().softmax(row);
    set().rms_norm(row, {}, 1e-5F, row);
    EXPECT_TRUE(std::equal(x.begin() + 11, x.end(), before.begin() + 11));
}

CONSTELA_FOR_EACH_SET(Elementwise);

} // namespace
} // namespace constela::test
