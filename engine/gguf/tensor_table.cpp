// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/gguf/tensor_table.h"

#include "engine/gguf/printable.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace constela::gguf {

namespace {

/// A model with each of 256 experts of 64 blocks on its own has about 50 000.
constexpr std::uint64_t kMostTensors = std::uint64_t{1} << 18U;
/// The specification's limit.
constexpr std::uint64_t kLongestName = 64;
/// A name's length, a name of one letter, n_dimensions, one dimension, type, offset.
constexpr std::uint64_t kLeastTensorBytes = 8 + 1 + 4 + 8 + 4 + 8;
/// Keeps every later sum (data_offset + offset + bytes + alignment) below 2^64.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 62U;

struct NumberedName {
    std::uint32_t number;
    std::string_view name;
};

/// Tensor types that exist and that this version cannot compute. Source: ggml_type in ggml.h
/// (github.com/ggml-org/ggml).
constexpr NumberedName kOtherTypes[] = {
    {4, "Q4_2"},    {5, "Q4_3"},        {9, "Q8_1"},        {15, "Q8_K"},       {16, "IQ2_XXS"},
    {17, "IQ2_XS"}, {18, "IQ3_XXS"},    {19, "IQ1_S"},      {21, "IQ3_S"},      {22, "IQ2_S"},
    {24, "I8"},     {25, "I16"},        {26, "I32"},        {27, "I64"},        {28, "F64"},
    {29, "IQ1_M"},  {31, "Q4_0_4_4"},   {32, "Q4_0_4_8"},   {33, "Q4_0_8_8"},   {34, "TQ1_0"},
    {35, "TQ2_0"},  {36, "IQ4_NL_4_4"}, {37, "IQ4_NL_4_8"}, {38, "IQ4_NL_8_8"}, {40, "NVFP4"},
};

std::string_view name_of_other_type(std::uint32_t number)
{
    const auto* found = std::ranges::find(kOtherTypes, number, &NumberedName::number);
    return found != std::end(kOtherTypes) ? found->name : std::string_view();
}

std::string supported_types()
{
    std::string list;
    for (const kernels::TypeInfo& info : kernels::kTypes) {
        list += list.empty() ? "" : ", ";
        list += info.name;
    }
    return list;
}

tl::unexpected<Error> unsupported_type(const std::string& file, const std::string& tensor, std::uint32_t number)
{
    if (const std::string_view name = name_of_other_type(number); !name.empty()) {
        return failure("{}: tensor {} has type {} ({}), which this version cannot compute; supported are {}.", file,
                       tensor, number, name, supported_types());
    }
    return failure("{}: tensor {} has type {}, which this version does not know; supported are {}.", file, tensor,
                   number, supported_types());
}

/// Reads the dimensions into `info` and returns their product.
Result<std::uint64_t> read_shape(Reader& reader, TensorInfo& info, std::uint64_t index)
{
    const std::string shown = printable(info.name);
    CONSTELA_ASSIGN(const auto dimensions, reader.number<std::uint32_t>({"tensor_infos", index, "n_dimensions"}));
    if (dimensions == 0 || dimensions > info.shape.size()) {
        return failure("{}: tensor {} has {} dimensions; 1 to {} were expected.", reader.file(), shown, dimensions,
                       info.shape.size());
    }
    info.dimensions = dimensions;
    std::uint64_t elements = 1;
    for (unsigned d = 0; d < dimensions; ++d) {
        CONSTELA_ASSIGN(info.shape[d], reader.number<std::uint64_t>({"tensor_infos", index, "dimensions"}));
        if (info.shape[d] == 0) {
            return failure("{}: tensor {} has 0 elements in dimension {}; at least 1 was expected.", reader.file(),
                           shown, d);
        }
        if (info.shape[d] > kMostBytes / elements) {
            return failure("{}: tensor {} has {} elements in dimension {}, so that its size overflows; "
                           "at most {} elements in all were expected.",
                           reader.file(), shown, info.shape[d], d, kMostBytes);
        }
        elements *= info.shape[d];
    }
    return elements;
}

Result<TensorInfo> read_tensor(Reader& reader, std::uint64_t index)
{
    TensorInfo info;
    const Field name_field{"tensor_infos", index, "name"};
    CONSTELA_ASSIGN(info.name, reader.text(name_field, kLongestName));
    if (info.name.empty() || !is_clean_text(info.name)) {
        return failure("{}: {} is \"{}\"; a name in UTF-8 without control characters was expected.", reader.file(),
                       name_field.text(), printable(info.name));
    }
    CONSTELA_ASSIGN(const std::uint64_t elements, read_shape(reader, info, index));
    CONSTELA_ASSIGN(const auto number, reader.number<std::uint32_t>({"tensor_infos", index, "type"}));
    const auto type = kernels::tensor_type_from_file(number);
    if (!type) {
        return unsupported_type(reader.file(), info.name, number);
    }
    info.type = *type;
    const kernels::TypeInfo& layout = kernels::type_info(*type);
    if (info.shape[0] % layout.block_elements != 0) {
        return failure("{}: tensor {} has rows of {} elements; {} needs a multiple of {}.", reader.file(), info.name,
                       info.shape[0], layout.name, layout.block_elements);
    }
    const std::uint64_t blocks = elements / layout.block_elements;
    if (blocks > kMostBytes / layout.block_bytes) {
        return failure("{}: tensor {} has {} elements of the type {}, so that its size overflows; "
                       "at most {} bytes were expected.",
                       reader.file(), info.name, elements, layout.name, kMostBytes);
    }
    info.bytes = blocks * layout.block_bytes;
    CONSTELA_ASSIGN(info.offset, reader.number<std::uint64_t>({"tensor_infos", index, "offset"}));
    return info;
}

} // namespace

