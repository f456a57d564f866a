// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes text of unknown origin fit for a sentence that a person reads.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace constela::gguf {

/// Whether `text` is well-formed UTF-8 (RFC 3629) without control characters.
[[nodiscard]] bool is_clean_text(std::string_view text);

/// `text` with control characters and bytes that are not UTF-8 written as \xNN, cut to about `limit` bytes with "...".
[[nodiscard]] std::string printable(std::string_view text, std::size_t limit = 96);

/// The last component of a path, printable: how sentences name a file.
[[nodiscard]] std::string display_name(const std::filesystem::path& path);

/// The whole path, printable: for failures in which the place is the point.
[[nodiscard]] std::string display_path(const std::filesystem::path& path);

} // namespace constela::gguf
