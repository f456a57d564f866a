// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/lexer.h"

#include "engine/text/jinja/budget.h"
#include "engine/text/jinja/string_literal.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace constela::text::jinja {

namespace {

bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}
bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}
bool begins_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

/// Longest first.
constexpr std::array<std::string_view, 25> kSymbols{"**", "//", "==", "!=", ">=", "<=", "+", "-", "*",
                                                    "/",  "%",  "~",  "[",  "]",  "(",  ")", "{", "}",
                                                    ">",  "<",  "=",  ".",  ":",  "|",  ","};

std::string with_plain_newlines(std::string_view source)
{
    std::string text;
    text.reserve(source.size());
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (source[i] == '\r') {
            text += '\n';
            i += i + 1 < source.size() && source[i + 1] == '\n' ? 1U : 0U;
        } else {
            text += source[i];
        }
    }
    if (!text.empty() && text.back() == '\n') {
        text.pop_back(); // one newline at the very end is the editor's
    }
    return text;
}

class Lexer {
public:
    explicit Lexer(std::string_view source) : source_(with_plain_newlines(source)) {}

    std::vector<Token> run()
    {
        while (at_ < source_.size()) {
            const std::size_t tag = next_tag();
            const char kind = tag == std::string::npos ? '\0' : source_[tag + 1];
            plain_text(tag, kind);
            if (tag == std::string::npos) {
                break;
            }
            skip(2 + (has_sign(tag + 2) ? 1 : 0));
            if (kind == '#') {
                comment();
            } else if (kind == '%' && raw_begins()) {
                raw();
            } else {
                inside(kind == '%');
            }
        }
        add(Token::Kind::end, {});
        return std::move(tokens_);
    }

private:
    [[nodiscard]] bool has_sign(std::size_t at) const
    {
        return at < source_.size() && (source_[at] == '-' || source_[at] == '+');
    }
    [[nodiscard]] bool here(std::string_view text) const { return source_.compare(at_, text.size(), text) == 0; }

    void add(Token::Kind kind, std::string value) { tokens_.push_back({kind, std::move(value), line_}); }

    void skip(std::size_t count)
    {
        const std::size_t end = std::min(at_ + count, source_.size());
        line_ += static_cast<std::size_t>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                     source_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        at_ = end;
    }
    void skip_space()
    {
        std::size_t count = 0;
        while (at_ + count < source_.size() && is_space(source_[at_ + count])) {
            ++count;
        }
        skip(count);
    }

    [[nodiscard]] std::size_t next_tag() const
    {
        for (std::size_t i = at_; i + 1 < source_.size(); ++i) {
            if (source_[i] == '{' && (source_[i + 1] == '{' || source_[i + 1] == '%' || source_[i + 1] == '#')) {
                return i;
            }
        }
        return std::string::npos;
    }

    /// The text up to a tag, which may take the blanks before it away.
    void plain_text(std::size_t tag, char kind)
    {
        const std::size_t end = tag == std::string::npos ? source_.size() : tag;
        add_stripped(source_.substr(at_, end - at_), tag, kind != '{');
        skip(end - at_);
        line_starts_ = false;
    }

    void add_stripped(std::string text, std::size_t tag, bool strips_line)
    {
        if (tag != std::string::npos) {
            const char sign = tag + 2 < source_.size() ? source_[tag + 2] : '\0';
            if (sign == '-') {
                while (!text.empty() && is_space(text.back())) {
                    text.pop_back();
                }
            } else if (strips_line && sign != '+') {
                const std::size_t newline = text.rfind('\n');
                const std::size_t line = newline == std::string::npos ? 0 : newline + 1;
                const bool blank = text.find_first_not_of(" \t\v\f", line) == std::string::npos;
                if (blank && (newline != std::string::npos || line_starts_)) {
                    text.resize(line);
                }
            }
        }
        if (!text.empty()) {
            add(Token::Kind::text, std::move(text));
        }
    }

    /// After the sign of a closing tag: what follows loses its blanks, or its first newline.
    void after_tag(char sign, bool trims_newline)
    {
        line_starts_ = false;
        if (sign == '-') {
            const std::size_t before = at_;
            skip_space();
            line_starts_ = at_ > before && source_[at_ - 1] == '\n';
        } else if (trims_newline && sign != '+' && at_ < source_.size() && source_[at_] == '\n') {
            skip(1);
            line_starts_ = true;
        }
    }

    void comment()
    {
        const std::size_t end = source_.find("#}", at_);
        if (end == std::string::npos) {
            fail_syntax(line_, "a comment is not ended");
        }
        const char sign = end > at_ ? source_[end - 1] : '\0';
        skip(end + 2 - at_);
        after_tag(sign == '-' || sign == '+' ? sign : '\0', true);
    }

