// SPDX-License-Identifier: GPL-3.0-or-later
//
// The objects that statements make: macros, and the `loop` of a for loop.
#pragma once

#include "engine/text/jinja/ast.h"
#include "engine/text/jinja/interpreter.h"

#include <memory>
#include <vector>

namespace constela::text::jinja {

class MacroObject final : public Object {
public:
    /// The definition outlives the render; `scope` is where the macro was defined.
    MacroObject(const MacroDefinition& definition, std::shared_ptr<Scope> scope)
        : definition_(definition), scope_(std::move(scope))
    {
    }

    std::string type_name() const override { return "Macro"; }
    bool callable() const override { return true; }
    Value call(Interpreter& interpreter, const Arguments& arguments) override;
    Value attribute(std::string_view name) const override;

private:
    const MacroDefinition& definition_;
    std::shared_ptr<Scope> scope_;
};

class LoopObject final : public Object {
public:
    LoopObject(const For& loop, std::vector<Value> items, std::size_t level, std::shared_ptr<Scope> scope)
        : loop_(loop), items_(std::move(items)), level_(level), scope_(std::move(scope))
    {
    }

    [[nodiscard]] const std::vector<Value>& items() const { return items_; }
    void at(std::size_t index) { index_ = index; }

    std::string type_name() const override { return "LoopContext"; }
    bool callable() const override { return loop_.recursive; }
    /// loop(items): the same loop over further items, its text given back.
    Value call(Interpreter& interpreter, const Arguments& arguments) override;
    Value attribute(std::string_view name) const override;
    /// loop.changed(...): whether the arguments differ from those of the last call.
    [[nodiscard]] bool changed(Budget& budget, const Arguments& arguments);

private:
    const For& loop_;
    std::vector<Value> items_;
    std::size_t level_;
    std::shared_ptr<Scope> scope_;
    std::size_t index_ = 0;
    std::optional<Value> seen_; ///< By changed().
};

} // namespace constela::text::jinja
