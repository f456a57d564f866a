// SPDX-License-Identifier: GPL-3.0-or-later
//
// Escapes in string literals, as Python's unicode-escape resolves them.
#pragma once

#include <string>
#include <string_view>

namespace constela::text::jinja {

/// What is no escape stays as it stands, its backslash included.
[[nodiscard]] std::string resolve_escapes(std::string_view text);

} // namespace constela::text::jinja
