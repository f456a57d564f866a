// SPDX-License-Identifier: GPL-3.0-or-later
//
// Filters that make text of text.
#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/filters.h"
#include "engine/text/jinja/text_tools.h"

#include <array>
#include <fmt/format.h>

namespace constela::text::jinja {

namespace {

MarkedText text_of(Interpreter& interpreter, const Value& value)
{
    return to_text(interpreter.budget(), value);
}

Value trim(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    std::optional<std::string> which;
    if (const Value* chars = arguments.find(0, "chars"); chars != nullptr && !chars->is_none()) {
        which = text_argument(arguments, 0, "chars", "trim").text;
    }
    return stripped(interpreter.budget(), text_of(interpreter, input), Side::both, which);
}

Value replace(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const MarkedText from = text_of(interpreter, required(arguments, 0, "old", "replace"));
    const MarkedText to = text_of(interpreter, required(arguments, 1, "new", "replace"));
    return replaced(interpreter.budget(), text_of(interpreter, input), from, to,
                    integer_argument(arguments, 2, "count", -1));
}

Value escape(Interpreter& interpreter, const Value& input, const Arguments& /*arguments*/)
{
    const MarkedText text = text_of(interpreter, input);
    interpreter.budget().charge(text.text.size() * 5);
    MarkedText result;
    for (std::size_t i = 0; i < text.text.size(); ++i) {
        const char c = text.text[i];
        const std::string_view name = c == '&'    ? "&amp;"
                                      : c == '<'  ? "&lt;"
                                      : c == '>'  ? "&gt;"
                                      : c == '"'  ? "&#34;"
                                      : c == '\'' ? "&#39;"
                                                  : std::string_view(&c, 1);
        result.text += name;
        result.from_person.append(name.size(), text.from_person[i]);
    }
    return result;
}

Value indent(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    Budget& budget = interpreter.budget();
    const Value* width = arguments.find(0, "width");
    MarkedText margin;
    if (width != nullptr && width->as_text() != nullptr) {
        margin = *width->as_text();
    } else {
        margin =
            padded(budget, {}, integer_argument(arguments, 0, "width", 4), MarkedText::by_template(" "), Side::left);
    }
    const bool first = truth_argument(arguments, 1, "first", false);
    const bool blank = truth_argument(arguments, 2, "blank", false);
    const Value lines = split_lines(budget, text_of(interpreter, input), false);
    MarkedText result;
    const std::vector<Value>& items = lines.as_list()->items;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const MarkedText& line = *items[i].as_text();
        if (i > 0) {
            result.append(MarkedText::by_template("\n"));
        }
        if ((i > 0 || first) && (blank || !line.text.empty())) {
            budget.charge(margin.text.size());
            result.append(margin);
        }
        result.append(line);
    }
    const MarkedText whole = text_of(interpreter, input);
    if (!whole.text.empty() && whole.text.back() == '\n') {
        result.append(MarkedText::by_template("\n"));
    }
    return result;
}

Value truncate(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    Budget& budget = interpreter.budget();
    const MarkedText text = text_of(interpreter, input);
    const std::int64_t most = integer_argument(arguments, 0, "length", 255);
    const bool kill_words = truth_argument(arguments, 1, "killwords", false);
    const Value* given = arguments.find(2, "end");
    const MarkedText end = given == nullptr ? MarkedText::by_template("...") : text_of(interpreter, *given);
    const std::int64_t leeway = integer_argument(arguments, 3, "leeway", 5);
    const auto ending = static_cast<std::int64_t>(character_count(end.text));
    if (static_cast<std::int64_t>(character_count(text.text)) <= most + leeway) {
        return text;
    }
    const std::int64_t kept = std::max<std::int64_t>(most - ending, 0);
    MarkedText shorter = slice(text, 0, byte_of(text.text, static_cast<std::size_t>(kept)));
    if (!kill_words) {
        const std::size_t blank = shorter.text.rfind(' ');
        shorter = blank == std::string::npos ? shorter : slice(shorter, 0, blank);
    }
    return concatenate(budget, shorter, end);
}

Value word_wrap(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    Budget& budget = interpreter.budget();
    const auto width = static_cast<std::size_t>(std::max<std::int64_t>(integer_argument(arguments, 0, "width", 79), 1));
    MarkedText result;
    const Value lines = split_lines(budget, text_of(interpreter, input), false);
    bool first_line = true;
    for (const Value& line : lines.as_list()->items) {
        if (!std::exchange(first_line, false)) {
            result.append(MarkedText::by_template("\n"));
        }
        std::size_t column = 0;
        const Value words = split(budget, *line.as_text(), std::nullopt, -1);
        for (const Value& word : words.as_list()->items) {
            const std::size_t length = character_count(word.as_text()->text);
            if (column > 0) {
                const bool fits = column + 1 + length <= width;
                result.append(MarkedText::by_template(fits ? " " : "\n"));
                column = fits ? column + 1 : 0;
            }
            result.append(*word.as_text());
            column += length;
        }
    }
    return result;
}

/// RFC 3986, "/" left as it is.
Value url_encode(Interpreter& interpreter, const Value& input, const Arguments& /*arguments*/)
{
    const MarkedText text = text_of(interpreter, input);
    interpreter.budget().charge(text.text.size() * 3);
    constexpr std::string_view kSafe = "-._~/";
    MarkedText result;
    for (std::size_t i = 0; i < text.text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text.text[i]);
        const bool safe =
            byte < 0x80 && (is_digit(byte) || (is_letter(byte)) || kSafe.find(text.text[i]) != std::string_view::npos);
        const std::string piece = safe ? std::string(1, text.text[i]) : fmt::format("%{:02X}", byte);
        result.text += piece;
        result.from_person.append(piece.size(), text.from_person[i]);
    }
    return result;
}

