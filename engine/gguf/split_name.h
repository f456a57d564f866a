// SPDX-License-Identifier: GPL-3.0-or-later
//
// The names of split models: BASE-0000I-of-0000N.gguf, I from 1 to N (the convention of llama.cpp's gguf-split).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace constela::gguf {

struct SplitName {
    std::filesystem::path::string_type base; ///< The file name before -0000I-of-0000N.gguf.
    std::uint32_t number = 0;                ///< From 1, as in the name; 0 or above `count` in a malformed name.
    std::uint32_t count = 0;
};

/// The parts of a split file's name; none when the name has another form.
[[nodiscard]] std::optional<SplitName> parse_split_name(const std::filesystem::path& path);

/// The path of part `number` (from 1) beside `path`.
[[nodiscard]] std::filesystem::path split_path(const std::filesystem::path& path, const SplitName& name,
                                               std::uint32_t number);

/// "-00001-of-00003.gguf"
[[nodiscard]] std::string split_suffix(std::uint32_t number, std::uint32_t count);

} // namespace constela::gguf
