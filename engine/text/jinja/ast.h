// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a template is made of once it has been read. Each node carries how deep the tree below it is, so that no tree is
// too deep to be walked or destroyed.
#pragma once

#include "engine/text/jinja/value.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace constela::text::jinja {

class Interpreter;

// ---- expressions ----

class Expression {
public:
    virtual ~Expression() = default;
    Expression() = default;
    Expression(const Expression&) = delete;
    Expression& operator=(const Expression&) = delete;

    /// Pays for the step and counts the depth.
    [[nodiscard]] Value evaluate(Interpreter& interpreter) const;

    unsigned depth = 1;
    std::size_t line = 1;

private:
    [[nodiscard]] virtual Value compute(Interpreter& interpreter) const = 0;
};
using ExpressionPtr = std::unique_ptr<Expression>;

struct Literal final : Expression {
    Value value;
    [[nodiscard]] Value compute(Interpreter& interpreter) const override;
};
struct Name final : Expression {
    std::string name;
    [[nodiscard]] Value compute(Interpreter& interpreter) const override;
};
struct ListDisplay final : Expression {
    std::vector<ExpressionPtr> items;
    bool tuple = false;
    [[nodiscard]] Value compute(Interpreter& interpreter) const override;
};
struct DictDisplay final : Expression {
    std::vector<std::pair<ExpressionPtr, ExpressionPtr>> items;
    [[nodiscard]] Value compute(Interpreter& interpreter) const override;
};
enum class Operator : unsigned char { add, subtract, multiply, divide, floor_divide, modulo, power, negate, plus };
struct Unary final : Expression {
    Operator op = Operator::negate;
    ExpressionPtr operand;
    [[nodiscard]] Value compute(Interpreter& interpreter) const override;
};
struct Binary final : Expression {
    Operator op = Operator::add;
    ExpressionPtr left;
    ExpressionPtr right;
    [[nodiscard]] Value compute(Interpreter& interpreter) const override;
};
/// a ~ b ~ c
struct Concatenation final : Expression {
    std::vector<ExpressionPtr> parts;
    [[nodiscard]] Value compute(Interpreter& interpreter) const override;
};
enum class Relation : unsigned char { equal, unequal, less, less_equal, greater, greater_equal, in, not_in };
/// a < b <= c, as in Python: each neighbour pair must hold.
struct Comparison final : Expression {
    ExpressionPtr first;
    std::vector<std::pair<Relation, ExpressionPtr>> rest;
    [[nodiscard]] Value compute(Interpreter& interpreter) const override;
};
struct Logic final : Expression {
    bool is_and = true;
    ExpressionPtr left;
    ExpressionPtr right;
    [[nodiscard]] Value compute(Interpreter& interpreter) const override;
};
struct Not final : Expression {
    ExpressionPtr operand;
    [[nodiscard]] Value compute(Interpreter& interpreter) const override;
};
/// a if test else b
struct Conditional final : Expression {
    ExpressionPtr test;
    ExpressionPtr then;
    ExpressionPtr otherwise; ///< May be null.
    [[nodiscard]] Value compute(Interpreter& interpreter) const override;
};
struct Attribute final : Expression {
    ExpressionPtr object;
    std::string name;
    [[nodiscard]] Value compute(Interpreter& interpreter) const override;
};
struct Subscript final : Expression {
    ExpressionPtr object;
    ExpressionPtr key;
    [[nodiscard]] Value compute(Interpreter& interpreter) const override;
};
/// object[start:stop:step], each of which may be null.
struct Slice final : Expression {
    ExpressionPtr object;
    ExpressionPtr start;
    ExpressionPtr stop;
    ExpressionPtr step;
    [[nodiscard]] Value compute(Interpreter& interpreter) const override;
};

struct CallArguments {
    std::vector<ExpressionPtr> positional;
    std::vector<std::pair<std::string, ExpressionPtr>> named;
    ExpressionPtr more_positional; ///< *rest; may be null.
    ExpressionPtr more_named;      ///< **rest; may be null.

