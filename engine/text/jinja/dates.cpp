// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/dates.h"

#include <array>
#include <chrono>
#include <ctime>
#include <fmt/format.h>

namespace constela::text::jinja {

namespace {

constexpr std::array<std::string_view, 12> kMonths{"January",   "February", "March",    "April",
                                                   "May",       "June",     "July",     "August",
                                                   "September", "October",  "November", "December"};
constexpr std::array<std::string_view, 7> kDays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                "Thursday", "Friday", "Saturday"};

std::chrono::sys_days days(const Date& date)
{
    return std::chrono::year(date.year) / std::chrono::month(date.month) / std::chrono::day(date.day);
}

unsigned weekday(const Date& date)
{
    return std::chrono::weekday(days(date)).c_encoding();
}

unsigned day_of_year(const Date& date)
{
    const auto first = days({date.year, 1, 1});
    return static_cast<unsigned>((days(date) - first).count()) + 1;
}

/// `plain`: without the leading zero, which "-" between % and the letter asks for.
std::string directive(const Date& date, char letter, bool plain)
{
    const auto two = [&](unsigned value) { return plain ? fmt::format("{}", value) : fmt::format("{:02}", value); };
    const unsigned hour12 = date.hour % 12 == 0 ? 12 : date.hour % 12;
    switch (letter) {
    case 'Y': return fmt::format("{}", date.year);
    case 'y': return two(static_cast<unsigned>(date.year % 100));
    case 'm': return two(date.month);
    case 'd': return two(date.day);
    case 'e': return plain ? fmt::format("{}", date.day) : fmt::format("{:2}", date.day);
    case 'H': return two(date.hour);
    case 'I': return two(hour12);
    case 'M': return two(date.minute);
    case 'S': return two(date.second);
    case 'p': return date.hour < 12 ? "AM" : "PM";
    case 'B': return std::string(kMonths.at(date.month - 1));
    case 'b':
    case 'h': return std::string(kMonths.at(date.month - 1).substr(0, 3));
    case 'A': return std::string(kDays.at(weekday(date)));
    case 'a': return std::string(kDays.at(weekday(date)).substr(0, 3));
    case 'w': return fmt::format("{}", weekday(date));
    case 'u': return fmt::format("{}", weekday(date) == 0 ? 7 : weekday(date));
    case 'j': return plain ? fmt::format("{}", day_of_year(date)) : fmt::format("{:03}", day_of_year(date));
    case 'F': return format_date(date, "%Y-%m-%d");
    case 'T':
    case 'X': return format_date(date, "%H:%M:%S");
    case 'R': return format_date(date, "%H:%M");
    case 'D':
    case 'x': return format_date(date, "%m/%d/%y");
    case 'c': return format_date(date, "%a %b %e %H:%M:%S %Y");
    case 'n': return "\n";
    case 't': return "\t";
    case '%': return "%";
    default: return std::string{'%', letter};
    }
}

} // namespace

Date clock_date()
{
    const std::time_t now = std::time(nullptr);
    std::tm local{};
#ifdef _WIN32
    localtime_s(&local, &now);
#else
    localtime_r(&now, &local);
#endif
    return {local.tm_year + 1900,
            static_cast<unsigned>(local.tm_mon + 1),
            static_cast<unsigned>(local.tm_mday),
            static_cast<unsigned>(local.tm_hour),
            static_cast<unsigned>(local.tm_min),
            static_cast<unsigned>(local.tm_sec)};
}

std::string format_date(const Date& date, std::string_view format)
{
    std::string text;
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (format[i] != '%' || i + 1 == format.size()) {
            text += format[i];
            continue;
        }
        ++i;
        const bool plain = format[i] == '-' && i + 1 < format.size();
        i += plain ? 1 : 0;
        text += directive(date, format[i], plain);
    }
    return text;
}

} // namespace constela::text::jinja
