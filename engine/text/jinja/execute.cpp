// SPDX-License-Identifier: GPL-3.0-or-later
//
// What statements do.
#include "engine/text/jinja/ast.h"
#include "engine/text/jinja/builtins.h"
#include "engine/text/jinja/interpreter.h"
#include "engine/text/jinja/objects.h"

#include <fmt/format.h>

namespace constela::text::jinja {

Flow Body::execute(Interpreter& interpreter) const
{
    const Budget::Level level(interpreter.budget());
    for (const StatementPtr& statement : statements) {
        interpreter.budget().charge(1);
        const Flow flow = statement->execute(interpreter);
        if (flow != Flow::go_on) {
            return flow;
        }
    }
    return Flow::go_on;
}

Flow Text::execute(Interpreter& interpreter) const
{
    interpreter.write(MarkedText::by_template(text));
    return Flow::go_on;
}

Flow Output::execute(Interpreter& interpreter) const
{
    interpreter.write(to_text(interpreter.budget(), expression->evaluate(interpreter)));
    return Flow::go_on;
}

Flow If::execute(Interpreter& interpreter) const
{
    for (const auto& [test, body] : branches) {
        if (test->evaluate(interpreter).truthy()) {
            return body.execute(interpreter);
        }
    }
    return otherwise.execute(interpreter);
}

void Target::assign(Interpreter& interpreter, const Value& value) const
{
    if (!targets.empty()) {
        const std::vector<Value> items = iterate(interpreter.budget(), value);
        if (items.size() != targets.size()) {
            fail_render(
                fmt::format("{} values were expected to be unpacked, there are {}", targets.size(), items.size()));
        }
        for (std::size_t i = 0; i < targets.size(); ++i) {
            targets[i].assign(interpreter, items[i]);
        }
    } else if (attribute.empty()) {
        interpreter.assign(name, value);
    } else {
        const Value object = interpreter.lookup(name);
        object.need_defined();
        if (object.as_object() == nullptr) {
            fail_render("cannot assign attribute on non-namespace object");
        }
        interpreter.budget().charge(attribute.size());
        object.as_object()->set_attribute(attribute, value);
    }
}

Flow For::execute(Interpreter& interpreter) const
{
    return run(interpreter, items->evaluate(interpreter), 0);
}

Flow For::run(Interpreter& interpreter, const Value& over, std::size_t level) const
{
    const Budget::Level depth(interpreter.budget());
    std::vector<Value> values = iterate(interpreter.budget(), over);
    if (condition != nullptr) {
        std::vector<Value> chosen;
        for (Value& value : values) {
            const Interpreter::Inside inside(interpreter);
            target.assign(interpreter, value);
            if (condition->evaluate(interpreter).truthy()) {
                chosen.push_back(std::move(value));
            }
        }
        values = std::move(chosen);
    }
    if (values.empty()) {
        const Interpreter::Inside inside(interpreter);
        return otherwise.execute(interpreter);
    }
    auto* loop = interpreter.make<LoopObject>(*this, std::move(values), level, interpreter.scope());
    for (std::size_t i = 0; i < loop->items().size(); ++i) {
        const Interpreter::Inside inside(interpreter);
        loop->at(i);
        interpreter.assign("loop", Value(static_cast<Object*>(loop)));
        target.assign(interpreter, loop->items()[i]);
        if (body.execute(interpreter) == Flow::leave_loop) {
            break;
        }
    }
    return Flow::go_on;
}

Flow Set::execute(Interpreter& interpreter) const
{
    target.assign(interpreter, expression->evaluate(interpreter));
    return Flow::go_on;
}

namespace {

Value filtered(Interpreter& interpreter, const ExpressionPtr& filters, MarkedText text)
{
    if (filters == nullptr) {
        return text;
    }
    interpreter.block_input = Value(std::move(text));
    return filters->evaluate(interpreter);
}

} // namespace

Flow SetBlock::execute(Interpreter& interpreter) const
{
    MarkedText text = interpreter.captured(body);
    target.assign(interpreter, filtered(interpreter, filters, std::move(text)));
    return Flow::go_on;
}

Flow FilterBlock::execute(Interpreter& interpreter) const
{
    MarkedText text = interpreter.captured(body);
    interpreter.write(to_text(interpreter.budget(), filtered(interpreter, filters, std::move(text))));
    return Flow::go_on;
}

Flow Macro::execute(Interpreter& interpreter) const
{
    Object* macro = interpreter.make<MacroObject>(definition, interpreter.scope());
    interpreter.assign(definition.name, Value(macro));
    return Flow::go_on;
}

Flow CallBlock::execute(Interpreter& interpreter) const
{
    const auto& expression = static_cast<const Call&>(*call);
    const Value callee = expression.callee->evaluate(interpreter);
    Arguments arguments = expression.arguments.evaluate(interpreter);
    Object* body = interpreter.make<MacroObject>(caller, interpreter.scope());
    arguments.named.emplace_back("caller", Value(body));
    interpreter.write(to_text(interpreter.budget(), interpreter.call(callee, arguments)));
    return Flow::go_on;
}

Flow With::execute(Interpreter& interpreter) const
{
    std::vector<Value> values; // evaluated outside
    for (const auto& [target, expression] : variables) {
        values.push_back(expression->evaluate(interpreter));
    }
    const Interpreter::Inside inside(interpreter);
    for (std::size_t i = 0; i < variables.size(); ++i) {
        variables[i].first.assign(interpreter, values[i]);
    }
    return body.execute(interpreter);
}

Flow Marked::execute(Interpreter& interpreter) const
{
    return body.execute(interpreter);
}

} // namespace constela::text::jinja
