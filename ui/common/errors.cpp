// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/errors.h"

#include <QCoreApplication>
#include <fmt/format.h>

namespace constela::ui {

namespace {

std::string fillOr(const Error& error, std::string_view pattern, const std::string& fallback)
{
    try {
        return error.fill(pattern);
    } catch (const fmt::format_error&) {
        return fallback;
    }
}

} // namespace

QString translated(const Error& error)
{
    const std::string english = fillOr(error, error.pattern, error.pattern);
    const QString pattern = QCoreApplication::translate("engine", error.pattern.c_str());
    return QString::fromStdString(fillOr(error, pattern.toStdString(), english));
}

QString technical(const Error& error)
{
    std::string text = fillOr(error, error.pattern, error.pattern);
    if (!error.details.empty()) {
        text += "\n\n" + error.details;
    }
    return QString::fromStdString(text);
}

} // namespace constela::ui