    /// Whether the tag that begins here is {% NAME %}; gives the place after it and the sign at its end.
    [[nodiscard]] bool simple_tag(std::size_t at, std::string_view name, std::size_t& after, char& sign) const
    {
        const auto skip_blanks = [&] {
            while (at < source_.size() && is_space(source_[at])) {
                ++at;
            }
        };
        skip_blanks();
        if (source_.compare(at, name.size(), name) != 0) {
            return false;
        }
        at += name.size();
        skip_blanks();
        sign = has_sign(at) ? source_[at++] : '\0';
        after = at + 2;
        return source_.compare(at, 2, "%}") == 0;
    }

    [[nodiscard]] bool raw_begins() { return simple_tag(at_, "raw", raw_after_, raw_sign_); }

    void raw()
    {
        const std::size_t began = line_;
        skip(raw_after_ - at_);
        after_tag(raw_sign_ == '-' ? '-' : '\0', false);
        for (std::size_t tag = source_.find("{%", at_); tag != std::string::npos; tag = source_.find("{%", tag + 2)) {
            std::size_t after = 0;
            char sign = '\0';
            if (simple_tag(tag + 2 + (has_sign(tag + 2) ? 1 : 0), "endraw", after, sign)) {
                add_stripped(source_.substr(at_, tag - at_), tag, true);
                skip(after - at_);
                return after_tag(sign, true);
            }
        }
        fail_syntax(began, "a raw block is not ended");
    }

    /// What stands between {% and %}, or {{ and }}.
    void inside(bool block)
    {
        const std::size_t began = line_;
        const std::string_view closing = block ? "%}" : "}}";
        add(block ? Token::Kind::block_begin : Token::Kind::variable_begin, {});
        std::size_t open = 0; // brackets: a closing tag inside them is two of them
        while (true) {
            skip_space();
            if (at_ >= source_.size()) {
                fail_syntax(began, "a tag is not ended");
            }
            const bool sign = has_sign(at_);
            if (open == 0 && source_.compare(at_ + (sign ? 1 : 0), 2, closing) == 0) {
                const char mark = sign ? source_[at_] : '\0';
                add(block ? Token::Kind::block_end : Token::Kind::variable_end, {});
                skip(2 + (sign ? 1 : 0));
                return after_tag(mark, block);
            }
            one_token(open);
        }
    }

    void one_token(std::size_t& open)
    {
        const char c = source_[at_];
        if (begins_name(c)) {
            return name();
        }
        if (is_digit(c)) {
            return number();
        }
        if (c == '\'' || c == '"') {
            return string(c);
        }
        for (const std::string_view symbol : kSymbols) {
            if (here(symbol)) {
                if (c == '(' || c == '[' || c == '{') {
                    ++open;
                } else if ((c == ')' || c == ']' || c == '}') && open > 0) {
                    --open;
                }
                add(Token::Kind::symbol, std::string(symbol));
                return skip(symbol.size());
            }
        }
        fail_syntax(line_, fmt::format("the character '{}' has no meaning here", c));
    }

    void name()
    {
        std::size_t end = at_;
        while (end < source_.size() && (begins_name(source_[end]) || is_digit(source_[end]))) {
            ++end;
        }
        add(Token::Kind::name, source_.substr(at_, end - at_));
        skip(end - at_);
    }

    void number()
    {
        std::size_t end = at_;
        const auto digits = [&] {
            while (end < source_.size() && (is_digit(source_[end]) || source_[end] == '_')) {
                ++end;
            }
        };
        const auto digit_at = [&](std::size_t at) { return at < source_.size() && is_digit(source_[at]); };
        digits();
        bool real = false;
        if (end < source_.size() && source_[end] == '.' && digit_at(end + 1)) {
            real = true;
            ++end;
            digits();
        }
        if (end < source_.size() && (source_[end] == 'e' || source_[end] == 'E')) {
            const std::size_t exponent = end + 1 + (has_sign(end + 1) ? 1 : 0);
            if (digit_at(exponent)) {
                real = true;
                end = exponent;
                digits();
            }
        }
        std::string text = source_.substr(at_, end - at_);
        text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
        add(real ? Token::Kind::real : Token::Kind::integer, std::move(text));
        skip(end - at_);
    }

    void string(char quote)
    {
        std::size_t end = at_ + 1;
        while (end < source_.size() && source_[end] != quote) {
            end += source_[end] == '\\' ? 2U : 1U;
        }
        if (end >= source_.size()) {
            fail_syntax(line_, "a string is not ended");
        }
        add(Token::Kind::string, resolve_escapes(std::string_view(source_).substr(at_ + 1, end - at_ - 1)));
        skip(end + 1 - at_);
    }

    std::string source_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
    bool line_starts_ = true; ///< What was read last ended a line.
    std::size_t raw_after_ = 0;
    char raw_sign_ = '\0';
    std::vector<Token> tokens_;
};

} // namespace

std::vector<Token> tokenize(std::string_view source)
{
    return Lexer(source).run();
}

void fail_syntax(std::size_t line, const std::string& what)
{
    fail("The chat template has a mistake in line {}: {}", line, what);
}

} // namespace constela::text::jinja
