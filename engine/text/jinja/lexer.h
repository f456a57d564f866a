// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cuts a template into plain text, tags and what stands in them, with the blanks around tags taken away as Jinja does
// under trim_blocks and lstrip_blocks (Jinja's documentation, "Whitespace Control").
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace constela::text::jinja {

struct Token {
    enum class Kind : unsigned char {
        text,
        variable_begin,
        variable_end,
        block_begin,
        block_end,
        name,
        string,
        integer,
        real,
        symbol,
        end
    };
    Kind kind = Kind::end;
    std::string value; ///< Strings with their escapes resolved.
    std::size_t line = 1;
};

/// Throws TemplateError where a tag, a comment or a string is not ended, or a character has no meaning.
[[nodiscard]] std::vector<Token> tokenize(std::string_view source);

/// A syntax error; `what` is technical and stays English.
[[noreturn]] void fail_syntax(std::size_t line, const std::string& what);

} // namespace constela::text::jinja
