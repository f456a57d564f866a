// SPDX-License-Identifier: GPL-3.0-or-later
//
// Words to the person at the terminal. All of it goes to stderr.
#pragma once

#include "engine/base/result.h"

#include <chrono>
#include <string>
#include <string_view>

namespace constela::ctl {

/// A line of its own.
void notice(std::string_view sentence);
/// One line whatever the text holds.
[[nodiscard]] std::string one_line(std::string text);
/// Whether stderr may be coloured: a terminal, and neither NO_COLOR (no-color.org) nor TERM=dumb.
[[nodiscard]] bool colours();
/// The text, dim where colours are welcome.
[[nodiscard]] std::string dim(std::string_view text);

/// "134.5 million"
[[nodiscard]] std::string count_text(std::uint64_t count);

/// A bar for long work, shown only on a terminal and taken away at its end.
class Progress {
public:
    explicit Progress(std::string what);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// part: 0 to 1.
    void show(double part, std::string_view detail = {});
    void clear();

private:
    std::string what_;
    bool on_;
    bool shown_ = false;
    std::chrono::steady_clock::time_point last_{};
};

} // namespace constela::ctl
