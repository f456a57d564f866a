// SPDX-License-Identifier: GPL-3.0-or-later
//
// value is TEST
#include "engine/text/jinja/builtins.h"
#include "engine/text/jinja/text_tools.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace constela::text::jinja {

namespace {

using Check = bool (*)(Interpreter& interpreter, const Value& value, const Arguments& arguments);

struct NamedTest {
    std::string_view name;
    Check check;
};

template <bool (*holds)(const Value&)>
bool simple(Interpreter& /*interpreter*/, const Value& value, const Arguments& /*arguments*/)
{
    return holds(value);
}

const Value& other(const Arguments& arguments)
{
    return required(arguments, 0, "other", "test");
}

template <int low, int high>
bool ordered(Interpreter& interpreter, const Value& value, const Arguments& arguments)
{
    const int order = compare(interpreter.budget(), value, other(arguments));
    return order >= low && order <= high;
}

bool equals(Interpreter& interpreter, const Value& value, const Arguments& arguments)
{
    return equal(interpreter.budget(), value, other(arguments));
}

bool differs(Interpreter& interpreter, const Value& value, const Arguments& arguments)
{
    return !equals(interpreter, value, arguments);
}

std::int64_t remainder(Interpreter& interpreter, const Value& value, const Value& divisor)
{
    const Value result = arithmetic(interpreter, Operator::modulo, value, divisor);
    return result.is_number() ? static_cast<std::int64_t>(result.number()) : 1;
}

bool is_true(const Value& v)
{
    return v.as_bool() != nullptr && *v.as_bool();
}
bool is_false(const Value& v)
{
    return v.as_bool() != nullptr && !*v.as_bool();
}
bool is_iterable(const Value& v)
{
    return v.as_text() != nullptr || v.as_list() != nullptr || v.as_dict() != nullptr || v.is_undefined();
}
bool is_sequence(const Value& v)
{
    return is_iterable(v);
}
bool same(Interpreter& interpreter, const Value& value, const Arguments& arguments)
{
    return value.type_name() == other(arguments).type_name() && equals(interpreter, value, arguments);
}

constexpr std::array kTests{
    NamedTest{"defined", simple<[](const Value& v) { return !v.is_undefined(); }>},
    NamedTest{"undefined", simple<[](const Value& v) { return v.is_undefined(); }>},
    NamedTest{"none", simple<[](const Value& v) { return v.is_none(); }>},
    NamedTest{"string", simple<[](const Value& v) { return v.as_text() != nullptr; }>},
    NamedTest{"number", simple<[](const Value& v) { return v.is_number(); }>},
    NamedTest{"integer", simple<[](const Value& v) { return v.as_integer() != nullptr; }>},
    NamedTest{"float", simple<[](const Value& v) { return v.as_float() != nullptr; }>},
    NamedTest{"boolean", simple<[](const Value& v) { return v.as_bool() != nullptr; }>},
    NamedTest{"true", simple<is_true>},
    NamedTest{"false", simple<is_false>},
    NamedTest{"mapping", simple<[](const Value& v) { return v.as_dict() != nullptr; }>},
    NamedTest{"sequence", simple<is_sequence>},
    NamedTest{"iterable", simple<is_iterable>},
    NamedTest{"callable", simple<[](const Value& v) { return v.as_object() != nullptr && v.as_object()->callable(); }>},
    NamedTest{"escaped", simple<[](const Value&) { return false; }>},
    NamedTest{"odd", [](Interpreter& i, const Value& v,
                        const Arguments&) { return remainder(i, v, Value(std::int64_t{2})) == 1; }},
    NamedTest{"even", [](Interpreter& i, const Value& v,
                         const Arguments&) { return remainder(i, v, Value(std::int64_t{2})) == 0; }},
    NamedTest{"divisibleby",
              [](Interpreter& i, const Value& v, const Arguments& a) { return remainder(i, v, other(a)) == 0; }},
    NamedTest{"eq", equals},
    NamedTest{"==", equals},
    NamedTest{"equalto", equals},
    NamedTest{"ne", differs},
    NamedTest{"!=", differs},
    NamedTest{"lt", ordered<-1, -1>},
    NamedTest{"<", ordered<-1, -1>},
    NamedTest{"lessthan", ordered<-1, -1>},
    NamedTest{"le", ordered<-1, 0>},
    NamedTest{"<=", ordered<-1, 0>},
    NamedTest{"gt", ordered<1, 1>},
    NamedTest{">", ordered<1, 1>},
    NamedTest{"greaterthan", ordered<1, 1>},
    NamedTest{"ge", ordered<0, 1>},
    NamedTest{">=", ordered<0, 1>},
    NamedTest{"in", [](Interpreter& i, const Value& v, const Arguments& a) { return contains(i, other(a), v); }},
    NamedTest{"sameas", same},
    NamedTest{"lower",
              [](Interpreter& i, const Value& v, const Arguments&) {
                  const MarkedText text = to_text(i.budget(), v);
                  return lower(i.budget(), text).text == text.text && upper(i.budget(), text).text != text.text;
              }},
    NamedTest{"upper",
              [](Interpreter& i, const Value& v, const Arguments&) {
                  const MarkedText text = to_text(i.budget(), v);
                  return upper(i.budget(), text).text == text.text && lower(i.budget(), text).text != text.text;
              }},
};

} // namespace

bool apply_test(Interpreter& interpreter, std::string_view name, const Value& input, const Arguments& arguments)
{
    const auto* found =
        std::find_if(kTests.begin(), kTests.end(), [&](const NamedTest& one) { return one.name == name; });
    if (found == kTests.end()) {
        fail_render(fmt::format("No test named '{}'.", name));
    }
    return found->check(interpreter, input, arguments);
}

} // namespace constela::text::jinja
