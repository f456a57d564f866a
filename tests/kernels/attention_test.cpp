// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/reference/half.h"
#include "tests/kernels/sets_under_test.h"
#include "tests/support/random_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace constela::test {
namespace {

using kernels::KernelSet;
using kernels::KvType;

struct Shape {
    KvType type = KvType::f32;
    std::size_t group = 3;
    std::size_t heads = 2;
    std::size_t head_size = 64;
    std::size_t value_head_size = 64;
    std::size_t positions = 75;
    std::size_t first = 0;
    float softcap = 0.0F;
    float scale_factor = 2.0F; ///< The scale is this over the root of the head size.
};

/// Keys and values of every head in pages, as a KV cache holds them, and what attention makes of them.
class Cache {
public:
    Cache(const KernelSet& set, const Shape& shape, std::size_t page_positions)
        : set_(set), shape_(shape), page_positions_(page_positions),
          keys_(random_floats(shape.positions * shape.heads * shape.head_size, 3)),
          values_(random_floats(shape.positions * shape.heads * shape.value_head_size, 4)),
          queries_(random_floats(shape.heads * shape.group * shape.head_size, 5))
    {
        fill(keys_, shape.head_size, key_pages_);
        fill(values_, shape.value_head_size, value_pages_);
    }

    [[nodiscard]] std::vector<float> attend(std::size_t head, std::size_t first, std::size_t last) const
    {
        std::vector<const std::byte*> keys;
        std::vector<const std::byte*> values;
        for (std::size_t page = 0; page < key_pages_.size(); ++page) {
            const bool is_needed = (page + 1) * page_positions_ > first; // pages before the first may be null
            keys.push_back(is_needed ? key_pages_[page].data() : nullptr);
            values.push_back(is_needed ? value_pages_[page].data() : nullptr);
        }
        std::vector<float> scores(shape_.group * (last - first));
        std::vector<float> out(shape_.group * shape_.value_head_size + 1, 777.0F);
        kernels::AttentionArgs args;
        args.queries = queries_.data() + head * shape_.group * shape_.head_size;
        args.group = shape_.group;
        args.head_size = shape_.head_size;
        args.value_head_size = shape_.value_head_size;
        args.type = shape_.type;
        args.key_pages = keys.data();
        args.value_pages = values.data();
        args.page_positions = page_positions_;
        args.key_head_offset = head * kernels::kv_bytes(shape_.type, shape_.head_size);
        args.value_head_offset = head * kernels::kv_bytes(shape_.type, shape_.value_head_size);
        args.key_position_stride = shape_.heads * kernels::kv_bytes(shape_.type, shape_.head_size);
        args.value_position_stride = shape_.heads * kernels::kv_bytes(shape_.type, shape_.value_head_size);
        args.first = first;
        args.last = last;
        args.scale = scale();
        args.softcap = shape_.softcap;
        args.scores = scores.data();
        args.out = out.data();
        set_.attention(args);
        EXPECT_EQ(out.back(), 777.0F);
        out.pop_back();
        return out;
    }

    /// In double precision, from keys and values as they were before they were stored.
    [[nodiscard]] std::vector<double> exact(std::size_t head, std::size_t first, std::size_t last) const
    {
        std::vector<double> out;
        for (std::size_t g = 0; g < shape_.group; ++g) {
            const float* query = queries_.data() + (head * shape_.group + g) * shape_.head_size;
            std::vector<double> weights;
            for (std::size_t p = first; p < last; ++p) {
                const float* key = keys_.data() + (p * shape_.heads + head) * shape_.head_size;
                double score = 0.0;
                for (std::size_t j = 0; j < shape_.head_size; ++j) {
                    score += static_cast<double>(query[j]) * static_cast<double>(key[j]);
                }
                score *= static_cast<double>(scale());
                if (shape_.softcap > 0.0F) {
                    const auto cap = static_cast<double>(shape_.softcap);
                    score = cap * std::tanh(score / cap);
                }
                weights.push_back(score);
            }
            const double top = *std::max_element(weights.begin(), weights.end());
            double sum = 0.0;
            for (double& weight : weights) {
                weight = std::exp(weight - top);
                sum += weight;
            }
            for (std::size_t j = 0; j < shape_.value_head_size; ++j) {
                double value = 0.0;
                for (std::size_t p = first; p < last; ++p) {
                    const std::size_t at = (p * shape_.heads + head) * shape_.value_head_size + j;
                    value += weights[p - first] / sum * static_cast<double>(values_[at]);
                }
                out.push_back(value);
            }
        }
        return out;
    }

private:
    [[nodiscard]] float scale() const { return shape_.scale_factor / std::sqrt(static_cast<float>(shape_.head_size)); }

