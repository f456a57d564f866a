// SPDX-License-Identifier: GPL-3.0-or-later
//
// A model file: GGUF versions 2 and 3, single or split in parts, mapped into memory and checked before anything in it
// is used. Format: the GGUF specification (github.com/ggml-org/ggml, docs/gguf.md).
//
// Threads: a File is immutable after open() and may be read from any thread.
#pragma once

#include "engine/base/result.h"
#include "kernels/tensor_type.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace constela::gguf {

/// A metadata value. Integers are widened, arrays are homogeneous; nested arrays are refused at open().
using Array = std::variant<std::vector<std::int64_t>, std::vector<std::uint64_t>, std::vector<double>,
                           std::vector<bool>, std::vector<std::string>>;
using Value = std::variant<std::uint64_t, std::int64_t, double, bool, std::string, Array>;

/// A value as a sentence shows it: 7, 0.5, true, "text", [1, 2, 3, 4, ...].
[[nodiscard]] std::string describe(const Value& value);

/// The key-value part of a file. Every getter names key and file in its error.
class Metadata {
public:
    Metadata() = default;
    Metadata(std::string file_name, std::map<std::string, Value, std::less<>> values);

    [[nodiscard]] bool has(std::string_view key) const;
    [[nodiscard]] const std::map<std::string, Value, std::less<>>& all() const { return values_; }
    [[nodiscard]] const std::string& file_name() const { return file_name_; }

    /// T: std::uint32_t, std::uint64_t, std::int32_t, float, bool, std::string, or std::vector of std::int32_t,
    /// std::uint32_t, float, bool, std::string. Numbers convert between integer widths and to float where no value is
    /// lost in range; anything else is an error ("FILE: KEY is text, a number was expected").
    template <class T>
    [[nodiscard]] Result<T> get(std::string_view key) const;
    /// The fallback where the key is missing; still an error where it is there with a wrong type.
    template <class T>
    [[nodiscard]] Result<T> get_or(std::string_view key, T fallback) const;

private:
    std::string file_name_;
    std::map<std::string, Value, std::less<>> values_;
};

struct TensorInfo {
    std::string name;
    kernels::TensorType type = kernels::TensorType::F32;
    std::array<std::uint64_t, 4> shape{1, 1, 1, 1}; ///< shape[0] is the contiguous (input) dimension, as in the file.
    unsigned dimensions = 0;
    std::size_t part = 0;     ///< Which file of a split set holds it.
    std::uint64_t offset = 0; ///< From the start of that file, in bytes.
    std::uint64_t bytes = 0;

    [[nodiscard]] std::uint64_t elements() const { return shape[0] * shape[1] * shape[2] * shape[3]; }
};

/// An opened and checked model.
class File {
public:
    /// Opens FILE, or, when its name ends in -0000I-of-0000N.gguf, all N parts beside it.
    [[nodiscard]] static Result<std::shared_ptr<const File>> open(const std::filesystem::path& path);

    virtual ~File() = default;
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    [[nodiscard]] virtual const Metadata& metadata() const = 0;
    [[nodiscard]] virtual std::uint32_t version() const = 0;
    [[nodiscard]] virtual const std::vector<TensorInfo>& tensors() const = 0;
    [[nodiscard]] virtual const TensorInfo* find(std::string_view name) const = 0;
    /// The bytes of a tensor of this file, in the mapping. If the file is cut short behind our back they read as zeros
    /// (never a bus error), and changed() says so.
    [[nodiscard]] virtual std::span<const std::byte> data(const TensorInfo& tensor) const = 0;
    /// Says that these bytes, of a tensor of this file, need not stay in memory; they can still be read, from the
    /// disk if need be.
    virtual void release(std::span<const std::byte> data) const = 0;
    /// All parts, first to last.
    [[nodiscard]] virtual const std::vector<std::filesystem::path>& paths() const = 0;
    /// Bytes of all parts.
    [[nodiscard]] virtual std::uint64_t bytes() const = 0;
    /// Tells whether a part was cut, replaced in place or lost a page since open(); cheap (a stat a part).
    /// A file that was merely unlinked stays readable and is no error.
    [[nodiscard]] virtual std::optional<Error> changed() const = 0;

protected:
    File() = default;
};

/// Parses one file's bytes without mapping (for tests and fuzzing): checks everything that open() checks in one part.
struct ParsedPart {
    std::uint32_t version = 0;
    Metadata metadata;
    std::vector<TensorInfo> tensors;
    std::uint64_t data_offset = 0;
};
[[nodiscard]] Result<ParsedPart> parse(std::span<const std::byte> bytes, std::string_view file_name);

} // namespace constela::gguf
