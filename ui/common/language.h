// SPDX-License-Identifier: GPL-3.0-or-later
//
// The language of the window: which there are, and changing it while the window is open (widgets hear LanguageChange).
#pragma once

#include <QString>
#include <QStringList>
#include <QTranslator>

namespace constela::ui {

class Language {
public:
    Language() = default;
    ~Language();
    Language(const Language&) = delete;
    Language& operator=(const Language&) = delete;

    /// "system", "en" or "pt_BR"; anything else counts as "system".
    void choose(const QString& choice);
    /// What is in force: "en" or "pt_BR".
    [[nodiscard]] QString name() const { return name_; }

    [[nodiscard]] static QStringList choices();

private:
    void remove();

    QString name_;
    QTranslator own_;    ///< The window's words.
    QTranslator engine_; ///< The engine's sentences (context "engine").
    QTranslator qt_;     ///< Qt's own dialogs, where the system has their translation.
};

} // namespace constela::ui
