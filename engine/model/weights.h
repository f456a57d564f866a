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

/// A place where matrices are to lie: a device, and who is told of the bytes and may end it with an error.
struct Placing {
    device::Backend& backend;
    std::function<Result<>(std::size_t bytes)> on_placed;
};

/// Matrices stay where they are, in the file's mapping, or are placed on a device; vectors are small and are widened.
/// Errors name the file, the tensor, what was found and what was expected.
class Weights {
public:
    /// `placing`: null leaves everything in the file.
    explicit Weights(const gguf::File& file, const Placing* placing = nullptr) : file_(file), placing_(placing) {}

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
    /// The matrix on the device, if there is one.
    [[nodiscard]] Result<> place(device::Matrix& matrix) const;

    const gguf::File& file_;
    const Placing* placing_;
    std::map<std::string, bool, std::less<>> used_;
};

/// "blk.7." + name
[[nodiscard]] std::string in_block(std::size_t block, std::string_view name);

} // namespace constela::model
