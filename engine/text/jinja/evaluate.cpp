// SPDX-License-Identifier: GPL-3.0-or-later
//
// What expressions give.
#include "engine/text/jinja/ast.h"
#include "engine/text/jinja/builtins.h"
#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/interpreter.h"

#include <algorithm>
#include <fmt/format.h>

namespace constela::text::jinja {

Value Expression::evaluate(Interpreter& interpreter) const
{
    const Budget::Level level(interpreter.budget());
    interpreter.budget().charge(1);
    return compute(interpreter);
}

Value Literal::compute(Interpreter& /*interpreter*/) const
{
    return value;
}

Value Name::compute(Interpreter& interpreter) const
{
    return interpreter.lookup(name);
}

Value ListDisplay::compute(Interpreter& interpreter) const
{
    std::vector<Value> values;
    for (const ExpressionPtr& item : items) {
        values.push_back(item->evaluate(interpreter));
    }
    return Value::list(std::move(values), tuple);
}

Value DictDisplay::compute(Interpreter& interpreter) const
{
    std::vector<std::pair<Value, Value>> pairs;
    for (const auto& [key, value] : items) {
        Value name = key->evaluate(interpreter);
        Value content = value->evaluate(interpreter);
        const auto old = std::find_if(pairs.begin(), pairs.end(),
                                      [&](const auto& pair) { return equal(interpreter.budget(), pair.first, name); });
        if (old != pairs.end()) {
            old->second = std::move(content);
        } else {
            pairs.emplace_back(std::move(name), std::move(content));
        }
    }
    return Value::dict(std::move(pairs));
}

Value Unary::compute(Interpreter& interpreter) const
{
    const Value value = operand->evaluate(interpreter);
    value.need_defined();
    if (!value.is_number()) {
        fail_render(
            fmt::format("bad operand type for unary {}: '{}'", op == Operator::negate ? '-' : '+', value.type_name()));
    }
    return op == Operator::negate ? arithmetic(interpreter, Operator::subtract, Value(std::int64_t{0}), value)
                                  : arithmetic(interpreter, Operator::add, Value(std::int64_t{0}), value);
}

Value Binary::compute(Interpreter& interpreter) const
{
    const Value a = left->evaluate(interpreter);
    const Value b = right->evaluate(interpreter);
    return arithmetic(interpreter, op, a, b);
}

Value Concatenation::compute(Interpreter& interpreter) const
{
    MarkedText all;
    for (const ExpressionPtr& part : parts) {
        all.append(to_text(interpreter.budget(), part->evaluate(interpreter)));
    }
    return all;
}

Value Comparison::compute(Interpreter& interpreter) const
{
    Budget& budget = interpreter.budget();
    Value left = first->evaluate(interpreter);
    for (const auto& [relation, expression] : rest) {
        Value right = expression->evaluate(interpreter);
        bool holds = false;
        switch (relation) {
        case Relation::equal: holds = equal(budget, left, right); break;
        case Relation::unequal: holds = !equal(budget, left, right); break;
        case Relation::less: holds = compare(budget, left, right) < 0; break;
        case Relation::less_equal: holds = compare(budget, left, right) <= 0; break;
        case Relation::greater: holds = compare(budget, left, right) > 0; break;
        case Relation::greater_equal: holds = compare(budget, left, right) >= 0; break;
        case Relation::in: holds = contains(interpreter, right, left); break;
        case Relation::not_in: holds = !contains(interpreter, right, left); break;
        }
        if (!holds) {
            return false;
        }
        left = std::move(right);
    }
    return true;
}

Value Logic::compute(Interpreter& interpreter) const
{
    Value value = left->evaluate(interpreter);
    return value.truthy() == is_and ? right->evaluate(interpreter) : value;
}

Value Not::compute(Interpreter& interpreter) const
{
    return !operand->evaluate(interpreter).truthy();
}

Value Conditional::compute(Interpreter& interpreter) const
{
    if (test->evaluate(interpreter).truthy()) {
        return then->evaluate(interpreter);
    }
    return otherwise != nullptr ? otherwise->evaluate(interpreter)
                                : Value::undefined("the inline if-expression has no else and gave nothing");
}

Value Attribute::compute(Interpreter& interpreter) const
{
    return attribute_of(interpreter, object->evaluate(interpreter), name);
}

Value Subscript::compute(Interpreter& interpreter) const
{
    const Value value = object->evaluate(interpreter);
    return item_of(interpreter, value, key->evaluate(interpreter));
}

namespace {

struct Range {
    std::int64_t start = 0;
    std::int64_t stop = 0;
    std::int64_t step = 1;
};

/// Python's slice.indices(length).
Range slice_range(Interpreter& interpreter, const ExpressionPtr& start, const ExpressionPtr& stop,
                  const ExpressionPtr& step, std::int64_t length)
{
    const auto integer = [&](const ExpressionPtr& part) -> std::optional<std::int64_t> {
        const Value value = part == nullptr ? Value(None{}) : part->evaluate(interpreter);
        if (value.is_none()) {
            return std::nullopt;
        }
        value.need_defined();
        if (!value.is_integral()) {
            fail_render("slice indices must be integers or None");
        }
        return std::clamp<std::int64_t>(value.integer(), -(std::int64_t{1} << 40), std::int64_t{1} << 40);
    };
    Range range;
    const auto first = integer(start);
    const auto last = integer(stop);
    range.step = integer(step).value_or(1);
    if (range.step == 0) {
        fail_render("slice step cannot be zero");
    }
    const bool backwards = range.step < 0;
    const auto bound = [&](std::int64_t index) {
        index += index < 0 ? length : 0;
        return std::clamp<std::int64_t>(index, backwards ? -1 : 0, backwards ? length - 1 : length);
    };
    range.start = first ? bound(*first) : (backwards ? length - 1 : 0);
    range.stop = last ? bound(*last) : (backwards ? -1 : length);
    return range;
}

template <class Take>
void each_of(const Range& range, const Take& take)
{
    for (std::int64_t i = range.start; range.step > 0 ? i < range.stop : i > range.stop; i += range.step) {
        take(static_cast<std::size_t>(i));
    }
}

} // namespace

Value Slice::compute(Interpreter& interpreter) const
{
    const Value value = object->evaluate(interpreter);
    value.need_defined();
    Budget& budget = interpreter.budget();
    const Range range = slice_range(interpreter, start, stop, step, length(budget, value));
    if (const MarkedText* text = value.as_text()) {
        budget.charge(text->text.size());
        std::vector<std::size_t> begins; // of each character, and the end
        for (std::size_t at = 0; at < text->text.size(); at += character_length(text->text, at)) {
            begins.push_back(at);
        }
        begins.push_back(text->text.size());
        MarkedText result;
        each_of(range, [&](std::size_t i) { result.append(slice(*text, begins[i], begins[i + 1] - begins[i])); });
        return result;
    }
    const List* list = value.as_list();
    if (list == nullptr) {
        fail_render(fmt::format("'{}' object is not subscriptable", value.type_name()));
    }
    budget.charge(list->items.size());
    std::vector<Value> items;
    each_of(range, [&](std::size_t i) { items.push_back(list->items[i]); });
    return Value::list(std::move(items), list->tuple);
}

Arguments CallArguments::evaluate(Interpreter& interpreter) const
{
    Arguments arguments;
    for (const ExpressionPtr& argument : positional) {
        arguments.positional.push_back(argument->evaluate(interpreter));
    }
    for (const auto& [name, argument] : named) {
        arguments.named.emplace_back(name, argument->evaluate(interpreter));
    }
    if (more_positional != nullptr) {
        for (Value& value : iterate(interpreter.budget(), more_positional->evaluate(interpreter))) {
            arguments.positional.push_back(std::move(value));
        }
    }
    if (more_named != nullptr) {
        const Value rest = more_named->evaluate(interpreter);
        if (rest.as_dict() == nullptr) {
            fail_render("what follows ** in a call must be a mapping");
        }
        for (const auto& [key, value] : rest.as_dict()->items) {
            arguments.named.emplace_back(to_text(interpreter.budget(), key).text, value);
        }
    }
    return arguments;
}

unsigned CallArguments::depth() const
{
    unsigned deepest = 0;
    const auto see = [&](const ExpressionPtr& argument) {
        deepest = argument == nullptr ? deepest : std::max(deepest, argument->depth);
    };
    std::for_each(positional.begin(), positional.end(), see);
    std::for_each(named.begin(), named.end(), [&](const auto& one) { see(one.second); });
    see(more_positional);
    see(more_named);
    return deepest;
}

Value Call::compute(Interpreter& interpreter) const
{
    if (const auto* attribute = dynamic_cast<const Attribute*>(callee.get())) {
        const Value object = attribute->object->evaluate(interpreter);
        object.need_defined();
        if (has_method(object, attribute->name)) {
            return call_method(interpreter, object, attribute->name, arguments.evaluate(interpreter));
        }
        return interpreter.call(attribute_of(interpreter, object, attribute->name), arguments.evaluate(interpreter));
    }
    const Value function = callee->evaluate(interpreter);
    return interpreter.call(function, arguments.evaluate(interpreter));
}

Value Filter::compute(Interpreter& interpreter) const
{
    const Value value = input != nullptr ? input->evaluate(interpreter) : interpreter.block_input;
    return apply_filter(interpreter, name, value, arguments.evaluate(interpreter));
}

Value Test::compute(Interpreter& interpreter) const
{
    const Value value = input->evaluate(interpreter);
    return apply_test(interpreter, name, value, arguments.evaluate(interpreter)) != negated;
}

} // namespace constela::text::jinja
