// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/parser.h"

#include "engine/text/jinja/expression_parser.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>

namespace constela::text::jinja {

namespace {

class Parser {
public:
    explicit Parser(std::string_view source) : tokens_(tokenize(source)), expressions_(tokens_) {}

    Body whole()
    {
        Body body = body_until({});
        if (!tokens_.is(Token::Kind::end)) {
            tokens_.unexpected("the end of the template");
        }
        return body;
    }

private:
    /// Statements up to a tag that begins with one of these words, which is left to be read.
    Body body_until(std::initializer_list<std::string_view> ends)
    {
        const ExpressionParser::Level level(expressions_);
        Body body;
        while (!tokens_.is(Token::Kind::end)) {
            const std::size_t line = tokens_.line();
            StatementPtr made;
            if (tokens_.is(Token::Kind::text)) {
                auto text = std::make_unique<Text>();
                text->text = tokens_.next().value;
                made = std::move(text);
            } else if (tokens_.is(Token::Kind::variable_begin)) {
                tokens_.next();
                auto output = std::make_unique<Output>();
                output->expression = expressions_.tuple_or_expression();
                tokens_.expect(Token::Kind::variable_end, "}}");
                made = std::move(output);
            } else {
                const std::string& word = tokens_.after(1).value;
                if (std::find(ends.begin(), ends.end(), word) != ends.end()) {
                    return body;
                }
                tokens_.expect(Token::Kind::block_begin, "{%");
                made = statement();
            }
            made->line = line;
            body.statements.push_back(std::move(made));
        }
        if (ends.size() > 0) {
            fail_syntax(tokens_.line(), fmt::format("{{% {} %}} is missing", *(ends.end() - 1)));
        }
        return body;
    }

    void end_tag() { tokens_.expect(Token::Kind::block_end, "%}"); }
    /// "{% WORD %}"
    void closing(std::string_view word)
    {
        tokens_.expect(Token::Kind::block_begin, "{%");
        tokens_.expect_name(word);
        end_tag();
    }

    StatementPtr statement()
    {
        const std::string word = tokens_.expect_any_name();
        if (word == "if") {
            return if_statement();
        }
        if (word == "for") {
            return for_statement();
        }
        if (word == "set") {
            return set_statement();
        }
        if (word == "macro") {
            return macro_statement();
        }
        if (word == "call") {
            return call_statement();
        }
        if (word == "filter") {
            return filter_statement();
        }
        if (word == "with") {
            return with_statement();
        }
        if (word == "generation") {
            end_tag();
            auto marked = std::make_unique<Marked>();
            marked->body = body_until({"endgeneration"});
            closing("endgeneration");
            return marked;
        }
        if (word == "break" || word == "continue") {
            if (loops_ == 0) {
                fail_syntax(tokens_.line(), fmt::format("{} stands outside of a loop", word));
            }
            end_tag();
            auto control = std::make_unique<LoopControl>();
            control->flow = word == "break" ? Flow::leave_loop : Flow::next_round;
            return control;
        }
        fail_syntax(tokens_.line(), fmt::format("the tag '{}' is not known", word.substr(0, 40)));
    }

    StatementPtr if_statement()
    {
        auto made = std::make_unique<If>();
        while (true) {
            ExpressionPtr test = expressions_.tuple_or_expression();
            end_tag();
            Body body = body_until({"elif", "else", "endif"});
            made->branches.emplace_back(std::move(test), std::move(body));
            tokens_.expect(Token::Kind::block_begin, "{%");
            if (tokens_.skip_name("elif")) {
                continue;
            }
            if (tokens_.skip_name("else")) {
                end_tag();
                made->otherwise = body_until({"endif"});
                tokens_.expect(Token::Kind::block_begin, "{%");
            }
            tokens_.expect_name("endif");
            end_tag();
            return made;
        }
    }

    Target single_target()
    {
        const ExpressionParser::Level level(expressions_);
        Target target;
        if (tokens_.skip_symbol("(")) {
            target = target_list();
            tokens_.expect_symbol(")");
            return target;
        }
        target.name = tokens_.expect_any_name();
        if (tokens_.skip_symbol(".")) {
            target.attribute = tokens_.expect_any_name();
        }
        return target;
    }