Value center(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    return padded(interpreter.budget(), text_of(interpreter, input), integer_argument(arguments, 0, "width", 80),
                  MarkedText::by_template(" "), Side::both);
}

Value percent(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    std::vector<std::pair<Value, Value>> named;
    for (const auto& [name, value] : arguments.named) {
        named.emplace_back(Value::text(name), value);
    }
    const Value values = named.empty() ? Value::list(arguments.positional, true) : Value::dict(std::move(named));
    return percent_format(interpreter.budget(), text_of(interpreter, input), values);
}

template <MarkedText (*change)(Budget&, const MarkedText&)>
Value changed(Interpreter& interpreter, const Value& input, const Arguments& /*arguments*/)
{
    return change(interpreter.budget(), text_of(interpreter, input));
}

Value as_text(Interpreter& interpreter, const Value& input, const Arguments& /*arguments*/)
{
    return text_of(interpreter, input);
}

Value word_count(Interpreter& interpreter, const Value& input, const Arguments& /*arguments*/)
{
    const Value words = split(interpreter.budget(), text_of(interpreter, input), std::nullopt, -1);
    return static_cast<std::int64_t>(words.as_list()->items.size());
}

constexpr std::array kFilters{
    NamedFilter{"trim", trim},
    NamedFilter{"replace", replace},
    NamedFilter{"escape", escape},
    NamedFilter{"e", escape},
    NamedFilter{"forceescape", escape},
    NamedFilter{"indent", indent},
    NamedFilter{"truncate", truncate},
    NamedFilter{"wordwrap", word_wrap},
    NamedFilter{"urlencode", url_encode},
    NamedFilter{"center", center},
    NamedFilter{"format", percent},
    NamedFilter{"upper", changed<upper>},
    NamedFilter{"lower", changed<lower>},
    NamedFilter{"capitalize", changed<capitalized>},
    NamedFilter{"title", changed<titled>},
    NamedFilter{"string", as_text},
    NamedFilter{"safe", as_text},
    NamedFilter{"wordcount", word_count},
};

} // namespace

std::span<const NamedFilter> text_filters()
{
    return kFilters;
}

} // namespace constela::text::jinja
