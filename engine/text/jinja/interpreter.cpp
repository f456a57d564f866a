// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/interpreter.h"

#include <algorithm>
#include <fmt/format.h>

namespace constela::text::jinja {

Interpreter::Interpreter(const TemplateLimits& limits) : budget_(limits), scope_(std::make_shared<Scope>()) {}

Value Interpreter::lookup(std::string_view name)
{
    for (const Scope* scope = scope_.get(); scope != nullptr; scope = scope->parent.get()) {
        budget_.charge(1);
        for (const auto& [known, value] : scope->variables) {
            if (known == name) {
                return value;
            }
        }
    }
    return Value::undefined(fmt::format("'{}' is undefined", name));
}

void Interpreter::assign(const std::string& name, Value value)
{
    for (auto& [known, old] : scope_->variables) {
        if (known == name) {
            old = std::move(value);
            return;
        }
    }
    budget_.charge(name.size() + 8);
    scope_->variables.emplace_back(name, std::move(value));
}

Interpreter::Inside::Inside(Interpreter& interpreter, std::shared_ptr<Scope> parent)
    : interpreter_(interpreter), outside_(std::move(interpreter.scope_))
{
    interpreter_.scope_ = std::make_shared<Scope>(Scope{{}, std::move(parent)});
}

void Interpreter::write(const MarkedText& text)
{
    budget_.charge(text.text.size());
    budget_.check_output(output_.text.size() + text.text.size());
    output_.append(text);
}

MarkedText Interpreter::captured(const Body& body)
{
    MarkedText outside = std::move(output_);
    output_ = {};
    {
        const Inside inside(*this);
        body.execute(*this);
    }
    return std::exchange(output_, std::move(outside));
}

Value Interpreter::call(const Value& callee, const Arguments& arguments)
{
    callee.need_defined();
    Object* object = callee.as_object();
    if (object == nullptr) {
        fail_render(fmt::format("'{}' object is not callable", callee.type_name()));
    }
    const Budget::Level level(budget_);
    return object->call(*this, arguments);
}

} // namespace constela::text::jinja
