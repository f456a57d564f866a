// SPDX-License-Identifier: GPL-3.0-or-later
//
// Filters on lists and dicts.
#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/filters.h"
#include "engine/text/jinja/text_tools.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace constela::text::jinja {

namespace {

std::vector<Value> items_of(Interpreter& interpreter, const Value& input)
{
    return iterate(interpreter.budget(), input);
}

/// What the `attribute` argument of a filter picks out of an item; the item itself where there is none.
class Picked {
public:
    Picked(Interpreter& interpreter, const Value* attribute, bool ignore_case)
        : interpreter_(interpreter), attribute_(attribute == nullptr || attribute->is_none() ? nullptr : attribute),
          ignore_case_(ignore_case)
    {
    }
    Value operator()(const Value& item) const
    {
        Value value = attribute_ == nullptr ? item : dotted_attribute(interpreter_, item, *attribute_);
        if (ignore_case_ && value.as_text() != nullptr) {
            value = lower(interpreter_.budget(), *value.as_text());
        }
        return value;
    }

private:
    Interpreter& interpreter_;
    const Value* attribute_;
    bool ignore_case_;
};

void sort_by(Interpreter& interpreter, std::vector<Value>& items, const Picked& key, bool reverse)
{
    std::vector<std::pair<Value, Value>> keyed;
    for (Value& item : items) {
        keyed.emplace_back(key(item), std::move(item));
    }
    std::stable_sort(keyed.begin(), keyed.end(), [&](const auto& a, const auto& b) {
        const int order = compare(interpreter.budget(), a.first, b.first);
        return reverse ? order > 0 : order < 0;
    });
    items.clear();
    for (auto& [value, item] : keyed) {
        items.push_back(std::move(item));
    }
}

Value first(Interpreter& interpreter, const Value& input, const Arguments& /*arguments*/)
{
    const std::vector<Value> items = items_of(interpreter, input);
    return items.empty() ? Value::undefined("No first item, sequence was empty.") : items.front();
}

Value last(Interpreter& interpreter, const Value& input, const Arguments& /*arguments*/)
{
    const std::vector<Value> items = items_of(interpreter, input);
    return items.empty() ? Value::undefined("No last item, sequence was empty.") : items.back();
}

Value count(Interpreter& interpreter, const Value& input, const Arguments& /*arguments*/)
{
    return length(interpreter.budget(), input);
}

Value as_list(Interpreter& interpreter, const Value& input, const Arguments& /*arguments*/)
{
    return Value::list(items_of(interpreter, input));
}

Value join(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const Value* separator = arguments.find(0, "d");
    std::vector<Value> items = items_of(interpreter, input);
    const Picked pick(interpreter, arguments.find(1, "attribute"), false);
    std::transform(items.begin(), items.end(), items.begin(), pick);
    return joined(interpreter.budget(), separator == nullptr ? MarkedText{} : to_text(interpreter.budget(), *separator),
                  items, false);
}

Value reverse(Interpreter& interpreter, const Value& input, const Arguments& /*arguments*/)
{
    std::vector<Value> items = items_of(interpreter, input);
    std::reverse(items.begin(), items.end());
    return input.as_text() != nullptr ? Value(joined(interpreter.budget(), {}, items, false))
                                      : Value::list(std::move(items));
}

Value sort(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    std::vector<Value> items = items_of(interpreter, input);
    const Picked key(interpreter, arguments.find(2, "attribute"),
                     !truth_argument(arguments, 1, "case_sensitive", false));
    sort_by(interpreter, items, key, truth_argument(arguments, 0, "reverse", false));
    return Value::list(std::move(items));
}

Value dict_sort(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    if (input.as_dict() == nullptr) {
        input.need_defined();
        fail_render("dictsort needs a mapping");
    }
    const Value* by = arguments.find(1, "by");
    const bool by_value = by != nullptr && by->as_text() != nullptr && by->as_text()->text == "value";
    const Value position(static_cast<std::int64_t>(by_value ? 1 : 0));
    std::vector<Value> pairs;
    for (const auto& [key, value] : input.as_dict()->items) {
        pairs.push_back(Value::list({key, value}, true));
    }
    const Picked key(interpreter, &position, !truth_argument(arguments, 0, "case_sensitive", false));
    sort_by(interpreter, pairs, key, truth_argument(arguments, 2, "reverse", false));
    return Value::list(std::move(pairs));
}

Value unique(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const Picked key(interpreter, arguments.find(1, "attribute"),
                     !truth_argument(arguments, 0, "case_sensitive", false));
    std::vector<Value> seen;
    std::vector<Value> result;
    for (Value& item : items_of(interpreter, input)) {
        Value picked = key(item);
        const bool known = std::any_of(seen.begin(), seen.end(),
                                       [&](const Value& one) { return equal(interpreter.budget(), one, picked); });
        if (!known) {
            seen.push_back(std::move(picked));
            result.push_back(std::move(item));
        }
    }
    return Value::list(std::move(result));
}

template <bool greatest>
Value extreme(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const Picked key(interpreter, arguments.find(1, "attribute"),
                     !truth_argument(arguments, 0, "case_sensitive", false));
    Value best = Value::undefined("No aggregated item, sequence was empty.");
    bool any = false;
    for (Value& item : items_of(interpreter, input)) {
        const int order = any ? compare(interpreter.budget(), key(item), key(best)) : 0;
        if (!any || (greatest ? order > 0 : order < 0)) {
            best = std::move(item);
        }
        any = true;
    }
    return best;
}

Value sum(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const Picked pick(interpreter, arguments.find(0, "attribute"), false);
    const Value* start = arguments.find(1, "start");
    Value total = start == nullptr ? Value(std::int64_t{0}) : *start;
    for (const Value& item : items_of(interpreter, input)) {
        total = arithmetic(interpreter, Operator::add, total, pick(item));
    }
    return total;
}

/// map(attribute=...) and map('filter', ...).
Value map(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    std::vector<Value> items = items_of(interpreter, input);
    if (const Value* attribute = arguments.positional.empty() ? arguments.find(0, "attribute") : nullptr) {
        const Value* fallback = arguments.find(1, "default");
        for (Value& item : items) {
            item = dotted_attribute(interpreter, item, *attribute);
            if (item.is_undefined() && fallback != nullptr) {
                item = *fallback;
            }
        }
        return Value::list(std::move(items));
    }
    const std::string& filter = text_argument(arguments, 0, "filter", "map").text;
    Arguments rest = arguments;
    rest.positional.erase(rest.positional.begin());
    for (Value& item : items) {
        item = apply_filter(interpreter, filter, item, rest);
    }
    return Value::list(std::move(items));
}

/// select, reject, selectattr and rejectattr: those that pass a test, by themselves or by an attribute.
template <bool by_attribute, bool wanted>
Value chosen(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const std::size_t skipped = by_attribute ? 1 : 0;
    Arguments rest;
    rest.named = arguments.named;
    for (std::size_t i = skipped + 1; i < arguments.positional.size(); ++i) {
        rest.positional.push_back(arguments.positional[i]);
    }
    const bool has_test = arguments.positional.size() > skipped;
    std::vector<Value> result;
    for (Value& item : items_of(interpreter, input)) {
        const Value value = by_attribute
                                ? dotted_attribute(interpreter, item, required(arguments, 0, "attribute", "selectattr"))
                                : item;
        const bool passes =
            has_test ? apply_test(interpreter, text_argument(arguments, skipped, "test", "select").text, value, rest)
                     : value.truthy();
        if (passes == wanted) {
            result.push_back(std::move(item));
        }
    }
    return Value::list(std::move(result));
}

Value group_by(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const Value& attribute = required(arguments, 0, "attribute", "groupby");
    std::vector<Value> items = items_of(interpreter, input);
    const Picked key(interpreter, &attribute, !truth_argument(arguments, 2, "case_sensitive", false));
    sort_by(interpreter, items, key, false);
    std::vector<Value> groups;
    for (std::size_t begin = 0; begin < items.size();) {
        std::size_t end = begin + 1;
        while (end < items.size() && equal(interpreter.budget(), key(items[begin]), key(items[end]))) {
            ++end;
        }
        std::vector<Value> group(items.begin() + static_cast<std::ptrdiff_t>(begin),
                                 items.begin() + static_cast<std::ptrdiff_t>(end));
        const Value name = dotted_attribute(interpreter, items[begin], attribute);
        groups.push_back(Value::list({name, Value::list(std::move(group))}, true));
        begin = end;
    }
    return Value::list(std::move(groups));
}

/// Lists of `size` items each, the last one filled up where a filling is given.
Value batch(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const auto size =
        static_cast<std::size_t>(std::max<std::int64_t>(integer_argument(arguments, 0, "linecount", 1), 1));
    const Value* fill = arguments.find(1, "fill_with");
    std::vector<Value> batches;
    std::vector<Value> now;
    for (Value& item : items_of(interpreter, input)) {
        now.push_back(std::move(item));
        if (now.size() == size) {
            batches.push_back(Value::list(std::exchange(now, {})));
        }
    }
    if (!now.empty()) {
        if (fill != nullptr && !fill->is_none()) {
            interpreter.budget().charge(size);
            now.resize(size, *fill);
        }
        batches.push_back(Value::list(std::move(now)));
    }
    return Value::list(std::move(batches));
}

/// `slices` lists of about the same size.
Value slices(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const auto number =
        static_cast<std::size_t>(std::max<std::int64_t>(integer_argument(arguments, 0, "slices", 1), 1));
    interpreter.budget().charge(number * 8);
    const Value* fill = arguments.find(1, "fill_with");
    const std::vector<Value> items = items_of(interpreter, input);
    const std::size_t longer = items.size() % number;
    std::vector<Value> result;
    std::size_t at = 0;
    for (std::size_t i = 0; i < number; ++i) {
        const std::size_t size = items.size() / number + (i < longer ? 1 : 0);
        std::vector<Value> part(items.begin() + static_cast<std::ptrdiff_t>(at),
                                items.begin() + static_cast<std::ptrdiff_t>(at + size));
        if (fill != nullptr && !fill->is_none() && longer > 0 && i >= longer) {
            part.push_back(*fill);
        }
        result.push_back(Value::list(std::move(part)));
        at += size;
    }
    return Value::list(std::move(result));
}

Value items(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    if (input.is_undefined()) {
        return Value::list({});
    }
    if (input.as_dict() == nullptr) {
        fail_render("Can only get item pairs from a mapping.");
    }
    return call_method(interpreter, input, "items", arguments);
}

constexpr std::array kFilters{
    NamedFilter{"first", first},
    NamedFilter{"last", last},
    NamedFilter{"length", count},
    NamedFilter{"count", count},
    NamedFilter{"list", as_list},
    NamedFilter{"join", join},
    NamedFilter{"reverse", reverse},
    NamedFilter{"sort", sort},
    NamedFilter{"dictsort", dict_sort},
    NamedFilter{"unique", unique},
    NamedFilter{"min", extreme<false>},
    NamedFilter{"max", extreme<true>},
    NamedFilter{"sum", sum},
    NamedFilter{"map", map},
    NamedFilter{"select", chosen<false, true>},
    NamedFilter{"reject", chosen<false, false>},
    NamedFilter{"selectattr", chosen<true, true>},
    NamedFilter{"rejectattr", chosen<true, false>},
    NamedFilter{"groupby", group_by},
    NamedFilter{"batch", batch},
    NamedFilter{"slice", slices},
    NamedFilter{"items", items},
};

} // namespace

std::span<const NamedFilter> sequence_filters()
{
    return kFilters;
}

} // namespace constela::text::jinja
