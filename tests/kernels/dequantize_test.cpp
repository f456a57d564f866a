// SPDX-License-Identifier: GPL-3.0-or-later
//
// Blocks written by hand, with what they hold worked out by hand. In binary16, 0x3C00 is 1, 0x4000 is 2, 0xB800 is
// -0.5, 0x3800 is 0.5.
#include "tests/kernels/sets_under_test.h"

#include <functional>
#include <map>

namespace constela::test {
namespace {

using kernels::TensorType;

struct KnownBlock {
    TensorType type;
    unsigned fill;                          ///< What every byte is that is not listed.
    std::map<std::size_t, unsigned> bytes;  ///< Bytes by their offset.
    std::map<std::size_t, float> elements;  ///< What some elements hold.
    std::function<float(std::size_t)> rest; ///< What the others hold.
};

bool within(std::size_t i, std::size_t from, std::size_t to)
{
    return i >= from && i < to;
}

std::vector<KnownBlock> known_blocks()
{
    using T = TensorType;
    const auto always = [](float value) { return [value](std::size_t) { return value; }; };
    return {
        {T::F32, 0, {{2, 0xA0}, {3, 0xC0}}, {}, always(-5.0F)},
        {T::F16, 0, {{0, 0x01}, {1, 0x80}}, {}, always(-0x1p-24F)},
        {T::BF16, 0, {{0, 0x20}, {1, 0x41}}, {}, always(10.0F)},
        // d = 2; a byte 0x88 is twice 8 - 8; byte 3 of the quants holds elements 3 (15 - 8) and 19 (1 - 8).
        {T::Q4_0, 0x88, {{0, 0}, {1, 0x40}, {5, 0x1F}}, {{3, 14.0F}, {19, -14.0F}}, always(0.0F)},
        // d = 2, m = -0.5; the last byte holds elements 15 (3) and 31 (10).
        {T::Q4_1, 0, {{1, 0x40}, {3, 0xB8}, {19, 0xA3}}, {{15, 5.5F}, {31, 19.5F}}, always(-0.5F)},
        // d = 1, offset 16; elements 0 and 17 have a fifth bit. Byte 0: elements 0 (0) and 16 (5), byte 1: 1 and 9.
        {T::Q5_0,
         0,
         {{1, 0x3C}, {2, 0x01}, {4, 0x02}, {6, 0x50}, {7, 0x91}},
         {{0, 0.0F}, {16, -11.0F}, {1, -15.0F}, {17, 9.0F}},
         always(-16.0F)},
        // d = 1, m = 2; element 31 has its fifth bit and 15 below it, element 15 has 4.
        {T::Q5_1, 0, {{1, 0x3C}, {3, 0x40}, {7, 0x80}, {23, 0xF4}}, {{15, 6.0F}, {31, 33.0F}}, always(2.0F)},
        // d = -2
        {T::Q8_0, 0, {{1, 0xC0}, {2, 0x80}, {33, 0x7F}}, {{0, 256.0F}, {31, -254.0F}}, always(0.0F)},
        // d = 1, dmin = 2; sub-block 0: scale 3, minimum 1; sub-block 9: scale 5, minimum 0.
        {T::Q2_K,
         0,
         {{0, 0x13}, {9, 0x05}, {16, 0x02}, {64, 0x03}, {81, 0x3C}, {83, 0x40}},
         {{0, 4.0F}, {144, 15.0F}},
         [](std::size_t i) { return i < 16 ? -2.0F : 0.0F; }},
        // d = 1; stored scales are 32, which means 0, but for sub-blocks 0 (37: 5) and 9 (35: 3). An element whose
        // mask bit is 0 has 4 taken off: element 0 has the bit and 3, element 147 has 2 - 4.
        {T::Q3_K,
         0,
         {{0, 0x01},
          {32, 0x03},
          {83, 0x02},
          {96, 0x05},
          {97, 0x30},
          {104, 0xAA},
          {105, 0xAA},
          {106, 0xAA},
          {107, 0xAA},
          {109, 0x3C}},
         {{0, 15.0F}, {147, -6.0F}},
         [](std::size_t i) { return i < 16                ? -20.0F
                                    : within(i, 144, 160) ? -12.0F
                                                          : 0.0F; }},
        // d = 1, dmin = 2; sub-block 0: scale 3, minimum 1; sub-block 5: scale 2 + 16, minimum 7 + 32.
        {T::Q4_K,
         0,
         {{1, 0x3C}, {3, 0x40}, {4, 0x03}, {5, 0x40}, {8, 0x01}, {9, 0x80}, {13, 0x72}, {18, 0x09}, {81, 0xF0}},
         {{2, 25.0F}, {161, 192.0F}},
         [](std::size_t i) { return i < 32                ? -2.0F
                                    : within(i, 160, 192) ? -78.0F
                                                          : 0.0F; }},
        // The same scales; fifth bits for element 2 (9 + 16) and element 161 (15 + 16).
        {T::Q5_K,
         0,
         {{1, 0x3C},
          {3, 0x40},
          {4, 0x03},
          {5, 0x40},
          {8, 0x01},
          {9, 0x80},
          {13, 0x72},
          {17, 0x20},
          {18, 0x01},
          {50, 0x09},
          {113, 0xF0}},
         {{2, 73.0F}, {161, 480.0F}},
         [](std::size_t i) { return i < 32                ? -2.0F
                                    : within(i, 160, 192) ? -78.0F
                                                          : 0.0F; }},
        // d = 0.5, offset 32; sub-block 0: scale 2, sub-block 15: scale -3. Element 1: 7 + 48, element 255: 12 + 32.
        {T::Q6_K,
         0,
         {{1, 0x07}, {127, 0xC0}, {129, 0x03}, {191, 0x80}, {192, 0x02}, {207, 0xFD}, {209, 0x38}},
         {{1, 23.0F}, {255, -18.0F}},
         [](std::size_t i) { return i < 16     ? -32.0F
                                    : i >= 240 ? 48.0F
                                               : 0.0F; }},
        // d = 1; value 8 of the table is 1, value 15 is 113, value 0 is -127.
        {T::IQ4_NL, 0x88, {{0, 0}, {1, 0x3C}, {2, 0x0F}}, {{0, 113.0F}, {16, -127.0F}}, always(1.0F)},
        // d = 1; stored scales are 32, which means 0, but for sub-blocks 0 (33: 1) and 3 (47: 15); value 7 is -10.
        {T::IQ4_XS,
         0x88,
         {{0, 0}, {1, 0x3C}, {2, 0xAA}, {3, 0xAA}, {4, 0x01}, {5, 0xF0}, {6, 0x00}, {7, 0x00}, {8, 0xF0}, {71, 0x70}},
         {{0, -127.0F}, {16, 113.0F}, {111, -1905.0F}, {127, -150.0F}},
         [](std::size_t i) { return i < 32               ? 1.0F
                                    : within(i, 96, 128) ? 15.0F
                                                         : 0.0F; }},
        // Exponent 129 - 127, and the table is doubled, so 2; value 15 is -12, value 9 is -1.
        {T::MXFP4, 0, {{0, 129}, {1, 0x9F}}, {{0, -24.0F}, {16, -2.0F}}, always(0.0F)},
        // The two smallest exponents are subnormal: 2^-128 and 2^-127; value 1 is 1.
        {T::MXFP4, 0x11, {{0, 0}}, {}, always(0x1p-128F)},
        {T::MXFP4, 0x11, {{0, 1}}, {}, always(0x1p-127F)},
    };
}

class Dequantize : public WithSet {};

TEST_P(Dequantize, KnownBlocks)
{
    for (const KnownBlock& known : known_blocks()) {
        const kernels::TypeInfo& info = kernels::type_info(known.type);
        std::vector<std::byte> block(info.block_bytes, static_cast<std::byte>(known.fill));
        for (const auto& [offset, byte] : known.bytes) {
            block.at(offset) = static_cast<std::byte>(byte);
        }
        std::vector<float> row(info.block_elements);
        set().dequantize_row(known.type, block.data(), row);
        for (std::size_t i = 0; i < row.size(); ++i) {
            const auto listed = known.elements.find(i);
            const float expected = listed != known.elements.end() ? listed->second : known.rest(i);
            EXPECT_EQ(row[i], expected) << info.name << ", element " << i;
        }
    }
}

TEST_P(Dequantize, EveryTypeIsAmongTheKnownBlocks)
{
    for (const TensorType type : all_types()) {
        const std::vector<KnownBlock> blocks = known_blocks();
        EXPECT_TRUE(std::any_of(blocks.begin(), blocks.end(), [&](const auto& block) { return block.type == type; }))
            << kernels::type_info(type).name;
    }
}

CONSTELA_FOR_EACH_SET(Dequantize);

} // namespace
} // namespace constela::test
