// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/gguf/split_name.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace constela::gguf {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kForm = "-00000-of-00000.gguf"; // 0 stands for any digit.

template <class Char>
std::uint32_t number_at(std::basic_string_view<Char> text, std::size_t begin)
{
    std::uint32_t number = 0;
    for (const Char digit : text.substr(begin, 5)) {
        number = number * 10 + static_cast<std::uint32_t>(digit - Char{'0'});
    }
    return number;
}

} // namespace

std::optional<SplitName> parse_split_name(const fs::path& path)
{
    using Char = fs::path::value_type;
    const fs::path::string_type name = path.filename().native();
    if (name.size() < kForm.size()) {
        return std::nullopt;
    }
    const std::size_t base = name.size() - kForm.size();
    const std::basic_string_view<Char> suffix = std::basic_string_view<Char>(name).substr(base);
    const bool matches = std::ranges::equal(suffix, kForm, [](Char found, char form) {
        return form == '0' ? found >= Char{'0'} && found <= Char{'9'} : found == static_cast<Char>(form);
    });
    if (!matches) {
        return std::nullopt;
    }
    return SplitName{name.substr(0, base), number_at(suffix, 1), number_at(suffix, 10)};
}

std::string split_suffix(std::uint32_t number, std::uint32_t count)
{
    return fmt::format("-{:05}-of-{:05}.gguf", number, count);
}

fs::path split_path(const fs::path& path, const SplitName& name, std::uint32_t number)
{
    fs::path file(name.base);
    file += split_suffix(number, name.count);
    return path.parent_path() / file;
}

} // namespace constela::gguf
