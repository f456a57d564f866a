// SPDX-License-Identifier: GPL-3.0-or-later
//
// From tokens to the tree: Jinja's grammar, as far as chat templates use it. Imports, inheritance and extensions other
// than loop controls and generation marks are refused.
#pragma once

#include "engine/text/jinja/ast.h"

#include <string_view>

namespace constela::text::jinja {

/// Throws TemplateError, with the line, where the source is no template.
[[nodiscard]] Body parse(std::string_view source);

} // namespace constela::text::jinja
