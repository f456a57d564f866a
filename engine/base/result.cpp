// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/result.h"

#include <fmt/args.h>
#include <fmt/format.h>

namespace constela {

std::string Error::fill(std::string_view translated) const
{
    fmt::dynamic_format_arg_store<fmt::format_context> store;
    for (const std::string& arg : args) {
        store.push_back(arg);
    }
    return fmt::vformat(translated, store);
}

template <>
std::string argument_text(const std::int64_t& value)
{
    return fmt::format("{}", value);
}
template <>
std::string argument_text(const std::uint64_t& value)
{
    return fmt::format("{}", value);
}
template <>
std::string argument_text(const float& value)
{
    return fmt::format("{}", value);
}
template <>
std::string argument_text(const double& value)
{
    return fmt::format("{}", value);
}

} // namespace constela
