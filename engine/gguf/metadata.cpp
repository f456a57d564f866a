// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/gguf/gguf.h"
#include "engine/gguf/printable.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <type_traits>

namespace constela::gguf {

namespace {

constexpr std::size_t kShownElements = 4;

template <class T>
std::string describe_element(const T& element)
{
    if constexpr (std::is_same_v<T, std::string>) {
        return fmt::format("\"{}\"", printable(element));
    } else {
        return fmt::format("{}", element);
    }
}

template <class T>
std::string describe_elements(const std::vector<T>& elements)
{
    std::string shown = "[";
    for (std::size_t i = 0; i < elements.size(); ++i) {
        shown += i == 0 ? "" : ", ";
        if (i == kShownElements) {
            shown += "...";
            break;
        }
        shown += describe_element<T>(elements[i]);
    }
    return shown + "]";
}

template <class T>
struct IsVector : std::false_type {
};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {
};

template <class T>
constexpr bool kIsWholeNumber = std::is_integral_v<T> && !std::is_same_v<T, bool>;

/// `from` as a T when it is of that kind and in range.
template <class T, class From>
std::optional<T> convert(const From& from)
{
    if constexpr (std::is_same_v<T, From>) {
        return from;
    } else if constexpr (kIsWholeNumber<T> && kIsWholeNumber<From>) {
        return std::in_range<T>(from) ? std::optional(static_cast<T>(from)) : std::nullopt;
    } else if constexpr (std::is_same_v<T, float> && kIsWholeNumber<From>) {
        return static_cast<float>(from);
    } else if constexpr (std::is_same_v<T, float> && std::is_same_v<From, double>) {
        const bool fits = !std::isfinite(from) || std::abs(from) <= double{std::numeric_limits<float>::max()};
        return fits ? std::optional(static_cast<float>(from)) : std::nullopt;
    } else {
        return std::nullopt;
    }
}

template <class T>
std::optional<T> convert_array(const Array& array)
{
    return std::visit(
        [](const auto& elements) -> std::optional<T> {
            T converted;
            converted.reserve(elements.size());
            for (const auto& element : elements) {
                auto one = convert<typename T::value_type>(element);
                if (!one) {
                    return std::nullopt;
                }
                converted.push_back(*std::move(one));
            }
            return converted;
        },
        array);
}

template <class T>
std::optional<T> convert_value(const Value& value)
{
    return std::visit(
        [](const auto& stored) -> std::optional<T> {
            constexpr bool is_array = std::is_same_v<std::decay_t<decltype(stored)>, Array>;
            if constexpr (is_array && IsVector<T>::value) {
                return convert_array<T>(stored);
            } else if constexpr (!is_array && !IsVector<T>::value) {
                return convert<T>(stored);
            } else {
                return std::nullopt;
            }
        },
        value);
}

template <class T>
tl::unexpected<Error> wrong_type(const std::string& file, std::string_view key, const Value& value)
{
    const std::string shown = printable(key);
    if constexpr (IsVector<T>::value) {
        using Element = typename T::value_type;
        if constexpr (kIsWholeNumber<Element>) {
            return failure("{}: {} is {}; an array of whole numbers from {} to {} was expected.", file, shown,
                           describe(value), std::numeric_limits<Element>::min(), std::numeric_limits<Element>::max());
        } else if constexpr (std::is_same_v<Element, float>) {
            return failure("{}: {} is {}; an array of numbers was expected.", file, shown, describe(value));
        } else if constexpr (std::is_same_v<Element, bool>) {
            return failure("{}: {} is {}; an array of true and false was expected.", file, shown, describe(value));
        } else {
            return failure("{}: {} is {}; an array of texts was expected.", file, shown, describe(value));
        }
    } else if constexpr (kIsWholeNumber<T>) {
        return failure("{}: {} is {}; a whole number from {} to {} was expected.", file, shown, describe(value),
                       std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    } else if constexpr (std::is_same_v<T, float>) {
        return failure("{}: {} is {}; a number was expected.", file, shown, describe(value));
    } else if constexpr (std::is_same_v<T, bool>) {
        return failure("{}: {} is {}; true or false was expected.", file, shown, describe(value));
    } else {
        return failure("{}: {} is {}; a text was expected.", file, shown, describe(value));
    }
}

} // namespace

std::string describe(const Value& value)
{
    return std::visit(
        [](const auto& stored) {
            if constexpr (std::is_same_v<std::decay_t<decltype(stored)>, Array>) {
                return std::visit([](const auto& elements) { return describe_elements(elements); }, stored);
            } else {
                return describe_element(stored);
            }
        },
        value);
}

Metadata::Metadata(std::string file_name, std::map<std::string, Value, std::less<>> values)
    : file_name_(std::move(file_name)), values_(std::move(values))
{
}

bool Metadata::has(std::string_view key) const
{
    return values_.contains(key);
}

template <class T>
Result<T> Metadata::get(std::string_view key) const
{
    const auto found = values_.find(key);
    if (found == values_.end()) {
        return failure("{}: the key {} is missing.", file_name_, printable(key));
    }
    if (auto converted = convert_value<T>(found->second)) {
        return *std::move(converted);
    }
    return wrong_type<T>(file_name_, key, found->second);
}

template <class T>
Result<T> Metadata::get_or(std::string_view key, T fallback) const
{
    if (!has(key)) {
        return fallback;
    }
    return get<T>(key);
}

#define CONSTELA_GGUF_GETTERS(T)                                                                                       \
    template Result<T> Metadata::get<T>(std::string_view) const;                                                       \
    template Result<T> Metadata::get_or<T>(std::string_view, T) const
CONSTELA_GGUF_GETTERS(std::uint32_t);
CONSTELA_GGUF_GETTERS(std::uint64_t);
CONSTELA_GGUF_GETTERS(std::int32_t);
CONSTELA_GGUF_GETTERS(float);
CONSTELA_GGUF_GETTERS(bool);
CONSTELA_GGUF_GETTERS(std::string);
CONSTELA_GGUF_GETTERS(std::vector<std::int32_t>);
CONSTELA_GGUF_GETTERS(std::vector<std::uint32_t>);
CONSTELA_GGUF_GETTERS(std::vector<float>);
CONSTELA_GGUF_GETTERS(std::vector<bool>);
CONSTELA_GGUF_GETTERS(std::vector<std::string>);
#undef CONSTELA_GGUF_GETTERS

} // namespace constela::gguf
