// SPDX-License-Identifier: GPL-3.0-or-later
//
// Paths between Qt and the standard library, whole on every system (never through a narrow code page).
#pragma once

#include <QString>
#include <filesystem>

namespace constela::ui {

[[nodiscard]] inline std::filesystem::path toPath(const QString& text)
{
#ifdef _WIN32
    return {text.toStdWString()};
#else
    return {text.toStdString()};
#endif
}

[[nodiscard]] inline QString fromPath(const std::filesystem::path& path)
{
#ifdef _WIN32
    return QString::fromStdWString(path.wstring());
#else
    return QString::fromStdString(path.string());
#endif
}

} // namespace constela::ui
