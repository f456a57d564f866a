// SPDX-License-Identifier: GPL-3.0-or-later
//
// Random rows of weights in any type, for tests: random bits where a type keeps its quantized values and small
// scales, sane numbers where it keeps floats. Deterministic for a seed.
#pragma once

#include "kernels/reference/half.h"
#include "kernels/tensor_type.h"

#include <cstring>
#include <random>
#include <span>
#include <vector>

namespace constela::test {

/// Where a block keeps its binary16 scales (d, then dmin or m where there is one).
struct ScalePlaces {
    std::size_t count = 0;
    std::size_t offsets[2] = {};
};

[[nodiscard]] constexpr ScalePlaces scale_places(kernels::TensorType type)
{
    using kernels::TensorType;
    switch (type) {
    case TensorType::Q4_0:
    case TensorType::Q5_0:
    case TensorType::Q8_0:
    case TensorType::IQ4_NL:
    case TensorType::IQ4_XS: return {1, {0}};
    case TensorType::Q4_1:
    case TensorType::Q5_1:
    case TensorType::Q4_K:
    case TensorType::Q5_K: return {2, {0, 2}};
    case TensorType::Q2_K: return {2, {80, 82}};
    case TensorType::Q3_K: return {1, {108}};
    case TensorType::Q6_K: return {1, {208}};
    case TensorType::F32:
    case TensorType::F16:
    case TensorType::BF16:
    case TensorType::MXFP4: return {};
    }
    return {};
}

/// `rows` rows of `columns` elements (a multiple of the type's block), widened values mostly within +-1.
[[nodiscard]] inline std::vector<std::byte> random_weights(kernels::TensorType type, std::size_t rows,
                                                           std::size_t columns, unsigned seed)
{
    using kernels::TensorType;
    std::mt19937 bits(seed);
    const auto uniform = [&bits] { return static_cast<float>(bits() % 20001U) / 10000.0F - 1.0F; };
    const kernels::TypeInfo& info = kernels::type_info(type);
    std::vector<std::byte> weights(rows * info.row_bytes(columns));
    const auto put_u16 = [&weights](std::size_t at, std::uint16_t value) {
        std::memcpy(weights.data() + at, &value, sizeof value);
    };
    if (!info.quantized) {
        for (std::size_t i = 0; i < rows * columns; ++i) {
            const float value = uniform();
            const std::uint32_t word = kernels::bits_of_float(value);
            if (type == TensorType::F32) {
                std::memcpy(weights.data() + 4 * i, &value, sizeof value);
            } else {
                put_u16(2 * i, type == TensorType::F16 ? kernels::half_from_float(value)
                                                       : static_cast<std::uint16_t>(word >> 16U));
            }
        }
        return weights;
    }
    for (std::byte& byte : weights) {
        byte = static_cast<std::byte>(bits() & 0xFFU);
    }
    const ScalePlaces places = scale_places(type);
    const float quant_range = info.block_elements == 256 ? 2000.0F : 32.0F; // what a float scale multiplies, about
    for (std::size_t at = 0; at < weights.size(); at += info.block_bytes) {
        for (std::size_t i = 0; i < places.count; ++i) {
            put_u16(at + places.offsets[i], kernels::half_from_float(uniform() / quant_range));
        }
        if (type == TensorType::MXFP4) {
            weights[at] = static_cast<std::byte>(120U + bits() % 6U);
        }
    }
    return weights;
}

/// `count` numbers between -1 and 1.
[[nodiscard]] inline std::vector<float> random_floats(std::size_t count, unsigned seed)
{
    std::mt19937 bits(seed);
    std::vector<float> numbers(count);
    for (float& number : numbers) {
        number = static_cast<float>(bits() % 20001U) / 10000.0F - 1.0F;
    }
    return numbers;
}

} // namespace constela::test
