// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/from_json.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

namespace constela::text::jinja {

namespace {

constexpr std::array<std::string_view, 10> kRoles{"system", "user",  "assistant", "tool",     "developer",
                                                  "model",  "human", "ipython",   "function", "observation"};
constexpr unsigned kDeepest = 150;

Value convert(Budget& budget, const nlohmann::ordered_json& json, bool is_role, unsigned depth)
{
    if (depth > kDeepest) {
        fail("The conversation is nested deeper than {} levels.", kDeepest);
    }
    budget.charge(1);
    switch (json.type()) {
    case nlohmann::ordered_json::value_t::boolean: return json.get<bool>();
    case nlohmann::ordered_json::value_t::number_integer: return json.get<std::int64_t>();
    case nlohmann::ordered_json::value_t::number_unsigned: {
        const auto number = json.get<std::uint64_t>();
        return number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
                   ? Value(static_cast<std::int64_t>(number))
                   : Value(static_cast<double>(number));
    }
    case nlohmann::ordered_json::value_t::number_float: return json.get<double>();
    case nlohmann::ordered_json::value_t::string: {
        const auto& text = json.get_ref<const std::string&>();
        budget.charge(text.size() / 8);
        const bool known = is_role && std::find(kRoles.begin(), kRoles.end(), text) != kRoles.end();
        return known ? MarkedText::by_template(text) : MarkedText::by_person(text);
    }
    case nlohmann::ordered_json::value_t::array: {
        std::vector<Value> items;
        for (const auto& item : json) {
            items.push_back(convert(budget, item, false, depth + 1));
        }
        return Value::list(std::move(items));
    }
    case nlohmann::ordered_json::value_t::object: {
        std::vector<std::pair<Value, Value>> items;
        for (const auto& [key, value] : json.items()) {
            items.emplace_back(MarkedText::by_person(key), convert(budget, value, key == "role", depth + 1));
        }
        return Value::dict(std::move(items));
    }
    default: return None{};
    }
}

} // namespace

Value from_json(Budget& budget, const nlohmann::ordered_json& json)
{
    return convert(budget, json, false, 0);
}

} // namespace constela::text::jinja
