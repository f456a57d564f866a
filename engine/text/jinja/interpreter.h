// SPDX-License-Identifier: GPL-3.0-or-later
//
// The state of one render: variables, output, and what it may still use.
#pragma once

#include "engine/text/jinja/ast.h"
#include "engine/text/jinja/budget.h"
#include "engine/text/jinja/value.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace constela::text::jinja {

/// The variables of a scope; what is not here is looked for in the scope around it.
struct Scope {
    std::vector<std::pair<std::string, Value>> variables;
    std::shared_ptr<Scope> parent;
};

/// Threads: one.
class Interpreter {
public:
    explicit Interpreter(const TemplateLimits& limits);

    [[nodiscard]] Budget& budget() { return budget_; }

    /// Undefined where there is none of this name.
    [[nodiscard]] Value lookup(std::string_view name);
    /// In the innermost scope.
    void assign(const std::string& name, Value value);
    [[nodiscard]] const std::shared_ptr<Scope>& scope() const { return scope_; }

    /// A scope of its own while it lives, inside `parent`.
    class Inside {
    public:
        Inside(Interpreter& interpreter, std::shared_ptr<Scope> parent);
        explicit Inside(Interpreter& interpreter) : Inside(interpreter, interpreter.scope_) {}
        ~Inside() { interpreter_.scope_ = std::move(outside_); }
        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;

    private:
        Interpreter& interpreter_;
        std::shared_ptr<Scope> outside_;
    };

    void write(const MarkedText& text);
    /// What `body` writes, in a scope of its own.
    [[nodiscard]] MarkedText captured(const Body& body);
    [[nodiscard]] MarkedText take_output() { return std::move(output_); }

    /// Keeps an object alive until the render ends, so that values may point at each other as they like.
    template <class T, class... Args>
    T* make(Args&&... args)
    {
        budget_.charge(16);
        objects_.push_back(std::make_unique<T>(std::forward<Args>(args)...));
        return static_cast<T*>(objects_.back().get());
    }

    [[nodiscard]] Value call(const Value& callee, const Arguments& arguments);

    /// What the next filter of a block takes, when its first one has no input of its own.
    Value block_input;

private:
    Budget budget_;
    std::shared_ptr<Scope> scope_;
    MarkedText output_;
    std::vector<std::unique_ptr<Object>> objects_;
};

} // namespace constela::text::jinja
