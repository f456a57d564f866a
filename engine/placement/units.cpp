// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/placement/units.h"

#include <fmt/format.h>

namespace constela::placement {

std::string bytes_text(std::uint64_t bytes)
{
    const auto value = static_cast<double>(bytes);
    if (bytes >= 999'500'000) {
        return fmt::format("{:.1f} GB", value / 1e9);
    }
    if (bytes >= 999'500) {
        return fmt::format("{:.0f} MB", value / 1e6);
    }
    return fmt::format("{:.0f} kB", value / 1e3);
}

std::string number_text(double value)
{
    if (value >= 100) {
        return fmt::format("{:.0f}", value);
    }
    return value >= 10 ? fmt::format("{:.1f}", value) : fmt::format("{:.3g}", value);
}

} // namespace constela::placement
