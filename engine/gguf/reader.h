// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the little-endian fields of a GGUF file one after the other. Nothing is read beyond the end, and nothing is
// allocated before its size was held against what is left of the file.
#pragma once

#include "engine/base/result.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace constela::gguf {

static_assert(std::endian::native == std::endian::little, "the reader copies little-endian numbers as they are");

/// Names a place in the file as the GGUF specification does: name, name[index] or name[index].member.
/// Kept apart until an error needs the text, since a vocabulary has hundreds of thousands of fields.
struct Field {
    std::string_view name;
    std::optional<std::uint64_t> index{};
    std::string_view member{};

    [[nodiscard]] std::string text() const;
};

class Reader {
public:
    /// Both must outlive the reader. `file` is how sentences name the file.
    Reader(std::span<const std::byte> bytes, const std::string& file) : bytes_(bytes), file_(file) {}

    [[nodiscard]] std::size_t position() const { return position_; }
    [[nodiscard]] std::size_t left() const { return bytes_.size() - position_; }
    [[nodiscard]] const std::string& file() const { return file_; }

    template <class T>
    [[nodiscard]] Result<T> number(const Field& field)
    {
        if (left() < sizeof(T)) {
            return cut_short(field, sizeof(T));
        }
        return unchecked<T>();
    }

    /// For callers that have held a whole run of numbers against left().
    template <class T>
    [[nodiscard]] T unchecked()
    {
        T value;
        std::memcpy(&value, bytes_.data() + position_, sizeof(T));
        position_ += sizeof(T);
        return value;
    }

    /// A length in 8 bytes and that many bytes, at most `limit`.
    [[nodiscard]] Result<std::string> text(const Field& field, std::uint64_t limit);

    /// The sentence for a field that does not fit in what is left.
    [[nodiscard]] tl::unexpected<Error> cut_short(const Field& field, std::uint64_t needed) const;

private:
    std::span<const std::byte> bytes_;
    const std::string& file_;
    std::size_t position_ = 0;
};

} // namespace constela::gguf
