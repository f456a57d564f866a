// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/value.h"

#include "engine/text/jinja/characters.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace constela::text::jinja {

namespace {

/// Deeper values could not be destroyed or written without endless recursion.
constexpr unsigned kDeepest = 200;
/// What an item of a list costs: it takes more memory than a character.
constexpr std::size_t kItemCost = 8;

unsigned checked_depth(unsigned depth)
{
    if (depth > kDeepest) {
        fail("The chat template is nested deeper than {} levels; it was stopped.", kDeepest);
    }
    return depth;
}

[[noreturn]] void fail_order(const Value& a, const Value& b)
{
    fail_render(fmt::format("'<' not supported between instances of '{}' and '{}'", a.type_name(), b.type_name()));
}

} // namespace

const Value* Arguments::find(std::size_t index, std::string_view name) const
{
    if (index < positional.size()) {
        return &positional[index];
    }
    const auto found = std::find_if(named.begin(), named.end(), [&](const auto& one) { return one.first == name; });
    return found == named.end() ? nullptr : &found->second;
}

Value Object::call(Interpreter& /*interpreter*/, const Arguments& /*arguments*/)
{
    fail_render(fmt::format("'{}' object is not callable", type_name()));
}

Value Object::attribute(std::string_view name) const
{
    return Value::undefined(fmt::format("'{} object' has no attribute '{}'", type_name(), name));
}

void Object::set_attribute(const std::string& /*name*/, const Value& /*value*/)
{
    fail_render("cannot assign attribute on non-namespace object");
}

Value Value::undefined(std::string what)
{
    Value value;
    value.data_ = Undefined{std::make_shared<const std::string>(std::move(what))};
    return value;
}

Value Value::list(std::vector<Value> items, bool tuple)
{
    List list{std::move(items), tuple, 1};
    for (const Value& item : list.items) {
        list.depth = std::max(list.depth, checked_depth(item.depth() + 1));
    }
    Value value;
    value.data_ = std::make_shared<const List>(std::move(list));
    return value;
}

Value Value::dict(std::vector<std::pair<Value, Value>> items)
{
    Dict dict{std::move(items), 1};
    for (const auto& [key, item] : dict.items) {
        dict.depth = std::max(dict.depth, checked_depth(std::max(key.depth(), item.depth()) + 1));
    }
    Value value;
    value.data_ = std::make_shared<const Dict>(std::move(dict));
    return value;
}

unsigned Value::depth() const
{
    if (const List* list = as_list()) {
        return list->depth;
    }
    if (const Dict* dict = as_dict()) {
        return dict->depth;
    }
    return 0;
}

std::int64_t Value::integer() const
{
    const bool* truth = as_bool();
    return truth != nullptr ? static_cast<std::int64_t>(*truth) : *as_integer();
}

double Value::number() const
{
    const double* value = as_float();
    return value != nullptr ? *value : static_cast<double>(integer());
}

bool Value::truthy() const
{
    if (is_undefined() || is_none()) {
        return false;
    }
    if (is_number()) {
        return number() != 0;
    }
    if (const MarkedText* text = as_text()) {
        return !text->text.empty();
    }
    if (const List* list = as_list()) {
        return !list->items.empty();
    }
    if (const Dict* dict = as_dict()) {
        return !dict->items.empty();
    }
    return true;
}

std::string Value::type_name() const
{
    if (is_undefined()) {
        return "Undefined";
    }
    if (is_none()) {
        return "NoneType";
    }
    if (as_bool() != nullptr) {
        return "bool";
    }
    if (as_integer() != nullptr) {
        return "int";
    }
    if (as_float() != nullptr) {
        return "float";
    }
    if (as_text() != nullptr) {
        return "str";
    }
    if (const List* list = as_list()) {
        return list->tuple ? "tuple" : "list";
    }
    return as_dict() != nullptr ? "dict" : as_object()->type_name();
}

void Value::need_defined() const
{
    if (const auto* undefined = std::get_if<Undefined>(&data_)) {
        fail_render(undefined->what ? *undefined->what : "a value is undefined");
    }
}

