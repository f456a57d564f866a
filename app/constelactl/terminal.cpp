// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/constelactl/terminal.h"
#include "app/constelactl/platform.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>

namespace constela::ctl {

namespace {

void write_stderr(std::string_view text)
{
    static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr)); // nobody is left to be told
    static_cast<void>(std::fflush(stderr));
}

} // namespace

void notice(std::string_view sentence)
{
    write_stderr(fmt::format("constelactl: {}\n", one_line(std::string(sentence))));
}

std::string one_line(std::string text)
{
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::replace(text.begin(), text.end(), '\r', ' ');
    return text;
}

bool colours()
{
    return stderr_is_terminal() && !environment("NO_COLOR") && environment("TERM").value_or("dumb") != "dumb";
}

std::string dim(std::string_view text)
{
    return colours() ? fmt::format("\033[2m{}\033[0m", text) : std::string(text);
}

std::string count_text(std::uint64_t count)
{
    const auto value = static_cast<double>(count);
    if (count < 1'000'000) {
        return fmt::format("{}", count);
    }
    return count < 1'000'000'000 ? fmt::format("{:.1f} million", value / 1e6)
                                 : fmt::format("{:.2f} billion", value / 1e9);
}

Progress::Progress(std::string what) : what_(std::move(what)), on_(stderr_is_terminal()) {}

Progress::~Progress()
{
    clear();
}

void Progress::show(double part, std::string_view detail)
{
    using namespace std::chrono_literals;
    const auto now = std::chrono::steady_clock::now();
    if (!on_ || (shown_ && now - last_ < 100ms)) {
        return;
    }
    constexpr int width = 24;
    const int full = static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * width));
    const std::string bar =
        std::string(static_cast<std::size_t>(full), '#') + std::string(static_cast<std::size_t>(width - full), '.');
    write_stderr(fmt::format("\r\033[K{} [{}] {:3.0f} %{}{}", what_, bar, std::clamp(part, 0.0, 1.0) * 100,
                             detail.empty() ? "" : "  ", detail));
    shown_ = true;
    last_ = now;
}

void Progress::clear()
{
    if (shown_) {
        write_stderr("\r\033[K");
        shown_ = false;
    }
}

} // namespace constela::ctl
