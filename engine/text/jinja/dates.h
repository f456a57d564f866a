// SPDX-License-Identifier: GPL-3.0-or-later
//
// A day, and strftime for it, in English whatever the system's language is (POSIX, strftime).
#pragma once

#include <string>
#include <string_view>

namespace constela::text::jinja {

struct Date {
    int year = 1970;
    unsigned month = 1;
    unsigned day = 1;
    unsigned hour = 0;
    unsigned minute = 0;
    unsigned second = 0;
};

/// What the clock says, in this machine's time zone.
[[nodiscard]] Date clock_date();
[[nodiscard]] std::string format_date(const Date& date, std::string_view format);

} // namespace constela::text::jinja
