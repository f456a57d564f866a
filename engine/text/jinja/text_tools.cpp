// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/text_tools.h"

#include "engine/text/jinja/characters.h"

#include <algorithm>

namespace constela::text::jinja {

namespace {

/// Where each character begins, and the end.
std::vector<std::size_t> begins_of(std::string_view text)
{
    std::vector<std::size_t> begins;
    for (std::size_t at = 0; at < text.size(); at += character_length(text, at)) {
        begins.push_back(at);
    }
    begins.push_back(text.size());
    return begins;
}

std::vector<Value> split_at_blanks(const MarkedText& text, std::int64_t most)
{
    std::vector<Value> parts;
    std::size_t at = 0;
    const auto skip_blanks = [&] {
        while (at < text.text.size() && is_blank(code_point(text.text, at))) {
            at += character_length(text.text, at);
        }
    };
    skip_blanks();
    while (at < text.text.size()) {
        if (most == 0) {
            parts.emplace_back(slice(text, at, text.text.size() - at)); // its blanks at the end stay
            break;
        }
        const std::size_t begin = at;
        while (at < text.text.size() && !is_blank(code_point(text.text, at))) {
            at += character_length(text.text, at);
        }
        parts.emplace_back(slice(text, begin, at - begin));
        --most;
        skip_blanks();
    }
    return parts;
}

} // namespace

MarkedText stripped(Budget& budget, const MarkedText& text, Side side, const std::optional<std::string>& which)
{
    budget.charge(text.text.size());
    const auto goes = [&](std::size_t at, std::size_t length) {
        return which ? which->find(text.text.substr(at, length)) != std::string::npos
                     : is_blank(code_point(text.text, at));
    };
    std::size_t first = 0;
    std::size_t last = text.text.size();
    if (side != Side::right) {
        while (first < last) {
            const std::size_t length = character_length(text.text, first);
            if (!goes(first, length)) {
                break;
            }
            first += length;
        }
    }
    while (side != Side::left && last > first) {
        std::size_t begin = last - 1;
        while (begin > first && (static_cast<unsigned char>(text.text[begin]) & 0xC0U) == 0x80U && last - begin < 4) {
            --begin;
        }
        if (begin + character_length(text.text, begin) != last) {
            begin = last - 1; // broken bytes
        }
        if (!goes(begin, last - begin)) {
            break;
        }
        last = begin;
    }
    return slice(text, first, last - first);
}

Value split(Budget& budget, const MarkedText& text, const std::optional<std::string>& separator, std::int64_t most)
{
    budget.charge(text.text.size() * 2);
    if (!separator) {
        return Value::list(split_at_blanks(text, most));
    }
    if (separator->empty()) {
        fail_render("empty separator");
    }
    std::vector<Value> parts;
    std::size_t at = 0;
    for (std::size_t found = text.text.find(*separator); found != std::string::npos && most != 0;
         found = text.text.find(*separator, at)) {
        budget.charge(8);
        parts.emplace_back(slice(text, at, found - at));
        at = found + separator->size();
        --most;
    }
    parts.emplace_back(slice(text, at, text.text.size() - at));
    return Value::list(std::move(parts));
}

Value split_from_right(Budget& budget, const MarkedText& text, const std::optional<std::string>& separator,
                       std::int64_t most)
{
    const Value all = split(budget, text, separator, -1);
    const std::vector<Value>& parts = all.as_list()->items;
    if (most < 0 || parts.size() <= static_cast<std::size_t>(most) + 1) {
        return all;
    }
    // The parts on the left stay together as they stood.
    const std::size_t kept = parts.size() - static_cast<std::size_t>(most);
    std::size_t end = text.text.size();
    for (std::size_t i = parts.size(); i > kept; --i) {
        end = text.text.rfind(parts[i - 1].as_text()->text, end - parts[i - 1].as_text()->text.size());
        end = separator ? end - separator->size() : end;
    }
    MarkedText left = slice(text, 0, end);
    if (!separator) {
        left = stripped(budget, left, Side::both, std::nullopt);
    }
    std::vector<Value> result{std::move(left)};
    result.insert(result.end(), parts.begin() + static_cast<std::ptrdiff_t>(kept), parts.end());
    return Value::list(std::move(result));
}

Value split_lines(Budget& budget, const MarkedText& text, bool keep_ends)
{
    budget.charge(text.text.size() * 2);
    std::vector<Value> lines;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.text.size();) {
        const char32_t character = code_point(text.text, at);
        std::size_t length = character_length(text.text, at);
        const bool ends = (character >= 0x0A && character <= 0x0D) || (character >= 0x1C && character <= 0x1E) ||
                          character == 0x85 || character == 0x2028 || character == 0x2029;
        if (ends) {
            length += text.text.compare(at, 2, "\r\n") == 0 ? 1U : 0U;
            lines.emplace_back(slice(text, begin, at - begin + (keep_ends ? length : 0)));
            begin = at + length;
        }
        at += length;
    }
    if (begin < text.text.size()) {
        lines.emplace_back(slice(text, begin, text.text.size() - begin));
    }
    return Value::list(std::move(lines));
}

