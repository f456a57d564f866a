// SPDX-License-Identifier: GPL-3.0-or-later
//
// XDG Base Directory Specification 0.8: a relative path in a variable is invalid and must be ignored.
#include "engine/cluster/identity/state_folder.h"

#include <cstdlib>

namespace constela::cluster {
namespace {

using Variable = std::function<std::optional<std::filesystem::path>(const char*)>;

std::optional<std::filesystem::path> absolute_path(const Variable& variable, const char* name)
{
    auto path = variable(name);
    return path && path->is_absolute() ? path : std::nullopt;
}

} // namespace

Result<std::filesystem::path> default_state_folder(const Variable& variable)
{
#ifdef _WIN32
    if (const auto data = absolute_path(variable, "LOCALAPPDATA")) {
        return *data / "constela";
    }
    return failure("There is no place for this node's state, since {} is not set. Name a folder for it.",
                   "LOCALAPPDATA");
#else
    if (const auto state = absolute_path(variable, "XDG_STATE_HOME")) {
        return *state / "constela";
    }
    if (const auto home = absolute_path(variable, "HOME")) {
        return *home / ".local" / "state" / "constela";
    }
    return failure("There is no place for this node's state, since {} is not set. Name a folder for it.", "HOME");
#endif
}

Result<std::filesystem::path> default_state_folder()
{
    return default_state_folder([](const char* name) -> std::optional<std::filesystem::path> {
#ifdef _WIN32
        const std::wstring wide(name, name + std::char_traits<char>::length(name));
        const wchar_t* value = _wgetenv(wide.c_str());
#else
        const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nobody changes the environment
#endif
        return value != nullptr ? std::optional<std::filesystem::path>(value) : std::nullopt;
    });
}

} // namespace constela::cluster
