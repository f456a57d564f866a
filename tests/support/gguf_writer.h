// SPDX-License-Identifier: GPL-3.0-or-later
//
// Builds the bytes of small GGUF files for tests: right ones by default, wrong ones by overwriting the fields.
#pragma once

#include "kernels/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace constela::test {

/// `value` as its little-endian bytes.
template <class T>
requires std::is_arithmetic_v<T>
[[nodiscard]] std::string little_endian(T value)
{
    return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

/// A length in 8 bytes and the text.
[[nodiscard]] std::string gguf_string(std::string_view text);

class GgufWriter {
public:
    struct Key {
        std::string name;
        std::uint32_t type = 0; ///< The number of its gguf_metadata_value_type.
        std::string value;      ///< As it lies in the file.
    };
    struct Tensor {
        std::string name;
        std::uint32_t type = 0;
        std::vector<std::uint64_t> shape;
        std::string data;
        std::optional<std::uint64_t> offset{}; ///< What the file says; by default where the data is put.
    };

    // Everything may be changed before bytes(); nothing is checked.
    std::string magic = "GGUF";
    std::uint32_t version = 3;
    std::uint64_t alignment = 32;              ///< Used for the layout; set "general.alignment" too when it is not 32.
    std::optional<std::uint64_t> tensor_count; ///< By default the number of tensors.
    std::optional<std::uint64_t> key_count;    ///< By default the number of keys.
    std::vector<Key> keys;
    std::vector<Tensor> tensors;
    bool pad_end = true;

    /// Adds a key. T: a number, bool, text, or a std::vector of one of these.
    template <class T>
    GgufWriter& set(std::string_view key, const T& value)
    {
        return raw(key, type_of<T>(), encode(value));
    }
    /// Adds a key with a value type and bytes that need not fit together.
    GgufWriter& raw(std::string_view key, std::uint32_t type, std::string value);

    /// Adds a tensor; without `data` it has as many zero bytes as type and shape ask for.
    GgufWriter& tensor(std::string_view name, kernels::TensorType type, std::vector<std::uint64_t> shape,
                       std::optional<std::string> data = std::nullopt);
    GgufWriter& tensor(std::string_view name, std::vector<std::uint64_t> shape, const std::vector<float>& values);

    [[nodiscard]] std::string bytes() const;
    void write(const std::filesystem::path& path) const;

private:
    template <class T>
    static constexpr bool kIsText = std::is_convertible_v<T, std::string_view>;

    template <class T>
    static constexpr std::uint32_t type_of()
    {
        if constexpr (kIsText<T>) {
            return 8;
        } else if constexpr (!std::is_arithmetic_v<T>) {
            return 9;
        } else if constexpr (std::is_same_v<T, bool>) {
            return 7;
        } else if constexpr (std::is_floating_point_v<T>) {
            return sizeof(T) == 4 ? 6 : 12;
        } else {
            constexpr std::uint32_t wide = sizeof(T) == 8 ? 10 : sizeof(T) == 4 ? 4 : sizeof(T) == 2 ? 2 : 0;
            return wide + (std::is_signed_v<T> ? 1U : 0U);
        }
    }

    template <class T>
    static std::string encode(const T& value)
    {
        if constexpr (kIsText<T>) {
            return gguf_string(value);
        } else if constexpr (std::is_arithmetic_v<T>) {
            return little_endian(value);
        } else {
            using Element = typename T::value_type;
            std::string bytes = little_endian(type_of<Element>()) + little_endian(std::uint64_t{value.size()});
            for (const Element& element : value) {
                bytes += encode<Element>(element);
            }
            return bytes;
        }
    }
};

/// Writes `bytes` to a file, over what is there.
void write_file(const std::filesystem::path& path, std::string_view bytes);

} // namespace constela::test
