// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tokens of a template, read one after the other.
#pragma once

#include "engine/text/jinja/lexer.h"

#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace constela::text::jinja {

class TokenStream {
public:
    explicit TokenStream(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

    [[nodiscard]] const Token& now() const { return tokens_[at_]; }
    [[nodiscard]] const Token& after(std::size_t count) const
    {
        return tokens_[std::min(at_ + count, tokens_.size() - 1)];
    }
    [[nodiscard]] std::size_t line() const { return now().line; }
    [[nodiscard]] bool is(Token::Kind kind) const { return now().kind == kind; }
    [[nodiscard]] bool is_symbol(std::string_view symbol) const
    {
        return is(Token::Kind::symbol) && now().value == symbol;
    }
    [[nodiscard]] bool is_name(std::string_view name) const { return is(Token::Kind::name) && now().value == name; }

    Token next()
    {
        Token token = now();
        if (at_ + 1 < tokens_.size()) {
            ++at_;
        }
        return token;
    }
    bool skip_symbol(std::string_view symbol)
    {
        const bool found = is_symbol(symbol);
        if (found) {
            next();
        }
        return found;
    }
    bool skip_name(std::string_view name)
    {
        const bool found = is_name(name);
        if (found) {
            next();
        }
        return found;
    }
    void expect_symbol(std::string_view symbol)
    {
        if (!skip_symbol(symbol)) {
            unexpected(fmt::format("'{}'", symbol));
        }
    }
    void expect_name(std::string_view name)
    {
        if (!skip_name(name)) {
            unexpected(fmt::format("'{}'", name));
        }
    }
    std::string expect_any_name()
    {
        if (!is(Token::Kind::name)) {
            unexpected("a name");
        }
        return next().value;
    }
    void expect(Token::Kind kind, std::string_view what)
    {
        if (!is(kind)) {
            unexpected(std::string(what));
        }
        next();
    }

    [[noreturn]] void unexpected(const std::string& expected) const
    {
        fail_syntax(line(), fmt::format("{} was expected, but {} stands there", expected, describe()));
    }

private:
    [[nodiscard]] std::string describe() const
    {
        switch (now().kind) {
        case Token::Kind::end: return "the end of the template";
        case Token::Kind::text: return "text";
        case Token::Kind::block_end: return "%}";
        case Token::Kind::variable_end: return "}}";
        case Token::Kind::block_begin: return "{%";
        case Token::Kind::variable_begin: return "{{";
        default: return fmt::format("'{}'", now().value.substr(0, 40));
        }
    }

    std::vector<Token> tokens_;
    std::size_t at_ = 0;
};

} // namespace constela::text::jinja
