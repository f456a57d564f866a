// SPDX-License-Identifier: GPL-3.0-or-later
//
// Arithmetic, membership, attributes and items, as Python has them.
#include "engine/text/jinja/builtins.h"
#include "engine/text/jinja/characters.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace constela::text::jinja {

namespace {

constexpr std::string_view kOperators[] = {"+", "-", "*", "/", "//", "%", "**"};

[[noreturn]] void fail_operands(Operator op, const Value& a, const Value& b)
{
    fail_render(fmt::format("unsupported operand type(s) for {}: '{}' and '{}'",
                            kOperators[static_cast<std::size_t>(op)], a.type_name(), b.type_name()));
}

[[noreturn]] void fail_large()
{
    fail_render("an integer is too large");
}

std::int64_t integer_power(std::int64_t base, std::int64_t exponent)
{
    std::int64_t result = 1;
    for (; exponent > 0; --exponent) {
        if (__builtin_mul_overflow(result, base, &result)) {
            fail_large();
        }
        if (result == 0 || (result == 1 && base == 1)) {
            return result;
        }
        if (base == -1) {
            return exponent % 2 == 0 ? 1 : -1;
        }
    }
    return result;
}

Value integers(Operator op, std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    switch (op) {
    case Operator::add:
        if (__builtin_add_overflow(a, b, &result)) {
            fail_large();
        }
        return result;
    case Operator::subtract:
        if (__builtin_sub_overflow(a, b, &result)) {
            fail_large();
        }
        return result;
    case Operator::multiply:
        if (__builtin_mul_overflow(a, b, &result)) {
            fail_large();
        }
        return result;
    case Operator::power:
        return b < 0 ? Value(std::pow(static_cast<double>(a), static_cast<double>(b))) : Value(integer_power(a, b));
    default: break;
    }
    if (b == 0) {
        fail_render("division by zero");
    }
    if (op == Operator::divide) {
        return static_cast<double>(a) / static_cast<double>(b);
    }
    if (b == -1) {
        return op == Operator::modulo ? Value(std::int64_t{0}) : integers(Operator::subtract, 0, a);
    }
    // Python rounds towards minus infinity, and a remainder has the sign of the divisor.
    std::int64_t quotient = a / b;
    std::int64_t remainder = a % b;
    if (remainder != 0 && (remainder < 0) != (b < 0)) {
        --quotient;
        remainder += b;
    }
    return op == Operator::modulo ? remainder : quotient;
}

Value floats(Operator op, double a, double b)
{
    switch (op) {
    case Operator::add: return a + b;
    case Operator::subtract: return a - b;
    case Operator::multiply: return a * b;
    case Operator::power: return std::pow(a, b);
    default: break;
    }
    if (b == 0) {
        fail_render("division by zero");
    }
    if (op == Operator::divide) {
        return a / b;
    }
    const double quotient = std::floor(a / b);
    return op == Operator::modulo ? a - quotient * b : quotient;
}

Value repeated(Budget& budget, const Value& value, std::int64_t times)
{
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(times, 0));
    const auto pay = [&](std::size_t size) {
        if (count > 0 && size > 100'000'000 / count) {
            fail_render("a value that is repeated becomes too large");
        }
        budget.charge(size * count);
    };
    if (const MarkedText* text = value.as_text()) {
        pay(text->text.size());
        MarkedText result;
        for (std::size_t i = 0; i < count; ++i) {
            result.append(*text);
        }
        return result;
    }
    const List& list = *value.as_list();
    pay(list.items.size() * 8);
    std::vector<Value> items;
    for (std::size_t i = 0; i < count; ++i) {
        items.insert(items.end(), list.items.begin(), list.items.end());
    }
    return Value::list(std::move(items), list.tuple);
}

bool repeatable(const Value& value)
{
    return value.as_text() != nullptr || value.as_list() != nullptr;
}

} // namespace

MarkedText concatenate(Budget& budget, const MarkedText& a, const MarkedText& b)
{
    budget.charge(a.text.size() + b.text.size());
    MarkedText result = a;
    result.append(b);
    return result;
}

Value arithmetic(Interpreter& interpreter, Operator op, const Value& a, const Value& b)
{
    Budget& budget = interpreter.budget();
    a.need_defined();
    b.need_defined();
    if (a.is_integral() && b.is_integral()) {
        return integers(op, a.integer(), b.integer());
    }
    if (a.is_number() && b.is_number()) {
        return floats(op, a.number(), b.number());
    }
    if (op == Operator::modulo && a.as_text() != nullptr) {
        return percent_format(budget, *a.as_text(), b);
    }
    if (op == Operator::multiply && repeatable(a) && b.is_integral()) {
        return repeated(budget, a, b.integer());
    }
    if (op == Operator::multiply && repeatable(b) && a.is_integral()) {
        return repeated(budget, b, a.integer());
    }
    if (op == Operator::add && a.as_text() != nullptr && b.as_text() != nullptr) {
        return concatenate(budget, *a.as_text(), *b.as_text());
    }
    if (op == Operator::add && a.as_text() != nullptr) {
        fail_render(fmt::format("can only concatenate str (not \"{}\") to str", b.type_name()));
    }
    if (op == Operator::add && a.as_list() != nullptr && b.as_list() != nullptr &&
        a.as_list()->tuple == b.as_list()->tuple) {
        budget.charge((a.as_list()->items.size() + b.as_list()->items.size()) * 8);
        std::vector<Value> items = a.as_list()->items;
        items.insert(items.end(), b.as_list()->items.begin(), b.as_list()->items.end());
        return Value::list(std::move(items), a.as_list()->tuple);
    }
    fail_operands(op, a, b);
}

