// SPDX-License-Identifier: GPL-3.0-or-later
//
// Expected failures travel as values: Result<T> is a T or an Error. Exceptions are kept for what
// nobody can be expected to handle (out of memory, a broken invariant).
#pragma once

#include <fmt/args.h>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
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
    [[nodiscard]] std::string fill(std::string_view translated) const
    {
        fmt::dynamic_format_arg_store<fmt::format_context> store;
        for (const std::string& arg : args) {
            store.push_back(arg);
        }
        return fmt::vformat(translated, store);
    }
};

template <class T = void>
using Result = tl::expected<T, Error>;

/// Makes the failed side of a Result. `pattern` must be a string literal: it is the key of translations.
template <class... Args>
[[nodiscard]] tl::unexpected<Error> failure(std::string_view pattern, Args&&... args)
{
    return tl::unexpected<Error>(Error{std::string(pattern), {fmt::format("{}", std::forward<Args>(args))...}, {}});
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
