// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tokens end anywhere, characters do not: holds back the bytes of a character that is not complete yet.
#pragma once

#include <string>
#include <string_view>

namespace constela::text {

class Utf8Stream {
public:
    /// Adds bytes and returns what is complete now. Bytes that can never become a character turn into U+FFFD.
    [[nodiscard]] std::string feed(std::string_view bytes);
    /// What is left at the end: U+FFFD for an unfinished character, else nothing.
    [[nodiscard]] std::string finish();

private:
    std::string pending_;
};

} // namespace constela::text