    void fill(const std::vector<float>& rows, std::size_t head_size, std::vector<std::vector<std::byte>>& pages) const
    {
        const std::size_t row = shape_.heads * head_size;
        const std::size_t bytes = kernels::kv_bytes(shape_.type, row);
        pages.assign((shape_.positions + page_positions_ - 1) / page_positions_,
                     std::vector<std::byte>(page_positions_ * bytes, std::byte{0xFF}));
        for (std::size_t p = 0; p < shape_.positions; ++p) {
            std::byte* at = pages[p / page_positions_].data() + p % page_positions_ * bytes;
            set_.store_kv(shape_.type, std::span(rows).subspan(p * row, row), at);
        }
    }

    const KernelSet& set_;
    Shape shape_;
    std::size_t page_positions_;
    std::vector<float> keys_;
    std::vector<float> values_;
    std::vector<float> queries_;
    std::vector<std::vector<std::byte>> key_pages_;
    std::vector<std::vector<std::byte>> value_pages_;
};

class Attention : public WithSet {
protected:
    void expect_near_exact(const Shape& shape, double tolerance) const
    {
        const Cache cache(set(), shape, 16);
        for (std::size_t head = 0; head < shape.heads; ++head) {
            const std::vector<float> out = cache.attend(head, shape.first, shape.positions);
            const std::vector<double> exact = cache.exact(head, shape.first, shape.positions);
            for (std::size_t i = 0; i < out.size(); ++i) {
                ASSERT_NEAR(static_cast<double>(out[i]), exact[i], tolerance) << "head " << head << ", element " << i;
            }
        }
    }
};

constexpr KvType kKvTypes[] = {KvType::f32, KvType::f16, KvType::q8_0};

double tolerance_of(KvType type)
{
    switch (type) {
    case KvType::f32: return 2e-6;
    case KvType::f16: return 1e-3;
    case KvType::q8_0: return 1e-2;
    }
    return 0.0;
}

TEST_P(Attention, IsNearTheExactOne)
{
    for (const KvType type : kKvTypes) {
        SCOPED_TRACE(kernels::kv_type_name(type));
        for (const std::size_t positions : {1U, 2U, 8U, 9U, 75U, 200U}) {
            Shape shape;
            shape.type = type;
            shape.positions = positions;
            expect_near_exact(shape, tolerance_of(type));
        }
    }
}

TEST_P(Attention, TakesHeadsOfAnySize)
{
    for (const std::size_t size : {2U, 12U, 20U, 80U, 96U, 128U, 256U, 300U}) {
        Shape shape;
        shape.head_size = size;
        shape.value_head_size = size + 4; // keys and values may differ
        expect_near_exact(shape, tolerance_of(KvType::f32));
        shape.type = KvType::f16;
        expect_near_exact(shape, tolerance_of(KvType::f16));
    }
    for (const std::size_t size : {32U, 96U, 288U}) {
        Shape shape;
        shape.type = KvType::q8_0;
        shape.head_size = size;
        shape.value_head_size = 64;
        expect_near_exact(shape, tolerance_of(KvType::q8_0));
    }
}

TEST_P(Attention, SlidesItsWindow)
{
    for (const KvType type : kKvTypes) {
        Shape shape;
        shape.type = type;
        for (const std::size_t first : {1U, 15U, 16U, 17U, 40U, 74U}) {
            shape.first = first;
            expect_near_exact(shape, tolerance_of(type));
        }
    }
}

TEST_P(Attention, CapsItsScores)
{
    for (const KvType type : kKvTypes) {
        Shape shape;
        shape.type = type;
        shape.softcap = 1.5F;
        expect_near_exact(shape, tolerance_of(type));
        shape.first = 33;
        expect_near_exact(shape, tolerance_of(type));
    }
}

TEST_P(Attention, TakesHugeScores)
{
    Shape shape;
    shape.heads = 1;
    for (const float factor : {1e4F, 1e20F, -1e20F}) {
        shape.scale_factor = factor;
        // One position outweighs all others: what comes out is its value.
        expect_near_exact(shape, tolerance_of(KvType::f32));
    }
    shape.softcap = 50.0F; // the cap is met, and not a number is nowhere
    shape.scale_factor = 1e30F;
    expect_near_exact(shape, 1e-5);
}

TEST_P(Attention, DoesNotDependOnPages)
{
    for (const KvType type : kKvTypes) {
        Shape shape;
        shape.type = type;
        const std::vector<float> whole = Cache(set(), shape, 128).attend(1, 3, 71);
        for (const std::size_t page_positions : {1U, 5U, 7U, 16U, 64U}) {
            EXPECT_EQ(Cache(set(), shape, page_positions).attend(1, 3, 71), whole) << page_positions;
        }
    }
}

TEST_P(Attention, DoesNotDependOnOtherQueries)
{
    Shape shape;
    shape.heads = 1;
    const std::vector<float> together = Cache(set(), shape, 16).attend(0, 0, 75);
    shape.group = 1; // the first query alone; the random numbers begin alike
    const std::vector<float> alone = Cache(set(), shape, 16).attend(0, 0, 75);
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), together.begin()));
}