bool equal(Budget& budget, const Value& a, const Value& b)
{
    budget.charge(1);
    if (a.is_number() && b.is_number()) {
        return a.is_integral() && b.is_integral() ? a.integer() == b.integer() : a.number() == b.number();
    }
    if (a.as_text() != nullptr && b.as_text() != nullptr) {
        budget.charge(std::min(a.as_text()->text.size(), b.as_text()->text.size()) / 8);
        return a.as_text()->text == b.as_text()->text;
    }
    if (const List* one = a.as_list(), *other = b.as_list(); one != nullptr && other != nullptr) {
        return one->tuple == other->tuple && one->items.size() == other->items.size() &&
               std::equal(one->items.begin(), one->items.end(), other->items.begin(),
                          [&](const Value& x, const Value& y) { return equal(budget, x, y); });
    }
    if (const Dict* one = a.as_dict(), *other = b.as_dict(); one != nullptr && other != nullptr) {
        return one->items.size() == other->items.size() &&
               std::all_of(one->items.begin(), one->items.end(), [&](const auto& item) {
                   const Value* found = find(budget, *other, item.first);
                   return found != nullptr && equal(budget, item.second, *found);
               });
    }
    return (a.is_none() && b.is_none()) || (a.is_undefined() && b.is_undefined()) ||
           (a.as_object() != nullptr && a.as_object() == b.as_object());
}

int compare(Budget& budget, const Value& a, const Value& b)
{
    budget.charge(1);
    a.need_defined();
    b.need_defined();
    const auto order = [](const auto& x, const auto& y) { return x < y ? -1 : (y < x ? 1 : 0); };
    if (a.is_integral() && b.is_integral()) {
        return order(a.integer(), b.integer());
    }
    if (a.is_number() && b.is_number()) {
        return order(a.number(), b.number());
    }
    if (a.as_text() != nullptr && b.as_text() != nullptr) {
        return order(a.as_text()->text, b.as_text()->text); // UTF-8 orders as code points do
    }
    const List* one = a.as_list();
    const List* other = b.as_list();
    if (one == nullptr || other == nullptr || one->tuple != other->tuple) {
        fail_order(a, b);
    }
    for (std::size_t i = 0; i < std::min(one->items.size(), other->items.size()); ++i) {
        if (!equal(budget, one->items[i], other->items[i])) {
            return compare(budget, one->items[i], other->items[i]);
        }
    }
    return order(one->items.size(), other->items.size());
}

const Value* find(Budget& budget, const Dict& dict, const Value& key)
{
    for (const auto& [name, value] : dict.items) {
        if (equal(budget, name, key)) {
            return &value;
        }
    }
    return nullptr;
}

const Value* find(Budget& budget, const Dict& dict, std::string_view key)
{
    budget.charge(dict.items.size());
    for (const auto& [name, value] : dict.items) {
        if (name.as_text() != nullptr && name.as_text()->text == key) {
            return &value;
        }
    }
    return nullptr;
}

std::vector<Value> iterate(Budget& budget, const Value& value)
{
    std::vector<Value> items;
    if (const List* list = value.as_list()) {
        budget.charge(list->items.size());
        return list->items;
    }
    if (const Dict* dict = value.as_dict()) {
        budget.charge(dict->items.size() * kItemCost);
        for (const auto& [key, item] : dict->items) {
            items.push_back(key);
        }
        return items;
    }
    if (const MarkedText* text = value.as_text()) {
        budget.charge(text->text.size() * kItemCost);
        for (std::size_t at = 0; at < text->text.size();) {
            const std::size_t length = character_length(text->text, at);
            items.emplace_back(slice(*text, at, length));
            at += length;
        }
        return items;
    }
    if (value.is_undefined()) {
        return items;
    }
    fail_render(fmt::format("'{}' object is not iterable", value.type_name()));
}

std::int64_t length(Budget& budget, const Value& value)
{
    if (const MarkedText* text = value.as_text()) {
        budget.charge(text->text.size() / 8);
        return static_cast<std::int64_t>(character_count(text->text));
    }
    if (const List* list = value.as_list()) {
        return static_cast<std::int64_t>(list->items.size());
    }
    if (const Dict* dict = value.as_dict()) {
        return static_cast<std::int64_t>(dict->items.size());
    }
    if (value.is_undefined()) {
        return 0;
    }
    fail_render(fmt::format("object of type '{}' has no len()", value.type_name()));
}

} // namespace constela::text::jinja
