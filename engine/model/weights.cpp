// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/weights.h"

#include "kernels/kernels.h"

#include <charconv>
#include <fmt/format.h>

namespace constela::model {

std::string in_block(std::size_t block, std::string_view name)
{
    return fmt::format("blk.{}.{}", block, name);
}

Result<const gguf::TensorInfo*> Weights::find(std::string_view name, std::size_t columns, std::size_t rows,
                                              std::size_t count)
{
    const gguf::TensorInfo* info = file_.find(name);
    if (info == nullptr) {
        return failure("{}: the tensor {} is missing; the file is not a whole model.", file_.metadata().file_name(),
                       name);
    }
    const std::array<std::uint64_t, 4> expected{columns, rows, count, 1};
    if (info->shape != expected) {
        const auto text = [](const std::array<std::uint64_t, 4>& shape) {
            return fmt::format("{} x {} x {}", shape[0], shape[1], shape[2]);
        };
        return failure("{}: the tensor {} is {}; the metadata say that it should be {}.", file_.metadata().file_name(),
                       name, text(info->shape), text(expected));
    }
    used_[std::string(name)] = true;
    return info;
}

Result<std::vector<device::Matrix>> Weights::stored(std::string_view name, std::size_t columns, std::size_t rows,
                                                    std::size_t count)
{
    CONSTELA_ASSIGN(const gguf::TensorInfo* info, find(name, columns, rows, count));
    const std::span<const std::byte> data = file_.data(*info);
    device::Matrix matrix;
    matrix.type = info->type;
    matrix.rows = rows;
    matrix.columns = columns;
    matrix.stride = kernels::type_info(info->type).row_bytes(columns);
    std::vector<device::Matrix> result(count, matrix);
    for (std::size_t i = 0; i < count; ++i) {
        result[i].data = data.data() + i * rows * matrix.stride;
    }
    return result;
}

std::size_t Weights::shard_of(std::string_view name) const
{
    constexpr std::string_view kBlock = "blk.";
    std::size_t block = 0;
    if (name.substr(0, kBlock.size()) == kBlock &&
        std::from_chars(name.data() + kBlock.size(), name.data() + name.size(), block).ec == std::errc()) {
        return block + 1;
    }
    return head_shard_;
}

Result<> Weights::place(std::string_view name, device::Matrix& matrix) const
{
    if (placing_ == nullptr || !placing_->takes(shard_of(name))) {
        return {};
    }
    const std::span<const std::byte> stored(matrix.data, matrix.bytes());
    Result<> outcome;
    std::size_t done = 0;
    device::Matrix placed = placing_->backend.place(matrix, [&](std::size_t bytes, bool copied) {
        if (copied) { // at once, so that a large matrix never takes its room twice
            file_.release(stored.subspan(done, bytes));
        }
        done += bytes;
        outcome = placing_->on_placed(bytes);
        return outcome.has_value();
    });
    CONSTELA_TRY(std::move(outcome));
    matrix = std::move(placed);
    return {};
}

Result<std::vector<device::Matrix>> Weights::matrices(std::string_view name, std::size_t columns, std::size_t rows,
                                                      std::size_t count)
{
    CONSTELA_ASSIGN(std::vector<device::Matrix> result, stored(name, columns, rows, count));
    for (device::Matrix& matrix : result) {
        CONSTELA_TRY(place(name, matrix));
    }
    return result;
}

Result<device::Matrix> Weights::matrix(std::string_view name, std::size_t columns, std::size_t rows)
{
    CONSTELA_ASSIGN(const std::vector<device::Matrix> one, matrices(name, columns, rows, 1));
    return one.front();
}

Result<device::Matrix> Weights::table(std::string_view name, std::size_t columns, std::size_t rows)
{
    CONSTELA_ASSIGN(const std::vector<device::Matrix> one, stored(name, columns, rows, 1));
    return one.front();
}

Result<std::vector<device::Matrix>> Weights::halves(std::string_view name, std::size_t columns, std::size_t rows)
{
    CONSTELA_ASSIGN(device::Matrix upper, table(name, columns, 2 * rows));
    upper.rows = rows;
    device::Matrix lower = upper;
    lower.data += rows * upper.stride;
    CONSTELA_TRY(place(name, upper));
    CONSTELA_TRY(place(name, lower));
    return std::vector<device::Matrix>{upper, lower};
}

Result<VectorWeights> Weights::vector(std::string_view name, std::size_t size)
{
    CONSTELA_ASSIGN(const gguf::TensorInfo* info, find(name, size, 1, 1));
    VectorWeights result(size);
    kernels::reference_kernels().dequantize_row(info->type, file_.data(*info).data(), result);
    return result;
}

Result<VectorWeights> Weights::optional_vector(std::string_view name, std::size_t size)
{
    return has(name) ? vector(name, size) : Result<VectorWeights>(VectorWeights{});
}

Result<> Weights::all_used() const
{
    for (const gguf::TensorInfo& info : file_.tensors()) {
        if (used_.find(info.name) == used_.end()) {
            return failure("{}: the tensor {} has no place in this architecture as Constela knows it; "
                           "a newer version may know it.",
                           file_.metadata().file_name(), info.name);
        }
    }
    return {};
}

} // namespace constela::model
