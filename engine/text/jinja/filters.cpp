// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/filters.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace constela::text::jinja {

Value apply_filter(Interpreter& interpreter, std::string_view name, const Value& input, const Arguments& arguments)
{
    for (const std::span<const NamedFilter> filters : {text_filters(), value_filters(), sequence_filters()}) {
        const auto found =
            std::find_if(filters.begin(), filters.end(), [&](const NamedFilter& one) { return one.name == name; });
        if (found != filters.end()) {
            return found->apply(interpreter, input, arguments);
        }
    }
    fail_render(fmt::format("No filter named '{}'.", name));
}

Value dotted_attribute(Interpreter& interpreter, const Value& object, const Value& path)
{
    if (path.as_text() == nullptr) {
        return item_of(interpreter, object, path);
    }
    Value value = object;
    std::string_view rest = path.as_text()->text;
    while (true) {
        const std::size_t dot = rest.find('.');
        const std::string_view part = rest.substr(0, dot);
        std::int64_t index = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
        const bool is_index = error == std::errc() && end == part.data() + part.size();
        value = item_of(interpreter, value, is_index ? Value(index) : Value::text(part));
        if (dot == std::string_view::npos) {
            return value;
        }
        rest.remove_prefix(dot + 1);
    }
}

} // namespace constela::text::jinja
