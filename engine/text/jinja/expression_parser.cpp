// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/expression_parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace constela::text::jinja {

namespace {

constexpr unsigned kDeepestSource = 100;
constexpr unsigned kDeepestTree = 200;

struct BinarySymbol {
    std::string_view symbol;
    Operator op;
};

template <std::size_t N>
std::optional<Operator> operator_of(const TokenStream& tokens, const std::array<BinarySymbol, N>& symbols)
{
    for (const BinarySymbol& one : symbols) {
        if (tokens.is_symbol(one.symbol)) {
            return one.op;
        }
    }
    return std::nullopt;
}

constexpr std::array kSums{BinarySymbol{"+", Operator::add}, BinarySymbol{"-", Operator::subtract}};
constexpr std::array kProducts{BinarySymbol{"*", Operator::multiply}, BinarySymbol{"/", Operator::divide},
                               BinarySymbol{"//", Operator::floor_divide}, BinarySymbol{"%", Operator::modulo}};

std::optional<Relation> relation_of(const TokenStream& tokens)
{
    struct Symbol {
        std::string_view symbol;
        Relation relation;
    };
    constexpr std::array kRelations{Symbol{"==", Relation::equal},  Symbol{"!=", Relation::unequal},
                                    Symbol{"<", Relation::less},    Symbol{"<=", Relation::less_equal},
                                    Symbol{">", Relation::greater}, Symbol{">=", Relation::greater_equal}};
    for (const Symbol& one : kRelations) {
        if (tokens.is_symbol(one.symbol)) {
            return one.relation;
        }
    }
    return std::nullopt;
}

} // namespace

ExpressionParser::Level::Level(ExpressionParser& parser) : parser_(parser)
{
    if (parser_.level_ == kDeepestSource) {
        fail_syntax(parser_.tokens_.line(), "it is nested too deeply");
    }
    ++parser_.level_;
}

void ExpressionParser::grow_to(Expression& parent, unsigned depth) const
{
    parent.depth = std::max(parent.depth, depth + 1);
    if (parent.depth > kDeepestTree) {
        fail_syntax(tokens_.line(), "an expression is nested too deeply");
    }
}

void ExpressionParser::grow(Expression& parent, const ExpressionPtr& child) const
{
    if (child != nullptr) {
        grow_to(parent, child->depth);
    }
}

void ExpressionParser::grow(Expression& parent, const CallArguments& arguments) const
{
    grow_to(parent, arguments.depth());
}

ExpressionPtr ExpressionParser::tuple_or_expression()
{
    return tuple_from(expression());
}

ExpressionPtr ExpressionParser::tuple_from(ExpressionPtr first)
{
    if (!tokens_.is_symbol(",")) {
        return first;
    }
    auto tuple = node<ListDisplay>(first);
    tuple->tuple = true;
    tuple->items.push_back(std::move(first));
    while (tokens_.skip_symbol(",") && value_may_begin()) {
        tuple->items.push_back(expression());
        grow(*tuple, tuple->items.back());
    }
    return tuple;
}

bool ExpressionParser::value_may_begin() const
{
    return tokens_.is(Token::Kind::name) || tokens_.is(Token::Kind::string) || tokens_.is(Token::Kind::integer) ||
           tokens_.is(Token::Kind::real) || tokens_.is_symbol("(") || tokens_.is_symbol("[") ||
           tokens_.is_symbol("{") || tokens_.is_symbol("-") || tokens_.is_symbol("+");
}

ExpressionPtr ExpressionParser::expression()
{
    const Level level(*this);
    ExpressionPtr value = disjunction();
    while (tokens_.skip_name("if")) {
        ExpressionPtr test = disjunction();
        ExpressionPtr otherwise = tokens_.skip_name("else") ? expression() : nullptr;
        auto conditional = node<Conditional>(value, test, otherwise);
        conditional->test = std::move(test);
        conditional->then = std::move(value);
        conditional->otherwise = std::move(otherwise);
        value = std::move(conditional);
    }
    return value;
}

ExpressionPtr ExpressionParser::without_condition()
{
    const Level level(*this);
    return tuple_from(disjunction());
}

