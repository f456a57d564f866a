// SPDX-License-Identifier: GPL-3.0-or-later
//
// What templates may call: filters, tests, methods of Python's types, and functions. Semantics are those of Jinja 3.1
// and Python 3, under the sandbox that does not let a template change what it was given.
#pragma once

#include "engine/text/jinja/interpreter.h"
#include "engine/text/jinja/value.h"

#include <optional>
#include <string_view>

namespace constela::text::jinja {

/// input | name(arguments). An unknown filter is an error of the render.
[[nodiscard]] Value apply_filter(Interpreter& interpreter, std::string_view name, const Value& input,
                                 const Arguments& arguments);
/// input is name(arguments)
[[nodiscard]] bool apply_test(Interpreter& interpreter, std::string_view name, const Value& input,
                              const Arguments& arguments);

/// Whether a value of this kind has a method of this name.
[[nodiscard]] bool has_method(const Value& object, std::string_view name);
/// object.name(arguments); has_method() must hold.
[[nodiscard]] Value call_method(Interpreter& interpreter, const Value& object, std::string_view name,
                                const Arguments& arguments);

/// Assigns range, namespace, raise_exception, strftime_now and the others. `today`: what strftime_now gives; empty:
/// the clock's time, formatted.
void add_globals(Interpreter& interpreter, const std::string& today);

/// The attribute, as `object.name` finds it; undefined where there is none.
[[nodiscard]] Value attribute_of(Interpreter& interpreter, const Value& object, std::string_view name);
/// The item, as `object[key]` finds it; undefined where there is none.
[[nodiscard]] Value item_of(Interpreter& interpreter, const Value& object, const Value& key);
/// a op b
[[nodiscard]] Value arithmetic(Interpreter& interpreter, Operator op, const Value& a, const Value& b);
/// Whether `container` holds `item`.
[[nodiscard]] bool contains(Interpreter& interpreter, const Value& container, const Value& item);
[[nodiscard]] MarkedText concatenate(Budget& budget, const MarkedText& a, const MarkedText& b);

/// Python's JSON, as json.dumps writes it.
struct JsonStyle {
    bool ascii_only = false;
    bool sorted = false;
    std::optional<std::string> indent; ///< Of one level; none: all on one line.
    std::string item_separator = ", ";
    std::string key_separator = ": ";
};
[[nodiscard]] MarkedText to_json(Budget& budget, const Value& value, const JsonStyle& style);

/// "%s: %d" % values, and "{}: {name}".format(values).
[[nodiscard]] MarkedText percent_format(Budget& budget, const MarkedText& format, const Value& values);
[[nodiscard]] MarkedText brace_format(Budget& budget, const MarkedText& format, const Arguments& arguments);

// ---- arguments ----

/// The argument, or an error that names the function.
[[nodiscard]] const Value& required(const Arguments& arguments, std::size_t index, std::string_view name,
                                    std::string_view function);
[[nodiscard]] const MarkedText& text_argument(const Arguments& arguments, std::size_t index, std::string_view name,
                                              std::string_view function);
[[nodiscard]] std::int64_t integer_argument(const Arguments& arguments, std::size_t index, std::string_view name,
                                            std::int64_t fallback);
[[nodiscard]] bool truth_argument(const Arguments& arguments, std::size_t index, std::string_view name, bool fallback);

} // namespace constela::text::jinja