    [[nodiscard]] Arguments evaluate(Interpreter& interpreter) const;
    [[nodiscard]] unsigned depth() const;
};
struct Call final : Expression {
    ExpressionPtr callee;
    CallArguments arguments;
    [[nodiscard]] Value compute(Interpreter& interpreter) const override;
};
struct Filter final : Expression {
    ExpressionPtr input; ///< Null at the start of the chain of a block that is filtered.
    std::string name;
    CallArguments arguments;
    [[nodiscard]] Value compute(Interpreter& interpreter) const override;
};
struct Test final : Expression {
    ExpressionPtr input;
    std::string name;
    CallArguments arguments;
    bool negated = false;
    [[nodiscard]] Value compute(Interpreter& interpreter) const override;
};

// ---- statements ----

/// What a statement tells the loop around it.
enum class Flow : unsigned char { go_on, leave_loop, next_round };

class Statement {
public:
    virtual ~Statement() = default;
    Statement() = default;
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;
    virtual Flow execute(Interpreter& interpreter) const = 0;

    std::size_t line = 1;
};
using StatementPtr = std::unique_ptr<Statement>;

struct Body {
    std::vector<StatementPtr> statements;
    Flow execute(Interpreter& interpreter) const;
};

struct Text final : Statement {
    std::string text;
    Flow execute(Interpreter& interpreter) const override;
};
struct Output final : Statement {
    ExpressionPtr expression;
    Flow execute(Interpreter& interpreter) const override;
};
struct If final : Statement {
    std::vector<std::pair<ExpressionPtr, Body>> branches;
    Body otherwise;
    Flow execute(Interpreter& interpreter) const override;
};
/// A name, a tuple of targets, or an attribute of a namespace.
struct Target {
    std::string name;
    std::string attribute;       ///< NAME.ATTRIBUTE where it is not empty.
    std::vector<Target> targets; ///< A tuple where it is not empty.

    void assign(Interpreter& interpreter, const Value& value) const;
};
struct For final : Statement {
    Target target;
    ExpressionPtr items;
    ExpressionPtr condition; ///< May be null.
    bool recursive = false;
    Body body;
    Body otherwise;
    Flow execute(Interpreter& interpreter) const override;
    /// Runs the loop over these items; `level` counts recursion from 0.
    Flow run(Interpreter& interpreter, const Value& over, std::size_t level) const;
};
struct Set final : Statement {
    Target target;
    ExpressionPtr expression;
    Flow execute(Interpreter& interpreter) const override;
};
/// The text of a body, through filters, into a target.
struct SetBlock final : Statement {
    Target target;
    ExpressionPtr filters; ///< A chain of Filter whose first input is null; may be null.
    Body body;
    Flow execute(Interpreter& interpreter) const override;
};
struct FilterBlock final : Statement {
    ExpressionPtr filters;
    Body body;
    Flow execute(Interpreter& interpreter) const override;
};
struct Parameter {
    std::string name;
    ExpressionPtr fallback; ///< May be null.
};
struct MacroDefinition {
    std::string name;
    std::vector<Parameter> parameters;
    Body body;
};
struct Macro final : Statement {
    MacroDefinition definition;
    Flow execute(Interpreter& interpreter) const override;
};
struct CallBlock final : Statement {
    MacroDefinition caller;
    ExpressionPtr call; ///< A Call.
    Flow execute(Interpreter& interpreter) const override;
};
struct With final : Statement {
    std::vector<std::pair<Target, ExpressionPtr>> variables;
    Body body;
    Flow execute(Interpreter& interpreter) const override;
};
/// A body that only marks what it holds, such as generation.
struct Marked final : Statement {
    Body body;
    Flow execute(Interpreter& interpreter) const override;
};
struct LoopControl final : Statement {
    Flow flow = Flow::leave_loop;
    Flow execute(Interpreter& /*interpreter*/) const override { return flow; }
};

} // namespace constela::text::jinja
