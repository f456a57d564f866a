// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds the tensors of a model by name and checks that each has the shape that its architecture wants.
#pragma once

#include "engine/base/result.h"
#include "engine/device/backend.h"
#include "engine/gguf/gguf.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace constela::model {

/// A weight vector in float32, owned.
using VectorWeights = std::vector<float>;

/// A place where matrices are to lie: a device, and who is told of the bytes and may end it with an error. Only those
/// of the shards [first, first + count) are placed (0 is the embedding, 1 the first block).
struct Placing {
    device::Backend& backend;
    std::function<Result<>(std::size_t bytes)> on_placed;
    std::size_t first = 0;
    std::size_t count = static_cast<std::size_t>(-1);

    [[nodiscard]] bool takes(std::size_t shard) const { return shard >= first && shard - first < count; }
};

/// Matrices stay where they are, in the file's mapping, or are placed on a device; vectors are small and are widened.
/// Errors name the file, the tensor, what was found and what was expected.
class Weights {
public:
    /// Without a placing everything stays in the file.
    explicit Weights(const gguf::File& file) : file_(file) {}
    Weights(const gguf::File& file, const Placing& placing, std::size_t head_shard)
        : file_(file), placing_(&placing), head_shard_(head_shard)
    {
    }

    [[nodiscard]] bool has(std::string_view name) const { return file_.find(name) != nullptr; }

    /// A matrix of which rows are looked up: it stays in the file.
    [[nodiscard]] Result<device::Matrix> table(std::string_view name, std::size_t columns, std::size_t rows);
    /// A matrix of `rows` outputs by `columns` inputs.
    [[nodiscard]] Result<device::Matrix> matrix(std::string_view name, std::size_t columns, std::size_t rows);
    /// `count` matrices in one tensor.
    [[nodiscard]] Result<std::vector<device::Matrix>> matrices(std::string_view name, std::size_t columns,
                                                               std::size_t rows, std::size_t count);
    /// Two matrices of `rows` outputs each, one above the other in one tensor.
    [[nodiscard]] Result<std::vector<device::Matrix>> halves(std::string_view name, std::size_t columns,
                                                             std::size_t rows);
    [[nodiscard]] Result<VectorWeights> vector(std::string_view name, std::size_t size);
    /// Empty where the file has no such tensor.
    [[nodiscard]] Result<VectorWeights> optional_vector(std::string_view name, std::size_t size);

    /// An error where the file has a tensor that nobody asked for: leaving it out would give wrong answers.
    [[nodiscard]] Result<> all_used() const;

private:
    [[nodiscard]] Result<const gguf::TensorInfo*> find(std::string_view name, std::size_t columns, std::size_t rows,
                                                       std::size_t count);

    [[nodiscard]] Result<std::vector<device::Matrix>> stored(std::string_view name, std::size_t columns,
                                                             std::size_t rows, std::size_t count);
    /// The matrix on the device, if there is one and it is to hold this matrix.
    [[nodiscard]] Result<> place(std::string_view name, device::Matrix& matrix) const;
    /// The shard that multiplies by a matrix of this name.
    [[nodiscard]] std::size_t shard_of(std::string_view name) const;

    const gguf::File& file_;
    const Placing* placing_ = nullptr;
    std::size_t head_shard_ = 0;
    std::map<std::string, bool, std::less<>> used_;
};

/// "blk.7." + name
[[nodiscard]] std::string in_block(std::size_t block, std::string_view name);

} // namespace constela::model