bool contains(Interpreter& interpreter, const Value& container, const Value& item)
{
    Budget& budget = interpreter.budget();
    if (const MarkedText* text = container.as_text()) {
        if (item.as_text() == nullptr) {
            item.need_defined();
            fail_render(fmt::format("'in <string>' requires string as left operand, not {}", item.type_name()));
        }
        budget.charge(text->text.size());
        return text->text.find(item.as_text()->text) != std::string::npos;
    }
    if (const Dict* dict = container.as_dict()) {
        return find(budget, *dict, item) != nullptr;
    }
    if (const List* list = container.as_list()) {
        return std::any_of(list->items.begin(), list->items.end(),
                           [&](const Value& one) { return equal(budget, one, item); });
    }
    if (container.is_undefined()) {
        return false;
    }
    fail_render(fmt::format("argument of type '{}' is not iterable", container.type_name()));
}

namespace {

/// A method that is named but not called.
class BoundMethod final : public Object {
public:
    BoundMethod(Value object, std::string name) : object_(std::move(object)), name_(std::move(name)) {}
    std::string type_name() const override { return "builtin_function_or_method"; }
    bool callable() const override { return true; }
    Value call(Interpreter& interpreter, const Arguments& arguments) override
    {
        return call_method(interpreter, object_, name_, arguments);
    }

private:
    Value object_;
    std::string name_;
};

} // namespace

Value attribute_of(Interpreter& interpreter, const Value& object, std::string_view name)
{
    object.need_defined();
    if (has_method(object, name)) {
        return Value(static_cast<Object*>(interpreter.make<BoundMethod>(object, std::string(name))));
    }
    if (const Dict* dict = object.as_dict()) {
        if (const Value* value = find(interpreter.budget(), *dict, name)) {
            return *value;
        }
    }
    if (object.as_object() != nullptr) {
        return object.as_object()->attribute(name);
    }
    return Value::undefined(fmt::format("'{} object' has no attribute '{}'", object.type_name(), name));
}

Value item_of(Interpreter& interpreter, const Value& object, const Value& key)
{
    object.need_defined();
    Budget& budget = interpreter.budget();
    if (const Dict* dict = object.as_dict()) {
        if (const Value* value = find(budget, *dict, key)) {
            return *value;
        }
    }
    if (key.is_integral()) {
        std::int64_t index = key.integer();
        if (const List* list = object.as_list()) {
            index += index < 0 ? static_cast<std::int64_t>(list->items.size()) : 0;
            if (index >= 0 && index < static_cast<std::int64_t>(list->items.size())) {
                return list->items[static_cast<std::size_t>(index)];
            }
            return Value::undefined(fmt::format("{} object has no element {}", object.type_name(), key.integer()));
        }
        if (const MarkedText* text = object.as_text()) {
            budget.charge(text->text.size() / 4);
            index += index < 0 ? static_cast<std::int64_t>(character_count(text->text)) : 0;
            const std::size_t at = index < 0 ? text->text.size() : byte_of(text->text, static_cast<std::size_t>(index));
            if (at < text->text.size()) {
                return slice(*text, at, character_length(text->text, at));
            }
            return Value::undefined(fmt::format("str object has no element {}", key.integer()));
        }
    }
    if (const MarkedText* name = key.as_text()) {
        if (object.as_dict() == nullptr || has_method(object, name->text)) {
            return attribute_of(interpreter, object, name->text);
        }
        return Value::undefined(fmt::format("'dict object' has no attribute '{}'", name->text));
    }
    return Value::undefined(fmt::format("{} object has no element {}", object.type_name(), to_repr(budget, key).text));
}

const Value& required(const Arguments& arguments, std::size_t index, std::string_view name, std::string_view function)
{
    const Value* value = arguments.find(index, name);
    if (value == nullptr) {
        fail_render(fmt::format("{}() missing the argument '{}'", function, name));
    }
    return *value;
}

const MarkedText& text_argument(const Arguments& arguments, std::size_t index, std::string_view name,
                                std::string_view function)
{
    const Value& value = required(arguments, index, name, function);
    if (value.as_text() == nullptr) {
        value.need_defined();
        fail_render(fmt::format("{}() argument must be str, not {}", function, value.type_name()));
    }
    return *value.as_text();
}

std::int64_t integer_argument(const Arguments& arguments, std::size_t index, std::string_view name,
                              std::int64_t fallback)
{
    const Value* value = arguments.find(index, name);
    if (value == nullptr || value->is_none()) {
        return fallback;
    }
    if (!value->is_integral()) {
        fail_render(fmt::format("'{}' object cannot be interpreted as an integer", value->type_name()));
    }
    return value->integer();
}

bool truth_argument(const Arguments& arguments, std::size_t index, std::string_view name, bool fallback)
{
    const Value* value = arguments.find(index, name);
    return value == nullptr ? fallback : value->truthy();
}

} // namespace constela::text::jinja
