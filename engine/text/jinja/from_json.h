// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a person brings, as values of a template: every text in it is marked as the person's.
#pragma once

#include "engine/text/jinja/value.h"

#include <nlohmann/json_fwd.hpp>

namespace constela::text::jinja {

/// The well-known names of roles ("user", "assistant" ...) as values of "role" count as the template's own: templates
/// write them into their markers, and no person can say anything with them.
[[nodiscard]] Value from_json(Budget& budget, const nlohmann::ordered_json& json);

} // namespace constela::text::jinja
