// SPDX-License-Identifier: GPL-3.0-or-later
//
// Text that remembers, byte by byte, whether a template wrote it or a person did. Only bytes that a template wrote may
// become special tokens; "<|im_end|>" typed by a person stays plain text.
#pragma once

#include <string>
#include <string_view>

namespace constela::text {

struct MarkedText {
    std::string text;
    /// As long as `text`: 1 where a person's text stands, 0 where the template's own does.
    std::string from_person;

    [[nodiscard]] static MarkedText by_template(std::string_view text)
    {
        return {std::string(text), std::string(text.size(), '\0')};
    }
    [[nodiscard]] static MarkedText by_person(std::string_view text)
    {
        return {std::string(text), std::string(text.size(), '\1')};
    }
    void append(const MarkedText& other)
    {
        text += other.text;
        from_person += other.from_person;
    }
};

} // namespace constela::text
