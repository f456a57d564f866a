// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/common/packed.h"

#include <cstring>

namespace constela::kernels {
namespace {

/// The fields of a stored block: first some narrow ones, then words, then some binary16 numbers.
struct Fields {
    std::size_t narrow_width;
    std::size_t narrow;
    std::size_t words;
    std::size_t halves;
};

Fields fields_of(TensorType type)
{
    switch (type) {
    case TensorType::Q4_0:
    case TensorType::IQ4_NL: return {2, 1, 4, 0};
    case TensorType::Q4_1: return {2, 2, 4, 0};
    case TensorType::Q5_0: return {2, 1, 5, 0};
    case TensorType::Q5_1: return {2, 2, 5, 0};
    case TensorType::Q8_0: return {2, 1, 8, 0};
    case TensorType::MXFP4: return {1, 1, 4, 0};
    case TensorType::Q2_K: return {2, 0, 20, 2};
    case TensorType::Q3_K: return {2, 0, 27, 1};
    case TensorType::Q4_K: return {2, 2, 35, 0};
    case TensorType::Q5_K: return {2, 2, 43, 0};
    case TensorType::Q6_K: return {2, 0, 52, 1};
    case TensorType::IQ4_XS: return {2, 2, 33, 0};
    case TensorType::F32:
    case TensorType::F16:
    case TensorType::BF16: break;
    }
    return {};
}

template <std::size_t Width>
void weave(const std::byte* const* rows, std::size_t offset, std::size_t count, std::byte* out)
{
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t r = 0; r < kPackedRows; ++r) {
            std::memcpy(out, rows[r] + offset + i * Width, Width);
            out += Width;
        }
    }
}

} // namespace

std::size_t packed_group_bytes(TensorType type, std::size_t columns)
{
    return kPackedRows * type_info(type).row_bytes(columns);
}

void pack(TensorType type, const std::byte* data, std::size_t stride, std::size_t rows, std::size_t columns,
          std::byte* out)
{
    constexpr std::size_t kLargestBlock = 210;
    static constexpr std::byte kZeros[kLargestBlock]{};
    const TypeInfo& info = type_info(type);
    const Fields fields = fields_of(type);
    const std::size_t words_at = fields.narrow * fields.narrow_width;
    const std::size_t halves_at = words_at + fields.words * 4;
    for (std::size_t row = 0; row < rows; row += kPackedRows) {
        for (std::size_t block = 0; block < columns / info.block_elements; ++block) {
            const std::byte* at[kPackedRows];
            for (std::size_t r = 0; r < kPackedRows; ++r) {
                at[r] = row + r < rows ? data + (row + r) * stride + block * info.block_bytes : kZeros;
            }
            if (fields.narrow_width == 1) {
                weave<1>(at, 0, fields.narrow, out);
            } else {
                weave<2>(at, 0, fields.narrow, out);
            }
            weave<4>(at, words_at, fields.words, out + kPackedRows * words_at);
            weave<2>(at, halves_at, fields.halves, out + kPackedRows * halves_at);
            out += kPackedRows * info.block_bytes;
        }
    }
}

void copy_rows(TensorType type, const std::byte* data, std::size_t stride, std::size_t rows, std::size_t columns,
               std::byte* out)
{
    const std::size_t bytes = type_info(type).row_bytes(columns);
    for (std::size_t row = 0; row < rows; ++row) {
        std::memcpy(out + row * bytes, data + row * stride, bytes);
    }
}

} // namespace constela::kernels
