// SPDX-License-Identifier: GPL-3.0-or-later
//
// The values of a template: Python's, as far as templates see them. Strings remember who wrote each byte.
// Values are immutable and shared; only namespaces change.
#pragma once

#include "engine/text/jinja/budget.h"
#include "engine/text/marked_text.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace constela::text::jinja {

class Value;
class Interpreter;

/// What was asked for and is not there; using it in earnest is an error that says so.
struct Undefined {
    std::shared_ptr<const std::string> what; ///< "'x' is undefined"
};
struct None {};

struct List {
    std::vector<Value> items;
    bool tuple = false;
    unsigned depth = 1; ///< Of nested lists and dicts, this one included.
};
struct Dict {
    std::vector<std::pair<Value, Value>> items; ///< In the order of insertion.
    unsigned depth = 1;
};

/// The arguments of a call.
struct Arguments {
    std::vector<Value> positional;
    std::vector<std::pair<std::string, Value>> named;

    /// The argument at `index` or of this name; null when it was not given.
    [[nodiscard]] const Value* find(std::size_t index, std::string_view name) const;
};

/// What is neither text nor number: namespaces, macros, loops, functions. Owned by the interpreter.
class Object {
public:
    virtual ~Object() = default;
    Object() = default;
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;

    [[nodiscard]] virtual std::string type_name() const = 0;
    [[nodiscard]] virtual bool callable() const { return false; }
    virtual Value call(Interpreter& interpreter, const Arguments& arguments);
    /// Undefined where there is none of this name.
    [[nodiscard]] virtual Value attribute(std::string_view name) const;
    virtual void set_attribute(const std::string& name, const Value& value);
};

class Value {
public:
    Value() : data_(Undefined{}) {}
    Value(None none) : data_(none) {}           // NOLINT(google-explicit-constructor): a value is any of these
    Value(bool value) : data_(value) {}         // NOLINT(google-explicit-constructor)
    Value(std::int64_t value) : data_(value) {} // NOLINT(google-explicit-constructor)
    Value(double value) : data_(value) {}       // NOLINT(google-explicit-constructor)
    Value(MarkedText text)                      // NOLINT(google-explicit-constructor)
        : data_(std::make_shared<const MarkedText>(std::move(text)))
    {
    }
    Value(Object* object) : data_(object) {} // NOLINT(google-explicit-constructor)
    Value(const void*) = delete;             // pointers must not become bool

    [[nodiscard]] static Value text(std::string_view text) { return Value(MarkedText::by_template(text)); }
    [[nodiscard]] static Value undefined(std::string what);
    /// A list or tuple; throws when it is nested too deeply.
    [[nodiscard]] static Value list(std::vector<Value> items, bool tuple = false);
    [[nodiscard]] static Value dict(std::vector<std::pair<Value, Value>> items);

    [[nodiscard]] bool is_undefined() const { return std::holds_alternative<Undefined>(data_); }
    [[nodiscard]] bool is_none() const { return std::holds_alternative<None>(data_); }
    [[nodiscard]] const bool* as_bool() const { return std::get_if<bool>(&data_); }
    [[nodiscard]] const std::int64_t* as_integer() const { return std::get_if<std::int64_t>(&data_); }
    [[nodiscard]] const double* as_float() const { return std::get_if<double>(&data_); }
    [[nodiscard]] const MarkedText* as_text() const { return get<MarkedText>(); }
    [[nodiscard]] const List* as_list() const { return get<List>(); }
    [[nodiscard]] const Dict* as_dict() const { return get<Dict>(); }
    [[nodiscard]] Object* as_object() const
    {
        const auto* object = std::get_if<Object*>(&data_);
        return object == nullptr ? nullptr : *object;
    }
    /// Integers and booleans, which are integers in Python.
    [[nodiscard]] bool is_integral() const { return as_bool() != nullptr || as_integer() != nullptr; }
    [[nodiscard]] bool is_number() const { return is_integral() || as_float() != nullptr; }
    [[nodiscard]] std::int64_t integer() const; ///< Of an integral value.
    [[nodiscard]] double number() const;        ///< Of a number.

    [[nodiscard]] bool truthy() const;
    /// "str", "dict", "list" ... as Python's messages say it.
    [[nodiscard]] std::string type_name() const;
    /// Throws when the value is undefined, saying what was.
    void need_defined() const;
    /// Depth of nested lists and dicts.
    [[nodiscard]] unsigned depth() const;

private:
    template <class T>
    [[nodiscard]] const T* get() const
    {
        const auto* pointer = std::get_if<std::shared_ptr<const T>>(&data_);
        return pointer == nullptr ? nullptr : pointer->get();
    }

    std::variant<Undefined, None, bool, std::int64_t, double, std::shared_ptr<const MarkedText>,
                 std::shared_ptr<const List>, std::shared_ptr<const Dict>, Object*>
        data_;
};

/// Python's ==.
[[nodiscard]] bool equal(Budget& budget, const Value& a, const Value& b);
/// Python's <: negative, 0 or positive; throws where the two have no order.
[[nodiscard]] int compare(Budget& budget, const Value& a, const Value& b);
/// The value of a key; null where there is none.
[[nodiscard]] const Value* find(Budget& budget, const Dict& dict, const Value& key);
[[nodiscard]] const Value* find(Budget& budget, const Dict& dict, std::string_view key);
/// The items that a for loop sees: of a list, the keys of a dict, the characters of a text.
[[nodiscard]] std::vector<Value> iterate(Budget& budget, const Value& value);
/// Python's len().
[[nodiscard]] std::int64_t length(Budget& budget, const Value& value);
/// Python's str() and repr().
[[nodiscard]] MarkedText to_text(Budget& budget, const Value& value);
[[nodiscard]] MarkedText to_repr(Budget& budget, const Value& value);
[[nodiscard]] std::string float_text(double value);

} // namespace constela::text::jinja
