// SPDX-License-Identifier: GPL-3.0-or-later
//
// str() and repr() of values, as Python writes them.
#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/value.h"

#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace constela::text::jinja {

namespace {

/// Writes into one text, paying for each piece.
class Writer {
public:
    explicit Writer(Budget& budget) : budget_(budget) {}

    void value(const Value& value)
    {
        if (const List* list = value.as_list()) {
            return sequence(*list);
        }
        if (const Dict* dict = value.as_dict()) {
            return mapping(*dict);
        }
        if (const MarkedText* text = value.as_text()) {
            return quoted(*text);
        }
        add(plain(value));
    }

    /// Text of a value that holds no others and is no text itself.
    static std::string plain(const Value& value)
    {
        if (value.is_undefined()) {
            return {};
        }
        if (value.is_none()) {
            return "None";
        }
        if (const bool* truth = value.as_bool()) {
            return *truth ? "True" : "False";
        }
        if (const std::int64_t* integer = value.as_integer()) {
            return fmt::format("{}", *integer);
        }
        if (const double* number = value.as_float()) {
            return float_text(*number);
        }
        return fmt::format("<{}>", value.type_name());
    }

    void add(std::string_view text)
    {
        budget_.charge(text.size());
        out_.append(MarkedText::by_template(text));
    }
    [[nodiscard]] MarkedText take() { return std::move(out_); }

private:
    void sequence(const List& list)
    {
        add(list.tuple ? "(" : "[");
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            add(i == 0 ? "" : ", ");
            value(list.items[i]);
        }
        add(list.tuple ? (list.items.size() == 1 ? ",)" : ")") : "]");
    }

    void mapping(const Dict& dict)
    {
        add("{");
        for (std::size_t i = 0; i < dict.items.size(); ++i) {
            add(i == 0 ? "" : ", ");
            value(dict.items[i].first);
            add(": ");
            value(dict.items[i].second);
        }
        add("}");
    }

    void quoted(const MarkedText& text)
    {
        budget_.charge(text.text.size() * 2);
        const bool single = text.text.find('\'') != std::string::npos && text.text.find('"') == std::string::npos;
        const char quote = single ? '"' : '\'';
        add(std::string_view(&quote, 1));
        for (std::size_t at = 0; at < text.text.size();) {
            const std::size_t length = character_length(text.text, at);
            const std::string piece = escaped(text.text.substr(at, length), quote);
            out_.text += piece;
            out_.from_person.append(piece.size(), text.from_person[at]);
            at += length;
        }
        add(std::string_view(&quote, 1));
    }

    static std::string escaped(const std::string& character, char quote)
    {
        const auto byte = static_cast<unsigned char>(character[0]);
        if (character.size() > 1) {
            return character;
        }
        if (byte == static_cast<unsigned char>(quote) || byte == '\\') {
            return std::string{'\\', character[0]};
        }
        switch (byte) {
        case '\n': return "\\n";
        case '\r': return "\\r";
        case '\t': return "\\t";
        default: return byte < 0x20 || byte >= 0x7F ? fmt::format("\\x{:02x}", byte) : character;
        }
    }

    Budget& budget_;
    MarkedText out_;
};

} // namespace

std::string float_text(double value)
{
    if (std::isnan(value)) {
        return "nan";
    }
    if (std::isinf(value)) {
        return value < 0 ? "-inf" : "inf";
    }
    // The shortest digits that read back as the same number; Python writes them out between 1e-4 and 1e16.
    std::array<char, 64> buffer{};
    const double magnitude = std::abs(value);
    const bool written_out = magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16);
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   written_out ? std::chars_format::fixed : std::chars_format::scientific);
    std::string text(buffer.data(), end.ptr);
    if (written_out && text.find('.') == std::string::npos) {
        text += ".0";
    }
    return text;
}

MarkedText to_text(Budget& budget, const Value& value)
{
    if (const MarkedText* text = value.as_text()) {
        budget.charge(text->text.size());
        return *text;
    }
    Writer writer(budget);
    writer.value(value);
    return writer.take();
}

MarkedText to_repr(Budget& budget, const Value& value)
{
    Writer writer(budget);
    writer.value(value);
    return writer.take();
}

} // namespace constela::text::jinja
