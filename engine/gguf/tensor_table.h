// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the list of tensors of a GGUF file and checks where their data lies.
#pragma once

#include "engine/gguf/gguf.h"
#include "engine/gguf/reader.h"

#include <cstdint>
#include <vector>

namespace constela::gguf {

/// Reads `count` tensor infos. Their offsets are still those of the file: from the start of the data.
[[nodiscard]] Result<std::vector<TensorInfo>> read_tensors(Reader& reader, std::uint64_t count);

/// Makes offsets count from the start of the file and checks that the data fills the file from `data_offset` to
/// `file_bytes` without overlap and without anything but padding between and behind the tensors.
[[nodiscard]] Result<void> place_tensors(std::vector<TensorInfo>& tensors, const std::string& file,
                                         std::uint64_t data_offset, std::uint64_t alignment, std::uint64_t file_bytes);

/// `offset` rounded up to a multiple of `alignment` (a power of two); offset must be below 2^63.
[[nodiscard]] constexpr std::uint64_t align_up(std::uint64_t offset, std::uint64_t alignment)
{
    return (offset + alignment - 1) & ~(alignment - 1);
}

} // namespace constela::gguf
