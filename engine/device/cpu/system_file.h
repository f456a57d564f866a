// SPDX-License-Identifier: GPL-3.0-or-later
//
// The small text files in which Linux tells about itself. What stands in them is taken to be anything.
#pragma once

#include "engine/device/cpu/cpu_info.h"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace constela::device {

/// The text of a file, or why it cannot be read.
struct SystemFile {
    static constexpr std::size_t kMost = std::size_t{4} << 20U; ///< What is longer is cut off.

    std::optional<std::string> text;
    bool denied = false;

    /// Never waits: what is not a plain file (a pipe, a device) cannot be read.
    explicit SystemFile(const std::filesystem::path& path);

    /// The state of a reading that found no text.
    [[nodiscard]] Measured::State state() const { return denied ? Measured::State::denied : Measured::State::failed; }
};

/// What lies in a folder, sorted by name; nothing where it cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> children(const std::filesystem::path& folder);

/// The finite number at the start of a text, blanks before it skipped.
template <class Number>
[[nodiscard]] std::optional<Number> leading_number(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) {
        return std::nullopt;
    }
    text.remove_prefix(first);
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end == text.data()) {
        return std::nullopt;
    }
    if constexpr (std::is_floating_point_v<Number>) {
        if (!std::isfinite(number)) { // "nan" and "inf" are read as such
            return std::nullopt;
        }
    }
    return number;
}

/// What follows `key` at the start of a line.
[[nodiscard]] std::optional<std::string_view> after_key(std::string_view text, std::string_view key);

/// A text without what comes after its first line.
[[nodiscard]] inline std::string_view first_line(std::string_view text)
{
    return text.substr(0, text.find('\n'));
}

} // namespace constela::device