Result<std::vector<TensorInfo>> read_tensors(Reader& reader, std::uint64_t count)
{
    if (count > kMostTensors) {
        return failure("{}: tensor_count is {}; at most {} was expected.", reader.file(), count, kMostTensors);
    }
    if (count > reader.left() / kLeastTensorBytes) {
        return failure("{}: tensor_count is {}, but the {} bytes that are left hold at most {} tensors.", reader.file(),
                       count, reader.left(), reader.left() / kLeastTensorBytes);
    }
    std::vector<TensorInfo> tensors;
    tensors.reserve(static_cast<std::size_t>(count)); // The views below must stay.
    std::unordered_set<std::string_view> names;
    for (std::uint64_t i = 0; i < count; ++i) {
        CONSTELA_ASSIGN(TensorInfo info, read_tensor(reader, i));
        tensors.push_back(std::move(info));
        if (!names.insert(tensors.back().name).second) {
            return failure("{}: tensor {} stands there twice; each tensor was expected once.", reader.file(),
                           tensors.back().name);
        }
    }
    return tensors;
}

Result<void> place_tensors(std::vector<TensorInfo>& tensors, const std::string& file, std::uint64_t data_offset,
                           std::uint64_t alignment, std::uint64_t file_bytes)
{
    std::vector<TensorInfo*> by_offset;
    by_offset.reserve(tensors.size());
    for (TensorInfo& tensor : tensors) {
        if (tensor.offset % alignment != 0) {
            return failure("{}: tensor {} has the offset {}; a multiple of the alignment {} was expected.", file,
                           tensor.name, tensor.offset, alignment);
        }
        if (data_offset > file_bytes || tensor.offset > file_bytes - data_offset ||
            tensor.bytes > file_bytes - data_offset - tensor.offset) {
            return failure("{}: tensor {} has {} bytes at {} behind byte {}, but the file ends at byte {}; "
                           "it is cut short or damaged.",
                           file, tensor.name, tensor.bytes, tensor.offset, data_offset, file_bytes);
        }
        tensor.offset += data_offset;
        by_offset.push_back(&tensor);
    }
    std::ranges::sort(by_offset, {}, &TensorInfo::offset);

    std::uint64_t end = data_offset;
    const TensorInfo* previous = nullptr;
    for (const TensorInfo* tensor : by_offset) {
        if (tensor->offset < end) {
            return failure("{}: tensor {} begins at byte {}, inside tensor {}, which ends at byte {}.", file,
                           tensor->name, tensor->offset, previous->name, end);
        }
        // Writers place tensors one behind the other, so a hole means a damaged offset.
        if (const std::uint64_t expected = align_up(end, alignment); tensor->offset != expected) {
            return failure("{}: tensor {} begins at byte {}; byte {}, right behind what stands before it, was "
                           "expected.",
                           file, tensor->name, tensor->offset, expected);
        }
        end = tensor->offset + tensor->bytes;
        previous = tensor;
    }
    return {};
}

} // namespace constela::gguf
