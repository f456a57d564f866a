// SPDX-License-Identifier: GPL-3.0-or-later
//
// Filters on single values: defaults, numbers, JSON.
#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/filters.h"

#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace constela::text::jinja {

namespace {

Value or_default(Interpreter& /*interpreter*/, const Value& input, const Arguments& arguments)
{
    const bool by_truth = truth_argument(arguments, 1, "boolean", false);
    if (!input.is_undefined() && (!by_truth || input.truthy())) {
        return input;
    }
    const Value* fallback = arguments.find(0, "default_value");
    return fallback == nullptr ? Value::text("") : *fallback;
}

/// A number in a text, as Python's int() and float() read it.
template <class Number>
std::optional<Number> parsed(std::string_view text)
{
    while (!text.empty() && is_blank(static_cast<unsigned char>(text.front()))) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_blank(static_cast<unsigned char>(text.back()))) {
        text.remove_suffix(1);
    }
    if (!text.empty() && text.front() == '+') {
        text.remove_prefix(1);
    }
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> truncated(double value)
{
    constexpr double kLimit = 9.2e18;
    return std::abs(value) < kLimit ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
}

Value to_int(Interpreter& /*interpreter*/, const Value& input, const Arguments& arguments)
{
    std::optional<std::int64_t> result;
    if (input.is_integral()) {
        result = input.integer();
    } else if (input.is_number()) {
        result = truncated(input.number());
    } else if (const MarkedText* text = input.as_text()) {
        result = parsed<std::int64_t>(text->text);
        if (const auto real = result ? std::nullopt : parsed<double>(text->text)) {
            result = truncated(*real);
        }
    }
    const Value* fallback = arguments.find(0, "default");
    return result ? Value(*result) : (fallback == nullptr ? Value(std::int64_t{0}) : *fallback);
}

Value to_float(Interpreter& /*interpreter*/, const Value& input, const Arguments& arguments)
{
    if (input.is_number()) {
        return input.number();
    }
    const auto number = input.as_text() == nullptr ? std::nullopt : parsed<double>(input.as_text()->text);
    const Value* fallback = arguments.find(0, "default");
    return number ? Value(*number) : (fallback == nullptr ? Value(0.0) : *fallback);
}

const Value& number(const Value& input, std::string_view filter)
{
    input.need_defined();
    if (!input.is_number()) {
        fail_render(fmt::format("bad operand type for {}(): '{}'", filter, input.type_name()));
    }
    return input;
}

Value absolute(Interpreter& interpreter, const Value& input, const Arguments& /*arguments*/)
{
    if (!number(input, "abs").is_integral()) {
        return std::abs(input.number());
    }
    return input.integer() < 0 ? arithmetic(interpreter, Operator::subtract, Value(std::int64_t{0}), input)
                               : Value(input.integer());
}

/// To even where it lies in the middle, as Python's round(); "ceil" and "floor" as Jinja has them.
Value round_number(Interpreter& /*interpreter*/, const Value& input, const Arguments& arguments)
{
    const double value = number(input, "round").number();
    const double scale = std::pow(
        10.0, static_cast<double>(std::clamp<std::int64_t>(integer_argument(arguments, 0, "precision", 0), -15, 15)));
    const Value* method = arguments.find(1, "method");
    std::string_view how = "common";
    if (method != nullptr && method->as_text() != nullptr) {
        how = method->as_text()->text;
    }
    if (how == "ceil") {
        return std::ceil(value * scale) / scale;
    }
    if (how == "floor") {
        return std::floor(value * scale) / scale;
    }
    return std::nearbyint(value * scale) / scale;
}

Value json(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    JsonStyle style;
    style.ascii_only = truth_argument(arguments, 0, "ensure_ascii", false);
    style.sorted = truth_argument(arguments, 3, "sort_keys", false);
    if (const Value* indent = arguments.find(1, "indent"); indent != nullptr && !indent->is_none()) {
        if (const MarkedText* text = indent->as_text()) {
            style.indent = text->text;
        } else {
            const std::int64_t width = integer_argument(arguments, 1, "indent", 0);
            style.indent = std::string(static_cast<std::size_t>(std::clamp<std::int64_t>(width, 0, 100)), ' ');
        }
        style.item_separator = ",";
    }
    if (const Value* separators = arguments.find(2, "separators"); separators != nullptr && !separators->is_none()) {
        const std::vector<Value> both = iterate(interpreter.budget(), *separators);
        if (both.size() != 2 || both[0].as_text() == nullptr || both[1].as_text() == nullptr) {
            fail_render("tojson: separators must be two strings");
        }
        style.item_separator = both[0].as_text()->text;
        style.key_separator = both[1].as_text()->text;
    }
    return to_json(interpreter.budget(), input, style);
}

Value attribute(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    return attribute_of(interpreter, input, text_argument(arguments, 0, "name", "attr").text);
}

constexpr std::array kFilters{
    NamedFilter{"default", or_default}, NamedFilter{"d", or_default},   NamedFilter{"int", to_int},
    NamedFilter{"float", to_float},     NamedFilter{"abs", absolute},   NamedFilter{"round", round_number},
    NamedFilter{"tojson", json},        NamedFilter{"attr", attribute},
};

} // namespace

std::span<const NamedFilter> value_filters()
{
    return kFilters;
}

} // namespace constela::text::jinja
