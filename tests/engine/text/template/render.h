// SPDX-License-Identifier: GPL-3.0-or-later
//
// Renders a template in one line, for tests.
#pragma once

#include "engine/text/chat_template.h"

#include <string>

namespace constela::test {

/// The text, or "error: " and its sentence.
inline std::string rendered(const std::string& source, const nlohmann::ordered_json& variables = {})
{
    const auto parsed = text::ChatTemplate::parse(source);
    if (!parsed) {
        return "error: " + parsed.error().text();
    }
    text::TemplateInput input;
    input.messages = nlohmann::ordered_json::array();
    input.today = "2026-12-01";
    if (variables.is_object()) {
        input.extra = variables;
    }
    const auto result = parsed->render(input);
    return result ? result->text : "error: " + result.error().text();
}

} // namespace constela::test
