// SPDX-License-Identifier: GPL-3.0-or-later
//
// The filters by subject; apply_filter() in builtins.h finds them.
#pragma once

#include "engine/text/jinja/builtins.h"

#include <span>

namespace constela::text::jinja {

struct NamedFilter {
    std::string_view name;
    Value (*apply)(Interpreter& interpreter, const Value& input, const Arguments& arguments);
};

[[nodiscard]] std::span<const NamedFilter> text_filters();
[[nodiscard]] std::span<const NamedFilter> value_filters();
[[nodiscard]] std::span<const NamedFilter> sequence_filters();

/// "a.b.0" as the attribute argument of filters reads it.
[[nodiscard]] Value dotted_attribute(Interpreter& interpreter, const Value& object, const Value& path);

} // namespace constela::text::jinja
