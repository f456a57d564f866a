// SPDX-License-Identifier: GPL-3.0-or-later
//
// Expected failures travel as values: Result<T> is a T or an Error. Exceptions are kept for what
// nobody can be expected to handle (out of memory, a broken invariant).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace constela {

/// A failure that a person reads: what happened, to what, what to do.
/// The sentence is kept as an English pattern with "{}" places and its arguments, so that the window
/// can look the pattern up in a translation and fill in the same arguments.
struct Error {
    std::string pattern;           ///< English sentence(s) with "{}" for each argument, in order.
    std::vector<std::string> args; ///< What fills the places, already formatted with units.
    std::string details;           ///< Technical text to copy; may be empty.

    /// The English sentence.
    [[nodiscard]] std::string text() const { return fill(pattern); }

    /// Fills the arguments into `translated`, a translation of `pattern` ("{}" or "{0}", "{1}" ...).
    [[nodiscard]] std::string fill(std::string_view translated) const;
};

template <class T = void>
using Result = tl::expected<T, Error>;

/// An argument of a sentence as a person reads it; numbers as short as they can be without loss.
/// (Not a template over a formatting library, which every source would then compile.)
template <class T>
[[nodiscard]] std::string argument_text(const T& value)
{
    if constexpr (std::is_convertible_v<const T&, std::string_view>) {
        return std::string(std::string_view(value));
    } else if constexpr (std::is_same_v<T, char>) {
        return std::string(1, value);
    } else if constexpr (std::is_same_v<T, bool>) {
        return value ? "true" : "false";
    } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
        return argument_text<std::int64_t>(value);
    } else if constexpr (std::is_integral_v<T>) {
        return argument_text<std::uint64_t>(value);
    } else {
        static_assert(std::is_floating_point_v<T>, "an argument is a text or a number");
        return argument_text<double>(value);
    }
}
template <>
std::string argument_text(const std::int64_t& value);
template <>
std::string argument_text(const std::uint64_t& value);
template <>
std::string argument_text(const float& value);
template <>
std::string argument_text(const double& value);

/// Makes the failed side of a Result. `pattern` must be a string literal: it is the key of translations.
template <class... Args>
[[nodiscard]] tl::unexpected<Error> failure(std::string_view pattern, const Args&... args)
{
    return tl::unexpected<Error>(Error{std::string(pattern), {argument_text(args)...}, {}});
}

} // namespace constela

/// Returns from the enclosing function with the error when `expression`, a Result, has failed.
#define CONSTELA_TRY(expression)                                                                                       \
    do {                                                                                                               \
        if (auto constela_try_result = (expression); !constela_try_result) {                                           \
            return ::tl::unexpected<::constela::Error>(std::move(constela_try_result).error());                        \
        }                                                                                                              \
    } while (false)

// NOLINTBEGIN(bugprone-macro-parentheses): these arguments are names and declarations, not expressions
#define CONSTELA_CONCAT_(a, b) a##b
#define CONSTELA_CONCAT(a, b) CONSTELA_CONCAT_(a, b)

/// CONSTELA_ASSIGN(auto value, expression): binds the value of a Result, or returns its error.
#define CONSTELA_ASSIGN(declaration, expression)                                                                       \
    CONSTELA_ASSIGN_(CONSTELA_CONCAT(result_, __LINE__), declaration, expression)
#define CONSTELA_ASSIGN_(name, declaration, expression)                                                                \
    auto name = (expression);                                                                                          \
    if (!name) {                                                                                                       \
        return ::tl::unexpected<::constela::Error>(std::move(name).error());                                           \
    }                                                                                                                  \
    declaration = *std::move(name)
// NOLINTEND(bugprone-macro-parentheses)