TEST_P(Attention, DoesNotDependOnLaterPositions)
{
    Shape shape;
    shape.heads = 1;
    shape.positions = 40;
    const std::vector<float> alone = Cache(set(), shape, 16).attend(0, 0, 40);
    shape.positions = 75;
    EXPECT_EQ(Cache(set(), shape, 16).attend(0, 0, 40), alone);
}

class StoreKv : public WithSet {};

TEST_P(StoreKv, KeepsFloatsAsTheyAre)
{
    const std::vector<float> values = random_floats(37, 1);
    std::vector<std::byte> stored(kernels::kv_bytes(KvType::f32, 37));
    set().store_kv(KvType::f32, values, stored.data());
    EXPECT_EQ(std::memcmp(stored.data(), values.data(), stored.size()), 0);
}

TEST_P(StoreKv, RoundsToTheNearestHalf)
{
    std::vector<float> values = random_floats(40, 2);
    values[0] = 1.0F + 0x1p-11F;     // a tie: down to even
    values[1] = 1.0F + 3 * 0x1p-11F; // a tie: up to even
    values[2] = 65520.0F;            // infinity from here on
    values[3] = 65519.0F;
    values[4] = 0x1p-25F; // a tie with zero
    values[5] = std::nextafter(0x1p-25F, 1.0F);
    values[6] = -0x1.fffp-15F; // rounds up to the smallest normal
    std::vector<std::uint16_t> halves(values.size());
    set().store_kv(KvType::f16, values, reinterpret_cast<std::byte*>(halves.data()));
    EXPECT_EQ(halves[0], 0x3C00);
    EXPECT_EQ(halves[1], 0x3C02);
    EXPECT_EQ(halves[2], 0x7C00);
    EXPECT_EQ(halves[3], 0x7BFF);
    EXPECT_EQ(halves[4], 0x0000);
    EXPECT_EQ(halves[5], 0x0001);
    EXPECT_EQ(halves[6], 0x8400);
    for (std::size_t i = 7; i < values.size(); ++i) {
        EXPECT_NEAR(kernels::float_from_half(halves[i]), values[i], std::fabs(values[i]) * 0x1p-11F);
        EXPECT_EQ(halves[i], kernels::half_from_float(values[i]));
    }
}

TEST_P(StoreKv, RoundsInBlocksTo8Bits)
{
    std::vector<float> values = random_floats(96, 2);
    std::fill(values.begin() + 32, values.begin() + 64, 0.0F);
    std::vector<std::byte> stored(kernels::kv_bytes(KvType::q8_0, values.size()));
    set().store_kv(KvType::q8_0, values, stored.data());
    std::vector<float> back(values.size());
    set().dequantize_row(kernels::TensorType::Q8_0, stored.data(), back); // the same layout
    for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_NEAR(back[i], values[i], 0.6F / 127.0F);
    }
    EXPECT_EQ(back[40], 0.0F);
}

TEST_P(StoreKv, MakesABlockThatIsNotFiniteNotANumber)
{
    for (const float bad : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::quiet_NaN()}) {
        for (const std::size_t place : {0U, 9U, 31U}) {
            std::vector<float> values = random_floats(96, 2);
            values[32 + place] = bad;
            std::vector<std::byte> stored(kernels::kv_bytes(KvType::q8_0, values.size()));
            set().store_kv(KvType::q8_0, values, stored.data());
            std::vector<float> back(values.size());
            set().dequantize_row(kernels::TensorType::Q8_0, stored.data(), back);
            for (std::size_t i = 0; i < back.size(); ++i) {
                EXPECT_EQ(std::isnan(back[i]), i / 32 == 1) << i;
            }
        }
    }
}

TEST_P(StoreKv, TakesTinyValues)
{
    for (const float tiny : {1e-38F, 1e-44F, 0x1p-126F}) {
        std::vector<float> values(32, tiny);
        values[5] = 0.0F;
        std::vector<std::byte> stored(kernels::kv_bytes(KvType::q8_0, values.size()));
        set().store_kv(KvType::q8_0, values, stored.data());
        std::vector<float> back(values.size(), 1.0F);
        set().dequantize_row(kernels::TensorType::Q8_0, stored.data(), back);
        for (const float value : back) {
            EXPECT_EQ(value, 0.0F);
        }
    }
}

CONSTELA_FOR_EACH_SET(Attention);
CONSTELA_FOR_EACH_SET(StoreKv);

} // namespace
} // namespace constela::test
