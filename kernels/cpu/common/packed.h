// SPDX-License-Identifier: GPL-3.0-or-later
//
// Packed weights: sixteen neighbouring rows woven together when a model is loaded, so that one vector holds the same
// bytes of every row and the rows' blocks are read from one stream. They take the bytes that the rows took.
//
// A packed group is, for each block along the rows in order, the block's fields in the order of the file; each field
// is there once for each of the sixteen rows: field at byte offset o of a stored block, w bytes wide, lies for row r
// at 16 o + w r. Fields are one byte wide (MXFP4's exponent), two (binary16 scales, the high bits of IQ4_XS's scales)
// or four (all else, whatever it is: nibbles, bits, small scales, of which four bytes of a row stay together).
#pragma once

#include "kernels/tensor_type.h"

#include <cstddef>
#include <cstdint>

namespace constela::kernels {

static constexpr size_t kPackedRows = 16;

/// Bytes of a packed group of sixteen rows.
[[nodiscard]] size_t packed_group_bytes(TensorType type, size_t columns);

/// Packs `rows` rows (a last group that is not full is filled up with zeros) that lie `stride` bytes apart.
void pack(TensorType type, const std::byte* data, size_t stride, size_t rows, size_t columns, std::byte* out);

/// The same for types that are taken as they are stored: row after row.
void copy_rows(TensorType type, const std::byte* data, size_t stride, size_t rows, size_t columns, std::byte* out);

} // namespace constela::kernels
