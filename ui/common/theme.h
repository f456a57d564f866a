// SPDX-License-Identifier: GPL-3.0-or-later
//
// Colours by role, for a dark and a light scheme. Code asks for a role; only this file's table knows colours.
// Every text role reaches a contrast of 4.5:1 on window, card and raised (tests/ui/theme_test.cpp).
#pragma once

#include <QColor>
#include <QObject>
#include <QPalette>
#include <QString>
#include <array>

class QWidget;

namespace constela::ui {

enum class Role { window, card, raised, line, text, dim, accent, onAccent, good, warning, bad };
inline constexpr std::size_t kRoles = 11;

enum class Scheme { dark, light };
enum class ThemeChoice { system, dark, light };

[[nodiscard]] QColor roleColor(Scheme scheme, Role role);
/// What the palette of the system looks like: dark when its text is lighter than its ground.
[[nodiscard]] Scheme schemeOf(const QPalette& system);
/// Contrast of WCAG 2.1 (w3.org/TR/WCAG21, "contrast ratio"): 1 to 21.
[[nodiscard]] double contrast(const QColor& a, const QColor& b);

/// The scheme in force. Dresses the windows given to it and follows the system while the choice says so.
class Theme : public QObject {
    Q_OBJECT
public:
    explicit Theme(ThemeChoice choice, QObject* parent = nullptr);

    [[nodiscard]] Scheme scheme() const { return scheme_; }
    [[nodiscard]] QColor color(Role role) const { return roleColor(scheme_, role); }
    void choose(ThemeChoice choice);
    /// Puts palette, font and style sheet on a window, now and after each change.
    void dress(QWidget* window);

Q_SIGNALS:
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void settle();
    void apply(QWidget* window) const;
    [[nodiscard]] QPalette palette() const;

    ThemeChoice choice_;
    Scheme scheme_;
};

/// The style sheet of the whole window for a scheme (ui/common/style_sheet.cpp).
[[nodiscard]] QString styleSheet(const Theme& theme);

} // namespace constela::ui
