// SPDX-License-Identifier: GPL-3.0-or-later
//
// Expressions by descent, loosest binding first: if-else, or, and, not, comparisons, ~ + -, * / // %, unary, **, and
// what follows a value (attributes, subscripts, calls, filters, tests).
#pragma once

#include "engine/text/jinja/ast.h"
#include "engine/text/jinja/token_stream.h"

namespace constela::text::jinja {

class ExpressionParser {
public:
    explicit ExpressionParser(TokenStream& tokens) : tokens_(tokens) {}

    /// An expression, or several with commas, which make a tuple.
    [[nodiscard]] ExpressionPtr tuple_or_expression();
    [[nodiscard]] ExpressionPtr expression();
    /// Without "if ... else": the items of a for loop, whose "if" is the loop's.
    [[nodiscard]] ExpressionPtr without_condition();
    /// The filters of a block, the first of which has no input yet; `input` may be null.
    [[nodiscard]] ExpressionPtr filter(ExpressionPtr input);
    /// "( ... )" of a call.
    [[nodiscard]] CallArguments call_arguments();

    /// Counts how deep the source is nested, while it lives.
    class Level {
    public:
        explicit Level(ExpressionParser& parser);
        ~Level() { --parser_.level_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

    private:
        ExpressionParser& parser_;
    };

private:
    ExpressionPtr disjunction();
    ExpressionPtr conjunction();
    ExpressionPtr negation();
    ExpressionPtr comparison();
    ExpressionPtr sum();
    ExpressionPtr concatenation();
    ExpressionPtr product();
    ExpressionPtr unary(bool with_filters);
    ExpressionPtr power();
    ExpressionPtr primary();
    ExpressionPtr postfix(ExpressionPtr value);
    ExpressionPtr filters_and_tests(ExpressionPtr value);
    ExpressionPtr subscript(ExpressionPtr object);
    ExpressionPtr test(ExpressionPtr input);
    ExpressionPtr list_display();
    ExpressionPtr dict_display();
    ExpressionPtr parenthesised();
    ExpressionPtr name_or_constant();
    ExpressionPtr tuple_from(ExpressionPtr first);
    [[nodiscard]] bool value_may_begin() const;

    /// A node whose children are these; refuses trees that are too deep.
    template <class Node, class... Children>
    std::unique_ptr<Node> node(const Children&... children) const
    {
        auto made = std::make_unique<Node>();
        made->line = tokens_.line();
        (grow(*made, children), ...);
        return made;
    }
    void grow(Expression& parent, const ExpressionPtr& child) const;
    void grow(Expression& parent, const CallArguments& arguments) const;
    void grow_to(Expression& parent, unsigned depth) const;

    TokenStream& tokens_;
    unsigned level_ = 0;
};

} // namespace constela::text::jinja
