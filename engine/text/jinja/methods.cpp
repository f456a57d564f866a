// SPDX-License-Identifier: GPL-3.0-or-later
//
// The methods of str, list and dict. Those that would change a list or dict are refused, as in Jinja's
// ImmutableSandboxedEnvironment.
#include "engine/text/jinja/builtins.h"
#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/objects.h"
#include "engine/text/jinja/text_tools.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace constela::text::jinja {

namespace {

using TextMethod = Value (*)(Budget& budget, const MarkedText& self, const Arguments& arguments);

template <class Method>
struct Named {
    std::string_view name;
    Method method;
};

std::optional<std::string> optional_text(const Arguments& arguments, std::size_t index, std::string_view name,
                                         std::string_view function)
{
    const Value* value = arguments.find(index, name);
    if (value == nullptr || value->is_none()) {
        return std::nullopt;
    }
    return text_argument(arguments, index, name, function).text;
}

template <Side side>
Value strip(Budget& budget, const MarkedText& self, const Arguments& arguments)
{
    return stripped(budget, self, side, optional_text(arguments, 0, "chars", "strip"));
}

/// startswith and endswith: a text or a tuple of texts.
template <bool at_end>
Value has_affix(Budget& budget, const MarkedText& self, const Arguments& arguments)
{
    const auto fits = [&](const std::string& affix) {
        budget.charge(affix.size());
        return affix.size() <= self.text.size() &&
               self.text.compare(at_end ? self.text.size() - affix.size() : 0, affix.size(), affix) == 0;
    };
    const Value& wanted = required(arguments, 0, "prefix", at_end ? "endswith" : "startswith");
    if (const List* several = wanted.as_list()) {
        return std::any_of(several->items.begin(), several->items.end(),
                           [&](const Value& one) { return one.as_text() != nullptr && fits(one.as_text()->text); });
    }
    return fits(text_argument(arguments, 0, "prefix", at_end ? "endswith" : "startswith").text);
}

template <bool at_end>
Value without_affix(Budget& budget, const MarkedText& self, const Arguments& arguments)
{
    const std::string& affix = text_argument(arguments, 0, "prefix", at_end ? "removesuffix" : "removeprefix").text;
    if (!*has_affix<at_end>(budget, self, arguments).as_bool()) {
        return self;
    }
    return slice(self, at_end ? 0 : affix.size(), self.text.size() - affix.size());
}

/// The place in characters, -1 where it is not found.
template <bool from_end>
Value find_text(Budget& budget, const MarkedText& self, const Arguments& arguments)
{
    const std::string& wanted = text_argument(arguments, 0, "sub", "find").text;
    budget.charge(self.text.size());
    const std::size_t at = from_end ? self.text.rfind(wanted) : self.text.find(wanted);
    return at == std::string::npos
               ? std::int64_t{-1}
               : static_cast<std::int64_t>(character_count(std::string_view(self.text).substr(0, at)));
}

Value index_of(Budget& budget, const MarkedText& self, const Arguments& arguments)
{
    const Value found = find_text<false>(budget, self, arguments);
    if (found.integer() < 0) {
        fail_render("substring not found");
    }
    return found;
}

Value count_of(Budget& budget, const MarkedText& self, const Arguments& arguments)
{
    const std::string& wanted = text_argument(arguments, 0, "sub", "count").text;
    budget.charge(self.text.size());
    if (wanted.empty()) {
        return static_cast<std::int64_t>(character_count(self.text)) + 1;
    }
    std::int64_t count = 0;
    for (std::size_t at = self.text.find(wanted); at != std::string::npos;
         at = self.text.find(wanted, at + wanted.size())) {
        ++count;
    }
    return count;
}

/// Whether there are characters and each is of a kind.
template <class Kind>
bool all_are(Budget& budget, const MarkedText& self, const Kind& kind)
{
    budget.charge(self.text.size());
    for (std::size_t at = 0; at < self.text.size(); at += character_length(self.text, at)) {
        if (!kind(code_point(self.text, at))) {
            return false;
        }
    }
    return !self.text.empty();
}

template <Side side>
Value pad(Budget& budget, const MarkedText& self, const Arguments& arguments)
{
    const Value* fill = arguments.find(1, "fillchar");
    const MarkedText blank = MarkedText::by_template(" ");
    return padded(budget, self, integer_argument(arguments, 0, "width", 0),
                  fill != nullptr && fill->as_text() != nullptr ? *fill->as_text() : blank, side);
}

Value zero_filled(Budget& budget, const MarkedText& self, const Arguments& arguments)
{
    const bool sign = !self.text.empty() && (self.text[0] == '-' || self.text[0] == '+');
    const MarkedText digits = slice(self, sign ? 1 : 0, self.text.size() - (sign ? 1 : 0));
    const std::int64_t width = integer_argument(arguments, 0, "width", 0) - (sign ? 1 : 0);
    MarkedText result = slice(self, 0, sign ? 1 : 0);
    result.append(padded(budget, digits, width, MarkedText::by_template("0"), Side::right));
    return result;
}

/// (before, separator, after)
template <bool from_end>
Value partition(Budget& budget, const MarkedText& self, const Arguments& arguments)
{
    const MarkedText& separator = text_argument(arguments, 0, "sep", "partition");
    budget.charge(self.text.size());
    if (separator.text.empty()) {
        fail_render("empty separator");
    }
    const std::size_t at = from_end ? self.text.rfind(separator.text) : self.text.find(separator.text);
    if (at == std::string::npos) {
        return from_end ? Value::list({Value::text(""), Value::text(""), self}, true)
                        : Value::list({self, Value::text(""), Value::text("")}, true);
    }
    const std::size_t after = at + separator.text.size();
    return Value::list(
        {slice(self, 0, at), slice(self, at, separator.text.size()), slice(self, after, self.text.size() - after)},
        true);
}

constexpr std::array<Named<TextMethod>, 37> kTextMethods{{
    {"strip", strip<Side::both>},
    {"lstrip", strip<Side::left>},
    {"rstrip", strip<Side::right>},
    {"startswith", has_affix<false>},
    {"endswith", has_affix<true>},
    {"removeprefix", without_affix<false>},
    {"removesuffix", without_affix<true>},
    {"find", find_text<false>},
    {"rfind", find_text<true>},
    {"index", index_of},
    {"count", count_of},
    {"ljust", pad<Side::left>},
    {"rjust", pad<Side::right>},
    {"center", pad<Side::both>},
    {"zfill", zero_filled},
    {"partition", partition<false>},
    {"rpartition", partition<true>},
    {"upper", [](Budget& b, const MarkedText& s, const Arguments&) { return Value(upper(b, s)); }},
    {"lower", [](Budget& b, const MarkedText& s, const Arguments&) { return Value(lower(b, s)); }},
    {"casefold", [](Budget& b, const MarkedText& s, const Arguments&) { return Value(lower(b, s)); }},
    {"title", [](Budget& b, const MarkedText& s, const Arguments&) { return Value(titled(b, s)); }},
    {"capitalize", [](Budget& b, const MarkedText& s, const Arguments&) { return Value(capitalized(b, s)); }},
    {"swapcase",
     [](Budget& b, const MarkedText& s, const Arguments&) {
         b.charge(s.text.size());
         return Value(
             each_character(s, [](char32_t c, bool) { return upper_case(c) != c ? upper_case(c) : lower_case(c); }));
     }},
    {"isdigit", [](Budget& b, const MarkedText& s, const Arguments&) { return Value(all_are(b, s, is_digit)); }},
    {"isnumeric", [](Budget& b, const MarkedText& s, const Arguments&) { return Value(all_are(b, s, is_digit)); }},
    {"isdecimal", [](Budget& b, const MarkedText& s, const Arguments&) { return Value(all_are(b, s, is_digit)); }},
    {"isalpha", [](Budget& b, const MarkedText& s, const Arguments&) { return Value(all_are(b, s, is_letter)); }},
    {"isalnum",
     [](Budget& b, const MarkedText& s, const Arguments&) {
         return Value(all_are(b, s, [](char32_t c) { return is_letter(c) || is_digit(c); }));
     }},
    {"isspace", [](Budget& b, const MarkedText& s, const Arguments&) { return Value(all_are(b, s, is_blank)); }},
    {"isupper", [](Budget& b, const MarkedText& s,
                   const Arguments&) { return Value(upper(b, s).text == s.text && lower(b, s).text != s.text); }},
    {"islower", [](Budget& b, const MarkedText& s,
                   const Arguments&) { return Value(lower(b, s).text == s.text && upper(b, s).text != s.text); }},
    {"split",
     [](Budget& b, const MarkedText& s, const Arguments& a) {
         return split(b, s, optional_text(a, 0, "sep", "split"), integer_argument(a, 1, "maxsplit", -1));
     }},
    {"rsplit",
     [](Budget& b, const MarkedText& s, const Arguments& a) {
         return split_from_right(b, s, optional_text(a, 0, "sep", "rsplit"), integer_argument(a, 1, "maxsplit", -1));
     }},
    {"splitlines", [](Budget& b, const MarkedText& s,
                      const Arguments& a) { return split_lines(b, s, truth_argument(a, 0, "keepends", false)); }},
    {"replace",
     [](Budget& b, const MarkedText& s, const Arguments& a) {
         return Value(replaced(b, s, text_argument(a, 0, "old", "replace"), text_argument(a, 1, "new", "replace"),
                               integer_argument(a, 2, "count", -1)));
     }},
    {"join",
     [](Budget& b, const MarkedText& s, const Arguments& a) {
         return Value(joined(b, s, iterate(b, required(a, 0, "iterable", "join")), true));
     }},
    {"format", [](Budget& b, const MarkedText& s, const Arguments& a) { return Value(brace_format(b, s, a)); }},
}};

using DictMethod = Value (*)(Budget& budget, const Dict& self, const Arguments& arguments);

constexpr std::array<Named<DictMethod>, 5> kDictMethods{{
    {"get",
     [](Budget& b, const Dict& self, const Arguments& a) {
         if (const Value* value = find(b, self, required(a, 0, "key", "get"))) {
             return *value;
         }
         const Value* fallback = a.find(1, "default");
         return fallback == nullptr ? Value(None{}) : *fallback;
     }},
    {"items",
     [](Budget& b, const Dict& self, const Arguments&) {
         b.charge(self.items.size() * 24);
         std::vector<Value> pairs;
         for (const auto& [key, value] : self.items) {
             pairs.push_back(Value::list({key, value}, true));
         }
         return Value::list(std::move(pairs));
     }},
    {"keys",
     [](Budget& b, const Dict& self, const Arguments&) {
         b.charge(self.items.size() * 8);
         std::vector<Value> keys;
         for (const auto& [key, value] : self.items) {
             keys.push_back(key);
         }
         return Value::list(std::move(keys));
     }},
    {"values",
     [](Budget& b, const Dict& self, const Arguments&) {
         b.charge(self.items.size() * 8);
         std::vector<Value> values;
         for (const auto& [key, value] : self.items) {
             values.push_back(value);
         }
         return Value::list(std::move(values));
     }},
    {"copy",
     [](Budget& b, const Dict& self, const Arguments&) {
         b.charge(self.items.size() * 16);
         return Value::dict(self.items);
     }},
}};

constexpr std::array<std::string_view, 8> kListChanges{"append", "clear", "pop",    "reverse",
                                                       "insert", "sort",  "extend", "remove"};
constexpr std::array<std::string_view, 5> kDictChanges{"clear", "pop", "popitem", "setdefault", "update"};
constexpr std::array<std::string_view, 2> kListMethods{"count", "index"};

template <class Table>
const auto* find_named(const Table& table, std::string_view name)
{
    const auto* found = std::find_if(table.begin(), table.end(), [&](const auto& one) { return one.name == name; });
    return found == table.end() ? nullptr : found;
}

template <class Names>
bool is_one_of(const Names& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

Value list_method(Budget& budget, const List& self, std::string_view name, const Arguments& arguments)
{
    const Value& wanted = required(arguments, 0, "value", name);
    std::int64_t count = 0;
    for (std::size_t i = 0; i < self.items.size(); ++i) {
        if (equal(budget, self.items[i], wanted)) {
            if (name == "index") {
                return static_cast<std::int64_t>(i);
            }
            ++count;
        }
    }
    if (name == "index") {
        fail_render("the value is not in the list");
    }
    return count;
}

} // namespace

bool has_method(const Value& object, std::string_view name)
{
    if (object.as_text() != nullptr) {
        return find_named(kTextMethods, name) != nullptr;
    }
    if (object.as_dict() != nullptr) {
        return find_named(kDictMethods, name) != nullptr || is_one_of(kDictChanges, name);
    }
    if (object.as_list() != nullptr) {
        return is_one_of(kListMethods, name) || is_one_of(kListChanges, name);
    }
    return dynamic_cast<const LoopObject*>(object.as_object()) != nullptr && (name == "cycle" || name == "changed");
}

Value call_method(Interpreter& interpreter, const Value& object, std::string_view name, const Arguments& arguments)
{
    Budget& budget = interpreter.budget();
    if (const MarkedText* text = object.as_text()) {
        return find_named(kTextMethods, name)->method(budget, *text, arguments);
    }
    if (auto* loop = dynamic_cast<LoopObject*>(object.as_object())) {
        if (name == "changed") {
            return loop->changed(budget, arguments);
        }
        if (arguments.positional.empty()) {
            fail_render("no items for cycling given");
        }
        const auto index = static_cast<std::size_t>(loop->attribute("index0").integer());
        return arguments.positional[index % arguments.positional.size()];
    }
    const bool is_list = object.as_list() != nullptr;
    if (is_list ? is_one_of(kListChanges, name) : is_one_of(kDictChanges, name)) {
        fail_render(fmt::format("access to attribute '{}' of '{}' object is unsafe.", name, object.type_name()));
    }
    return is_list ? list_method(budget, *object.as_list(), name, arguments)
                   : find_named(kDictMethods, name)->method(budget, *object.as_dict(), arguments);
}

} // namespace constela::text::jinja
