// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/objects.h"

#include <algorithm>
#include <fmt/format.h>

namespace constela::text::jinja {

Value MacroObject::call(Interpreter& interpreter, const Arguments& arguments)
{
    const Interpreter::Inside inside(interpreter, scope_);
    const auto& parameters = definition_.parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (const Value* given = arguments.find(i, parameters[i].name)) {
            interpreter.assign(parameters[i].name, *given);
        } else if (parameters[i].fallback != nullptr) {
            interpreter.assign(parameters[i].name, parameters[i].fallback->evaluate(interpreter));
        } else {
            interpreter.assign(parameters[i].name,
                               Value::undefined(fmt::format("parameter '{}' was not provided", parameters[i].name)));
        }
    }
    std::vector<Value> rest;
    for (std::size_t i = parameters.size(); i < arguments.positional.size(); ++i) {
        rest.push_back(arguments.positional[i]);
    }
    interpreter.assign("varargs", Value::list(std::move(rest), true));
    std::vector<std::pair<Value, Value>> further;
    for (const auto& [name, value] : arguments.named) {
        const bool known = std::any_of(parameters.begin(), parameters.end(),
                                       [&, wanted = &name](const Parameter& one) { return one.name == *wanted; });
        if (name == "caller") {
            interpreter.assign("caller", value);
        } else if (!known) {
            further.emplace_back(Value::text(name), value);
        }
    }
    interpreter.assign("kwargs", Value::dict(std::move(further)));
    return interpreter.captured(definition_.body);
}

Value MacroObject::attribute(std::string_view name) const
{
    return name == "name" ? Value::text(definition_.name) : Object::attribute(name);
}

Value LoopObject::call(Interpreter& interpreter, const Arguments& arguments)
{
    if (!loop_.recursive || arguments.positional.empty()) {
        fail_render("the loop is called, but it is not a recursive one");
    }
    // The text of the inner loop is a value, so it is written aside.
    struct Inner final : Statement {
        const For* loop = nullptr;
        Value items;
        std::size_t level = 0;
        Flow execute(Interpreter& running) const override { return loop->run(running, items, level); }
    };
    Body body;
    auto inner = std::make_unique<Inner>();
    inner->loop = &loop_;
    inner->items = arguments.positional.front();
    inner->level = level_ + 1;
    body.statements.push_back(std::move(inner));
    const Interpreter::Inside inside(interpreter, scope_);
    return interpreter.captured(body);
}

Value LoopObject::attribute(std::string_view name) const
{
    const auto integer = [](std::size_t value) { return Value(static_cast<std::int64_t>(value)); };
    const std::size_t count = items_.size();
    if (name == "index") {
        return integer(index_ + 1);
    }
    if (name == "index0") {
        return integer(index_);
    }
    if (name == "revindex") {
        return integer(count - index_);
    }
    if (name == "revindex0") {
        return integer(count - index_ - 1);
    }
    if (name == "first") {
        return index_ == 0;
    }
    if (name == "last") {
        return index_ + 1 == count;
    }
    if (name == "length") {
        return integer(count);
    }
    if (name == "depth") {
        return integer(level_ + 1);
    }
    if (name == "depth0") {
        return integer(level_);
    }
    if (name == "previtem") {
        return index_ == 0 ? Value::undefined("there is no previous item") : items_[index_ - 1];
    }
    if (name == "nextitem") {
        return index_ + 1 == count ? Value::undefined("there is no next item") : items_[index_ + 1];
    }
    return Object::attribute(name);
}

bool LoopObject::changed(Budget& budget, const Arguments& arguments)
{
    Value now = Value::list(arguments.positional, true);
    const bool differs = !seen_ || !equal(budget, *seen_, now);
    seen_ = std::move(now);
    return differs;
}

} // namespace constela::text::jinja