ExpressionPtr ExpressionParser::disjunction()
{
    ExpressionPtr left = conjunction();
    while (tokens_.skip_name("or")) {
        ExpressionPtr right = conjunction();
        auto logic = node<Logic>(left, right);
        logic->is_and = false;
        logic->left = std::move(left);
        logic->right = std::move(right);
        left = std::move(logic);
    }
    return left;
}

ExpressionPtr ExpressionParser::conjunction()
{
    ExpressionPtr left = negation();
    while (tokens_.skip_name("and")) {
        ExpressionPtr right = negation();
        auto logic = node<Logic>(left, right);
        logic->left = std::move(left);
        logic->right = std::move(right);
        left = std::move(logic);
    }
    return left;
}

ExpressionPtr ExpressionParser::negation()
{
    if (tokens_.is_name("not")) {
        const Level level(*this);
        tokens_.next();
        ExpressionPtr operand = negation();
        auto negated = node<Not>(operand);
        negated->operand = std::move(operand);
        return negated;
    }
    return comparison();
}

ExpressionPtr ExpressionParser::comparison()
{
    ExpressionPtr first = sum();
    std::unique_ptr<Comparison> chain;
    while (true) {
        std::optional<Relation> relation = relation_of(tokens_);
        if (relation) {
            tokens_.next();
        } else if (tokens_.skip_name("in")) {
            relation = Relation::in;
        } else if (tokens_.is_name("not") && tokens_.after(1).kind == Token::Kind::name &&
                   tokens_.after(1).value == "in") {
            tokens_.next();
            tokens_.next();
            relation = Relation::not_in;
        } else {
            break;
        }
        if (chain == nullptr) {
            chain = node<Comparison>(first);
            chain->first = std::move(first);
        }
        chain->rest.emplace_back(*relation, sum());
        grow(*chain, chain->rest.back().second);
    }
    return chain == nullptr ? std::move(first) : ExpressionPtr(std::move(chain));
}

ExpressionPtr ExpressionParser::sum()
{
    ExpressionPtr left = concatenation();
    while (const auto op = operator_of(tokens_, kSums)) {
        tokens_.next();
        ExpressionPtr right = concatenation();
        auto binary = node<Binary>(left, right);
        binary->op = *op;
        binary->left = std::move(left);
        binary->right = std::move(right);
        left = std::move(binary);
    }
    return left;
}

ExpressionPtr ExpressionParser::concatenation()
{
    ExpressionPtr first = product();
    if (!tokens_.is_symbol("~")) {
        return first;
    }
    auto all = node<Concatenation>(first);
    all->parts.push_back(std::move(first));
    while (tokens_.skip_symbol("~")) {
        all->parts.push_back(product());
        grow(*all, all->parts.back());
    }
    return all;
}

ExpressionPtr ExpressionParser::product()
{
    ExpressionPtr left = unary(true);
    while (const auto op = operator_of(tokens_, kProducts)) {
        tokens_.next();
        ExpressionPtr right = unary(true);
        auto binary = node<Binary>(left, right);
        binary->op = *op;
        binary->left = std::move(left);
        binary->right = std::move(right);
        left = std::move(binary);
    }
    return left;
}

/// Filters bind looser than a sign: -1|abs is (-1)|abs.
ExpressionPtr ExpressionParser::unary(bool with_filters)
{
    const Level level(*this);
    ExpressionPtr value;
    if (tokens_.is_symbol("-") || tokens_.is_symbol("+")) {
        const bool minus = tokens_.next().value == "-";
        ExpressionPtr operand = unary(false);
        auto sign = node<Unary>(operand);
        sign->op = minus ? Operator::negate : Operator::plus;
        sign->operand = std::move(operand);
        value = std::move(sign);
    } else {
        value = power();
    }
    return with_filters ? filters_and_tests(std::move(value)) : std::move(value);
}

ExpressionPtr ExpressionParser::power()
{
    ExpressionPtr base = postfix(primary());
    while (tokens_.skip_symbol("**")) {
        ExpressionPtr exponent = unary(false);
        auto binary = node<Binary>(base, exponent);
        binary->op = Operator::power;
        binary->left = std::move(base);
        binary->right = std::move(exponent);
        base = std::move(binary);
    }
    return base;
}

