// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python's two ways of formatting, as far as templates use them: %s %d %i %f %x %r %% with flags, width and precision;
// {} {0} {name} without a format of their own.
#include "engine/text/jinja/builtins.h"
#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/text_tools.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

namespace constela::text::jinja {

namespace {

struct Directive {
    bool left = false;
    bool zeros = false;
    bool plus = false;
    std::int64_t width = 0;
    int precision = -1;
    char kind = 's';
};

/// Reads the percent directives of one format, one after the other.
class PercentFormat {
public:
    PercentFormat(Budget& budget, const MarkedText& format, const Value& values)
        : budget_(budget), format_(format), values_(values)
    {
    }

    MarkedText run()
    {
        const std::string& text = format_.text;
        std::size_t begin = 0;
        for (at_ = text.find('%'); at_ != std::string::npos; at_ = text.find('%', begin)) {
            add(slice(format_, begin, at_ - begin));
            ++at_;
            one();
            begin = at_;
        }
        add(slice(format_, begin, text.size() - begin));
        if (values_.as_dict() == nullptr && values_.as_list() != nullptr && values_.as_list()->tuple &&
            next_ < values_.as_list()->items.size()) {
            fail_render("not all arguments converted during string formatting");
        }
        return std::move(result_);
    }

private:
    [[nodiscard]] char peek() const { return at_ < format_.text.size() ? format_.text[at_] : '\0'; }

    void add(const MarkedText& text)
    {
        budget_.charge(text.text.size());
        result_.append(text);
    }

    std::int64_t number()
    {
        std::int64_t value = 0;
        while (peek() >= '0' && peek() <= '9') {
            value = std::min<std::int64_t>(value * 10 + (peek() - '0'), 1'000'000);
            ++at_;
        }
        return value;
    }

    void one()
    {
        std::optional<Value> named;
        if (peek() == '(') {
            const std::size_t close = format_.text.find(')', at_);
            if (close == std::string::npos || values_.as_dict() == nullptr) {
                fail_render("format requires a mapping");
            }
            const Value* found =
                find(budget_, *values_.as_dict(), std::string_view(format_.text).substr(at_ + 1, close - at_ - 1));
            named = found == nullptr ? Value::undefined("a name of the format is missing") : *found;
            at_ = close + 1;
        }
        Directive directive;
        for (; peek() == '-' || peek() == '0' || peek() == '+' || peek() == ' ' || peek() == '#'; ++at_) {
            directive.left |= peek() == '-';
            directive.zeros |= peek() == '0';
            directive.plus |= peek() == '+';
        }
        directive.width = number();
        if (peek() == '.') {
            ++at_;
            directive.precision = static_cast<int>(std::min<std::int64_t>(number(), 100));
        }
        directive.kind = peek();
        if (directive.kind == '\0') {
            fail_render("incomplete format");
        }
        ++at_;
        if (directive.kind == '%') {
            return add(MarkedText::by_template("%"));
        }
        put(directive, named ? *named : next());
    }

    const Value& next()
    {
        const List* list = values_.as_list();
        const bool tuple = list != nullptr && list->tuple;
        if (next_ >= (tuple ? list->items.size() : 1)) {
            fail_render("not enough arguments for format string");
        }
        const std::size_t index = next_++;
        return tuple ? list->items[index] : values_;
    }

    void put(const Directive& directive, const Value& value)
    {
        value.need_defined();
        MarkedText text;
        bool numeric = true;
        switch (directive.kind) {
        case 's':
        case 'r':
            numeric = false;
            text = directive.kind == 's' ? to_text(budget_, value) : to_repr(budget_, value);
            if (directive.precision >= 0) {
                text = slice(text, 0, byte_of(text.text, static_cast<std::size_t>(directive.precision)));
            }
            break;
        case 'd':
        case 'i':
        case 'u': text = MarkedText::by_template(fmt::format("{}", integer(value))); break;
        case 'x': text = MarkedText::by_template(fmt::format("{:x}", integer(value))); break;
        case 'X': text = MarkedText::by_template(fmt::format("{:X}", integer(value))); break;
        case 'f':
        case 'F': text = MarkedText::by_template(fmt::format("{:.{}f}", real(value), precision(directive))); break;
        case 'e': text = MarkedText::by_template(fmt::format("{:.{}e}", real(value), precision(directive))); break;
        case 'g': text = MarkedText::by_template(fmt::format("{:.{}g}", real(value), precision(directive))); break;
        default: fail_render(fmt::format("unsupported format character '{}'", directive.kind));
        }
        if (numeric && directive.plus && text.text[0] != '-') {
            MarkedText sign = MarkedText::by_template("+");
            sign.append(text);
            text = std::move(sign);
        }
        const bool zeros = numeric && directive.zeros && !directive.left;
        add(padded(budget_, text, directive.width, MarkedText::by_template(zeros ? "0" : " "),
                   directive.left ? Side::left : Side::right));
    }

    static int precision(const Directive& directive) { return directive.precision < 0 ? 6 : directive.precision; }
    static double real(const Value& value)
    {
        if (!value.is_number()) {
            fail_render(fmt::format("must be real number, not {}", value.type_name()));
        }
        return value.number();
    }
    static std::int64_t integer(const Value& value)
    {
        const double number = real(value);
        if (value.is_integral()) {
            return value.integer();
        }
        if (!(number > -9e18 && number < 9e18)) {
            fail_render("cannot convert the number to an integer");
        }
        return static_cast<std::int64_t>(number);
    }

    Budget& budget_;
    const MarkedText& format_;
    const Value& values_;
    std::size_t at_ = 0;
    std::size_t next_ = 0;
    MarkedText result_;
};

} // namespace

MarkedText percent_format(Budget& budget, const MarkedText& format, const Value& values)
{
    return PercentFormat(budget, format, values).run();
}

MarkedText brace_format(Budget& budget, const MarkedText& format, const Arguments& arguments)
{
    const std::string& text = format.text;
    MarkedText result;
    std::size_t next = 0;
    for (std::size_t at = 0; at < text.size();) {
        budget.charge(1);
        const bool doubled = at + 1 < text.size() && text[at + 1] == text[at];
        if ((text[at] == '{' || text[at] == '}') && doubled) {
            result.append(slice(format, at, 1));
            at += 2;
            continue;
        }
        if (text[at] != '{') {
            result.append(slice(format, at, 1));
            ++at;
            continue;
        }
        const std::size_t close = text.find('}', at);
        if (close == std::string::npos) {
            fail_render("expected '}' before end of string");
        }
        const std::string_view field = std::string_view(text).substr(at + 1, close - at - 1);
        std::size_t index = next;
        const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), index);
        const bool numbered = error == std::errc() && end == field.data() + field.size();
        if (field.find_first_of(":!.[{") != std::string_view::npos) {
            fail_render("formats inside of {} are not supported");
        }
        const Value* value =
            field.empty() || numbered ? arguments.find(index, "") : arguments.find(~std::size_t{0}, field);
        if (value == nullptr) {
            fail_render("a value for the format is missing");
        }
        next += field.empty() ? 1U : 0U;
        result.append(to_text(budget, *value));
        at = close + 1;
    }
    return result;
}

} // namespace constela::text::jinja
