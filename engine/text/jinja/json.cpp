// SPDX-License-Identifier: GPL-3.0-or-later
//
// json.dumps (RFC 8259, with Python's separators).
#include "engine/text/jinja/builtins.h"
#include "engine/text/jinja/characters.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace constela::text::jinja {

namespace {

class JsonWriter {
public:
    JsonWriter(Budget& budget, const JsonStyle& style) : budget_(budget), style_(style) {}

    void value(const Value& value)
    {
        if (const MarkedText* text = value.as_text()) {
            return quoted(*text);
        }
        if (const List* list = value.as_list()) {
            open('[');
            for (const Value& item : list->items) {
                begin_item();
                this->value(item);
            }
            return close(']');
        }
        if (const Dict* dict = value.as_dict()) {
            return mapping(*dict);
        }
        add(scalar(value));
    }

    [[nodiscard]] MarkedText take() { return std::move(out_); }

private:
    static std::string scalar(const Value& value)
    {
        if (value.is_none()) {
            return "null";
        }
        if (const bool* truth = value.as_bool()) {
            return *truth ? "true" : "false";
        }
        if (const double* number = value.as_float()) {
            return std::isnan(*number)   ? "NaN"
                   : std::isinf(*number) ? (*number < 0 ? "-Infinity" : "Infinity")
                                         : float_text(*number);
        }
        if (value.as_integer() == nullptr) {
            fail_render(fmt::format("Object of type {} is not JSON serializable", value.type_name()));
        }
        return fmt::format("{}", value.integer());
    }

    void mapping(const Dict& dict)
    {
        std::vector<const std::pair<Value, Value>*> items;
        for (const auto& item : dict.items) {
            items.push_back(&item);
        }
        if (style_.sorted) {
            std::stable_sort(items.begin(), items.end(),
                             [&](const auto* a, const auto* b) { return compare(budget_, a->first, b->first) < 0; });
        }
        open('{');
        for (const auto* item : items) {
            begin_item();
            if (const MarkedText* key = item->first.as_text()) {
                quoted(*key);
            } else {
                add(fmt::format("\"{}\"", scalar(item->first)));
            }
            add(style_.key_separator);
            value(item->second);
        }
        close('}');
    }

    void open(char bracket)
    {
        add(std::string_view(&bracket, 1));
        filled_.push_back(false);
    }
    void begin_item()
    {
        if (filled_.back()) {
            add(style_.item_separator);
        }
        filled_.back() = true;
        new_line();
    }
    void close(char bracket)
    {
        const bool filled = filled_.back();
        filled_.pop_back();
        if (filled) {
            new_line();
        }
        add(std::string_view(&bracket, 1));
    }
    void new_line()
    {
        if (style_.indent) {
            add("\n");
            for (std::size_t i = 0; i < filled_.size(); ++i) {
                add(*style_.indent);
            }
        }
    }

    void quoted(const MarkedText& text)
    {
        budget_.charge(text.text.size());
        add("\"");
        for (std::size_t at = 0; at < text.text.size();) {
            const std::size_t length = character_length(text.text, at);
            const std::string piece = escaped(text.text, at, length);
            out_.text += piece;
            out_.from_person.append(piece.size(), text.from_person[at]);
            at += length;
        }
        add("\"");
    }

    [[nodiscard]] std::string escaped(const std::string& text, std::size_t at, std::size_t length) const
    {
        switch (text[at]) {
        case '"': return "\\\"";
        case '\\': return "\\\\";
        case '\n': return "\\n";
        case '\r': return "\\r";
        case '\t': return "\\t";
        case '\b': return "\\b";
        case '\f': return "\\f";
        default: break;
        }
        const char32_t character = code_point(text, at);
        if (character < 0x20) {
            return fmt::format("\\u{:04x}", static_cast<unsigned>(character));
        }
        if (!style_.ascii_only || character < 0x7F) {
            return text.substr(at, length);
        }
        if (character < 0x10000) {
            return fmt::format("\\u{:04x}", static_cast<unsigned>(character));
        }
        const auto rest = static_cast<unsigned>(character) - 0x10000U;
        return fmt::format("\\u{:04x}\\u{:04x}", 0xD800U + (rest >> 10U), 0xDC00U + (rest & 0x3FFU));
    }

    void add(std::string_view text)
    {
        budget_.charge(text.size());
        out_.append(MarkedText::by_template(text));
    }

    Budget& budget_;
    const JsonStyle& style_;
    MarkedText out_;
    std::vector<bool> filled_; ///< By open bracket: whether it holds something already.
};

} // namespace

MarkedText to_json(Budget& budget, const Value& value, const JsonStyle& style)
{
    JsonWriter writer(budget, style);
    writer.value(value);
    return writer.take();
}

} // namespace constela::text::jinja