ExpressionPtr ExpressionParser::primary()
{
    if (tokens_.is(Token::Kind::name)) {
        return name_or_constant();
    }
    if (tokens_.is(Token::Kind::string)) {
        std::string text;
        while (tokens_.is(Token::Kind::string)) { // neighbours are one
            text += tokens_.next().value;
        }
        auto literal = node<Literal>();
        literal->value = Value::text(text);
        return literal;
    }
    if (tokens_.is(Token::Kind::integer) || tokens_.is(Token::Kind::real)) {
        auto literal = node<Literal>();
        const Token number = tokens_.next();
        const char* end = number.value.data() + number.value.size();
        std::int64_t integer = 0;
        double real = 0;
        if (number.kind == Token::Kind::integer &&
            std::from_chars(number.value.data(), end, integer).ec == std::errc()) {
            literal->value = integer;
        } else if (number.kind == Token::Kind::real &&
                   std::from_chars(number.value.data(), end, real).ec == std::errc()) {
            literal->value = real;
        } else {
            fail_syntax(number.line, "a number is too large");
        }
        return literal;
    }
    if (tokens_.is_symbol("[")) {
        return list_display();
    }
    if (tokens_.is_symbol("{")) {
        return dict_display();
    }
    if (tokens_.is_symbol("(")) {
        return parenthesised();
    }
    tokens_.unexpected("a value");
}

ExpressionPtr ExpressionParser::name_or_constant()
{
    const std::string& word = tokens_.now().value;
    const auto constant = [&](Value value) {
        auto literal = node<Literal>();
        literal->value = std::move(value);
        tokens_.next();
        return literal;
    };
    if (word == "true" || word == "True") {
        return constant(Value(true));
    }
    if (word == "false" || word == "False") {
        return constant(Value(false));
    }
    if (word == "none" || word == "None") {
        return constant(Value(None{}));
    }
    auto name = node<Name>();
    name->name = tokens_.next().value;
    return name;
}

ExpressionPtr ExpressionParser::list_display()
{
    tokens_.expect_symbol("[");
    auto list = node<ListDisplay>();
    while (!tokens_.is_symbol("]")) {
        list->items.push_back(expression());
        grow(*list, list->items.back());
        if (!tokens_.skip_symbol(",")) {
            break;
        }
    }
    tokens_.expect_symbol("]");
    return list;
}

ExpressionPtr ExpressionParser::dict_display()
{
    tokens_.expect_symbol("{");
    auto dict = node<DictDisplay>();
    while (!tokens_.is_symbol("}")) {
        ExpressionPtr key = expression();
        tokens_.expect_symbol(":");
        ExpressionPtr value = expression();
        grow(*dict, key);
        grow(*dict, value);
        dict->items.emplace_back(std::move(key), std::move(value));
        if (!tokens_.skip_symbol(",")) {
            break;
        }
    }
    tokens_.expect_symbol("}");
    return dict;
}

ExpressionPtr ExpressionParser::parenthesised()
{
    tokens_.expect_symbol("(");
    if (tokens_.skip_symbol(")")) {
        auto empty = node<ListDisplay>();
        empty->tuple = true;
        return empty;
    }
    ExpressionPtr inner = tuple_or_expression();
    tokens_.expect_symbol(")");
    return inner;
}

ExpressionPtr ExpressionParser::postfix(ExpressionPtr value)
{
    while (true) {
        if (tokens_.is_symbol(".")) {
            tokens_.next();
            if (tokens_.is(Token::Kind::integer)) { // x.0 is x[0]
                auto key = node<Literal>();
                key->value = Value(static_cast<std::int64_t>(std::atoll(tokens_.next().value.c_str())));
                auto item = node<Subscript>(value);
                item->object = std::move(value);
                item->key = std::move(key);
                value = std::move(item);
                continue;
            }
            auto attribute = node<Attribute>(value);
            attribute->name = tokens_.expect_any_name();
            attribute->object = std::move(value);
            value = std::move(attribute);
        } else if (tokens_.is_symbol("[")) {
            value = subscript(std::move(value));
        } else if (tokens_.is_symbol("(")) {
            CallArguments arguments = call_arguments();
            auto call = node<Call>(value, arguments);
            call->callee = std::move(value);
            call->arguments = std::move(arguments);
            value = std::move(call);
        } else {
            return value;
        }
    }
}