MarkedText replaced(Budget& budget, const MarkedText& text, const MarkedText& from, const MarkedText& to,
                    std::int64_t most)
{
    budget.charge(text.text.size());
    MarkedText result;
    std::size_t at = 0;
    if (from.text.empty()) { // between all characters
        const std::vector<std::size_t> begins = begins_of(text.text);
        for (std::size_t i = 0; i < begins.size(); ++i, --most) {
            if (most != 0) {
                budget.charge(to.text.size());
                result.append(to);
            }
            most += most == 0 ? 1 : 0;
            if (i + 1 < begins.size()) {
                result.append(slice(text, begins[i], begins[i + 1] - begins[i]));
            }
        }
        return result;
    }
    for (std::size_t found = text.text.find(from.text); found != std::string::npos && most != 0;
         found = text.text.find(from.text, at)) {
        budget.charge(to.text.size() + 1);
        result.append(slice(text, at, found - at));
        result.append(to);
        at = found + from.text.size();
        --most;
    }
    result.append(slice(text, at, text.text.size() - at));
    return result;
}

MarkedText joined(Budget& budget, const MarkedText& separator, const std::vector<Value>& items, bool only_text)
{
    MarkedText result;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i > 0) {
            budget.charge(separator.text.size());
            result.append(separator);
        }
        if (only_text && items[i].as_text() == nullptr) {
            fail_render("sequence item " + std::to_string(i) + ": expected str instance, " + items[i].type_name() +
                        " found");
        }
        result.append(to_text(budget, items[i]));
    }
    return result;
}

MarkedText upper(Budget& budget, const MarkedText& text)
{
    budget.charge(text.text.size());
    return each_character(text, [](char32_t c, bool) { return upper_case(c); });
}

MarkedText lower(Budget& budget, const MarkedText& text)
{
    budget.charge(text.text.size());
    return each_character(text, [](char32_t c, bool) { return lower_case(c); });
}

MarkedText capitalized(Budget& budget, const MarkedText& text)
{
    budget.charge(text.text.size());
    bool first = true;
    return each_character(
        text, [&](char32_t c, bool) { return std::exchange(first, false) ? upper_case(c) : lower_case(c); });
}

MarkedText titled(Budget& budget, const MarkedText& text)
{
    budget.charge(text.text.size());
    return each_character(text, [](char32_t c, bool begins) { return begins ? upper_case(c) : lower_case(c); });
}

MarkedText padded(Budget& budget, const MarkedText& text, std::int64_t width, const MarkedText& fill, Side side)
{
    const auto length = static_cast<std::int64_t>(character_count(text.text));
    if (width <= length) {
        return text;
    }
    const std::int64_t missing = std::min<std::int64_t>(width - length, 100'000'000);
    budget.charge(static_cast<std::size_t>(missing) * fill.text.size() + text.text.size());
    const std::int64_t before =
        side == Side::left ? 0 : (side == Side::right ? missing : missing / 2 + (missing & width & 1));
    MarkedText result;
    for (std::int64_t i = 0; i < missing; ++i) {
        if (i == before) {
            result.append(text);
        }
        result.append(fill);
    }
    if (before == missing) {
        result.append(text);
    }
    return result;
}

} // namespace constela::text::jinja
