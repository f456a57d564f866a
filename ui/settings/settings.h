// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the person chose, kept in DATA/settings.ini (QSettings writes aside and swaps). What stands there and makes no
// sense counts as not chosen.
#pragma once

#include "kernels/kernels.h"
#include "ui/common/theme.h"

#include <QByteArray>
#include <QObject>
#include <QSettings>
#include <QString>
#include <cstdint>

namespace constela::ui {

/// "dark", "light"; anything else is the system's.
[[nodiscard]] ThemeChoice themeFromName(const QString& name);
[[nodiscard]] QString themeName(ThemeChoice choice);

class Settings : public QObject {
    Q_OBJECT
public:
    explicit Settings(const QString& dataFolder, QObject* parent = nullptr);

    [[nodiscard]] QString language() const; ///< "system", "en" or "pt_BR".
    void setLanguage(const QString& choice);
    [[nodiscard]] ThemeChoice theme() const;
    void setTheme(ThemeChoice choice);

    // For the next load of a model.
    [[nodiscard]] std::uint32_t threads() const; ///< 0: one per core.
    void setThreads(std::uint32_t count);
    [[nodiscard]] std::uint32_t contextLength() const; ///< Tokens; 0: what model and memory allow.
    void setContextLength(std::uint32_t tokens);
    [[nodiscard]] kernels::KvType kvType() const;
    void setKvType(kernels::KvType type);

    [[nodiscard]] QString lastModel() const;
    void setLastModel(const QString& path);
    [[nodiscard]] QByteArray geometry() const;
    void setGeometry(const QByteArray& geometry);

Q_SIGNALS:
    void languageChanged();
    void themeChanged();

private:
    QSettings file_;
};

} // namespace constela::ui