ExpressionPtr ExpressionParser::subscript(ExpressionPtr object)
{
    tokens_.expect_symbol("[");
    ExpressionPtr start = tokens_.is_symbol(":") ? nullptr : tuple_or_expression();
    if (!tokens_.is_symbol(":")) {
        tokens_.expect_symbol("]");
        auto item = node<Subscript>(object, start);
        item->object = std::move(object);
        item->key = std::move(start);
        return item;
    }
    const auto part = [&]() -> ExpressionPtr {
        return tokens_.skip_symbol(":") && !tokens_.is_symbol(":") && !tokens_.is_symbol("]") ? expression() : nullptr;
    };
    ExpressionPtr stop = part();
    ExpressionPtr step = part();
    tokens_.expect_symbol("]");
    auto slice = node<Slice>(object, start, stop, step);
    slice->object = std::move(object);
    slice->start = std::move(start);
    slice->stop = std::move(stop);
    slice->step = std::move(step);
    return slice;
}

CallArguments ExpressionParser::call_arguments()
{
    const Level level(*this);
    CallArguments arguments;
    tokens_.expect_symbol("(");
    while (!tokens_.is_symbol(")")) {
        if (tokens_.skip_symbol("*")) {
            arguments.more_positional = expression();
        } else if (tokens_.skip_symbol("**")) {
            arguments.more_named = expression();
        } else if (tokens_.is(Token::Kind::name) && tokens_.after(1).kind == Token::Kind::symbol &&
                   tokens_.after(1).value == "=") {
            std::string name = tokens_.next().value;
            tokens_.next();
            arguments.named.emplace_back(std::move(name), expression());
        } else if (!arguments.named.empty()) {
            fail_syntax(tokens_.line(), "an argument without a name follows one with a name");
        } else {
            arguments.positional.push_back(expression());
        }
        if (!tokens_.skip_symbol(",")) {
            break;
        }
    }
    tokens_.expect_symbol(")");
    return arguments;
}

ExpressionPtr ExpressionParser::filters_and_tests(ExpressionPtr value)
{
    while (true) {
        if (tokens_.skip_symbol("|")) {
            value = filter(std::move(value));
        } else if (tokens_.is_name("is")) {
            value = test(std::move(value));
        } else {
            return value;
        }
    }
}

ExpressionPtr ExpressionParser::filter(ExpressionPtr input)
{
    std::string name = tokens_.expect_any_name();
    while (tokens_.skip_symbol(".")) {
        name += '.';
        name += tokens_.expect_any_name();
    }
    CallArguments arguments = tokens_.is_symbol("(") ? call_arguments() : CallArguments{};
    auto made = node<Filter>(input, arguments);
    made->input = std::move(input);
    made->name = std::move(name);
    made->arguments = std::move(arguments);
    return made;
}

ExpressionPtr ExpressionParser::test(ExpressionPtr input)
{
    tokens_.expect_name("is");
    const bool negated = tokens_.skip_name("not");
    std::string name = tokens_.expect_any_name();
    CallArguments arguments;
    if (tokens_.is_symbol("(")) {
        arguments = call_arguments();
    } else if (value_may_begin() && !tokens_.is_symbol("-") && !tokens_.is_symbol("+") && !tokens_.is_name("else") &&
               !tokens_.is_name("or") && !tokens_.is_name("and") && !tokens_.is_name("is") && !tokens_.is_name("if") &&
               !tokens_.is_name("in") && !tokens_.is_name("not") && !tokens_.is_name("recursive")) {
        arguments.positional.push_back(postfix(primary())); // x is divisibleby 3
    }
    auto made = node<Test>(input, arguments);
    made->input = std::move(input);
    made->name = std::move(name);
    made->arguments = std::move(arguments);
    made->negated = negated;
    return made;
}

} // namespace constela::text::jinja