    Target target_list()
    {
        Target first = single_target();
        if (!tokens_.is_symbol(",")) {
            return first;
        }
        Target tuple;
        tuple.targets.push_back(std::move(first));
        while (tokens_.skip_symbol(",") && (tokens_.is(Token::Kind::name) || tokens_.is_symbol("(")) &&
               !tokens_.is_name("in")) {
            tuple.targets.push_back(single_target());
        }
        return tuple;
    }

    StatementPtr for_statement()
    {
        auto made = std::make_unique<For>();
        made->target = target_list();
        tokens_.expect_name("in");
        made->items = expressions_.without_condition();
        if (tokens_.skip_name("if")) {
            made->condition = expressions_.expression();
        }
        made->recursive = tokens_.skip_name("recursive");
        end_tag();
        ++loops_;
        made->body = body_until({"else", "endfor"});
        --loops_;
        tokens_.expect(Token::Kind::block_begin, "{%");
        if (tokens_.skip_name("else")) {
            end_tag();
            made->otherwise = body_until({"endfor"});
            tokens_.expect(Token::Kind::block_begin, "{%");
        }
        tokens_.expect_name("endfor");
        end_tag();
        return made;
    }

    StatementPtr set_statement()
    {
        Target target = target_list();
        if (tokens_.skip_symbol("=")) {
            auto made = std::make_unique<Set>();
            made->target = std::move(target);
            made->expression = expressions_.tuple_or_expression();
            end_tag();
            return made;
        }
        auto made = std::make_unique<SetBlock>();
        made->target = std::move(target);
        while (tokens_.skip_symbol("|")) {
            made->filters = expressions_.filter(std::move(made->filters));
        }
        end_tag();
        made->body = body_until({"endset"});
        closing("endset");
        return made;
    }

    void parameters(MacroDefinition& definition)
    {
        tokens_.expect_symbol("(");
        while (!tokens_.is_symbol(")")) {
            Parameter parameter;
            parameter.name = tokens_.expect_any_name();
            if (tokens_.skip_symbol("=")) {
                parameter.fallback = expressions_.expression();
            } else if (!definition.parameters.empty() && definition.parameters.back().fallback != nullptr) {
                fail_syntax(tokens_.line(), "a parameter without a default follows one with a default");
            }
            definition.parameters.push_back(std::move(parameter));
            if (!tokens_.skip_symbol(",")) {
                break;
            }
        }
        tokens_.expect_symbol(")");
    }

    /// A body in which break and continue mean no loop around it.
    Body separate_body(std::string_view end)
    {
        const unsigned outside = std::exchange(loops_, 0);
        Body body = body_until({end});
        loops_ = outside;
        closing(end);
        return body;
    }

    StatementPtr macro_statement()
    {
        auto made = std::make_unique<Macro>();
        made->definition.name = tokens_.expect_any_name();
        parameters(made->definition);
        end_tag();
        made->definition.body = separate_body("endmacro");
        return made;
    }

    StatementPtr call_statement()
    {
        auto made = std::make_unique<CallBlock>();
        made->caller.name = "caller";
        if (tokens_.is_symbol("(")) {
            parameters(made->caller);
        }
        made->call = expressions_.expression();
        if (dynamic_cast<const Call*>(made->call.get()) == nullptr) {
            fail_syntax(tokens_.line(), "a call was expected after 'call'");
        }
        end_tag();
        made->caller.body = separate_body("endcall");
        return made;
    }

    StatementPtr filter_statement()
    {
        auto made = std::make_unique<FilterBlock>();
        do {
            made->filters = expressions_.filter(std::move(made->filters));
        } while (tokens_.skip_symbol("|"));
        end_tag();
        made->body = body_until({"endfilter"});
        closing("endfilter");
        return made;
    }

    StatementPtr with_statement()
    {
        auto made = std::make_unique<With>();
        while (!tokens_.is(Token::Kind::block_end)) {
            Target target = single_target();
            tokens_.expect_symbol("=");
            made->variables.emplace_back(std::move(target), expressions_.expression());
            if (!tokens_.skip_symbol(",")) {
                break;
            }
        }
        end_tag();
        made->body = body_until({"endwith"});
        closing("endwith");
        return made;
    }

    TokenStream tokens_;
    ExpressionParser expressions_;
    unsigned loops_ = 0; ///< That a break here could leave.
};

} // namespace

Body parse(std::string_view source)
{
    return Parser(source).whole();
}

} // namespace constela::text::jinja
