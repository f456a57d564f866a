// SPDX-License-Identifier: GPL-3.0-or-later
//
// The types of weights and how their rows lie in memory.
// Source of numbers and layouts: the GGUF specification and ggml's ggml-common.h (github.com/ggml-org/ggml).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace constela::kernels {

/// The values are those that GGUF files carry.
enum class TensorType : std::uint32_t {
    F32 = 0,
    F16 = 1,
    Q4_0 = 2,
    Q4_1 = 3,
    Q5_0 = 6,
    Q5_1 = 7,
    Q8_0 = 8,
    Q2_K = 10,
    Q3_K = 11,
    Q4_K = 12,
    Q5_K = 13,
    Q6_K = 14,
    IQ4_NL = 20,
    IQ4_XS = 23,
    BF16 = 30,
    MXFP4 = 39,
};

struct TypeInfo {
    TensorType type;
    std::string_view name;      ///< As people write it: "Q4_K".
    std::size_t block_elements; ///< Elements that share a scale as stored: 1 for plain types, 32 or 256.
    std::size_t block_bytes;    ///< Bytes of such a block.
    bool quantized;

    /// Elements of a block in the sense of the sum order (docs/adr/0002): plain types count as blocks of 32.
    [[nodiscard]] constexpr std::size_t sum_block() const { return quantized ? block_elements : 32; }
    /// Bytes of a row of `columns` elements; columns must be a multiple of block_elements.
    [[nodiscard]] constexpr std::size_t row_bytes(std::size_t columns) const
    {
        return columns / block_elements * block_bytes;
    }
};

/// All supported types, in the order of their numbers.
inline constexpr TypeInfo kTypes[] = {
    {TensorType::F32, "F32", 1, 4, false},        {TensorType::F16, "F16", 1, 2, false},
    {TensorType::Q4_0, "Q4_0", 32, 18, true},     {TensorType::Q4_1, "Q4_1", 32, 20, true},
    {TensorType::Q5_0, "Q5_0", 32, 22, true},     {TensorType::Q5_1, "Q5_1", 32, 24, true},
    {TensorType::Q8_0, "Q8_0", 32, 34, true},     {TensorType::Q2_K, "Q2_K", 256, 84, true},
    {TensorType::Q3_K, "Q3_K", 256, 110, true},   {TensorType::Q4_K, "Q4_K", 256, 144, true},
    {TensorType::Q5_K, "Q5_K", 256, 176, true},   {TensorType::Q6_K, "Q6_K", 256, 210, true},
    {TensorType::IQ4_NL, "IQ4_NL", 32, 18, true}, {TensorType::IQ4_XS, "IQ4_XS", 256, 136, true},
    {TensorType::BF16, "BF16", 1, 2, false},      {TensorType::MXFP4, "MXFP4", 32, 17, true},
};

/// The entry of a type; the type must be one of the enumeration.
constexpr const TypeInfo& type_info(TensorType type)
{
    for (const TypeInfo& info : kTypes) {
        if (info.type == type) {
            return info;
        }
    }
    return kTypes[0];
}

/// The type with this number in a file, if it is supported.
constexpr std::optional<TensorType> tensor_type_from_file(std::uint32_t number)
{
    for (const TypeInfo& info : kTypes) {
        if (static_cast<std::uint32_t>(info.type) == number) {
            return info.type;
        }
    }
    return std::nullopt;
}

} // namespace constela::kernels
