// SPDX-License-Identifier: GPL-3.0-or-later
//
// Models of the matrix product in plain scalar code: the exact one in double precision, and the order of the sum that
// the kernels promise (docs/adr/0002, kernels/cpu/common/quantized_matmul.h), to be met bit for bit.
#pragma once

#include "kernels/kernels.h"

#include <span>
#include <vector>

namespace constela::test {

/// One row of weights times one row of activations, weights widened, in double precision.
[[nodiscard]] double exact_product(kernels::TensorType type, std::span<const std::byte> row, std::span<const float> x);

/// The same as the reference set promises it: float32 in the order of the segments.
[[nodiscard]] float reference_product(kernels::TensorType type, std::span<const std::byte> row,
                                      std::span<const float> x, kernels::Segments segments);

/// The same as the fast sets promise it: int8 activations for quantized weights, exact integers inside a block.
[[nodiscard]] float fast_product(kernels::TensorType type, std::span<const std::byte> row, std::span<const float> x,
                                 kernels::Segments segments);

/// How far int8 activations may take a product from the exact one: every activation rounded by half a step.
[[nodiscard]] double rounding_bound(kernels::TensorType type, std::span<const std::byte> row, std::span<const float> x);

} // namespace constela::test
