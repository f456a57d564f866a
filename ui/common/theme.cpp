// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/theme.h"

#include "ui/common/measures.h"

#include <QApplication>
#include <QEvent>
#include <QGuiApplication>
#include <QWidget>
#include <algorithm>
#include <cmath>

namespace constela::ui {

namespace {

constexpr std::array<QRgb, kRoles> kDark{0xFF0E1320, 0xFF161D2E, 0xFF1E2740, 0xFF2A3550, 0xFFE6EAF4, 0xFF9AA6C0,
                                         0xFF6EA8FE, 0xFF0E1320, 0xFF4CC38A, 0xFFF2B84B, 0xFFF2777A};
constexpr std::array<QRgb, kRoles> kLight{0xFFF5F6FA, 0xFFFFFFFF, 0xFFEEF1F8, 0xFFD9DFEC, 0xFF1A2233, 0xFF5A6680,
                                          0xFF1F5FD6, 0xFFFFFFFF, 0xFF197D4A, 0xFF9A6200, 0xFFC22F35};

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color)
{
    return 0.2126 * linear(static_cast<double>(color.redF())) + 0.7152 * linear(static_cast<double>(color.greenF())) +
           0.0722 * linear(static_cast<double>(color.blueF()));
}

Scheme wanted(ThemeChoice choice)
{
    switch (choice) {
    case ThemeChoice::dark: return Scheme::dark;
    case ThemeChoice::light: return Scheme::light;
    case ThemeChoice::system: break;
    }
    return schemeOf(QGuiApplication::palette());
}

} // namespace

QColor roleColor(Scheme scheme, Role role)
{
    return QColor::fromRgb((scheme == Scheme::dark ? kDark : kLight).at(static_cast<std::size_t>(role)));
}

Scheme schemeOf(const QPalette& system)
{
    return luminance(system.color(QPalette::WindowText)) > luminance(system.color(QPalette::Window)) ? Scheme::dark
                                                                                                     : Scheme::light;
}

double contrast(const QColor& a, const QColor& b)
{
    const double first = luminance(a) + 0.05;
    const double second = luminance(b) + 0.05;
    return std::max(first, second) / std::min(first, second);
}

Theme::Theme(ThemeChoice choice, QObject* parent) : QObject(parent), choice_(choice), scheme_(wanted(choice))
{
    // The application's own palette stays the system's: that is how a change of it is noticed. Windows get ours.
    qApp->installEventFilter(this);
    // Without it a style sheet keeps palette and font of a window from its children.
    QCoreApplication::setAttribute(Qt::AA_UseStyleSheetPropagationInWidgetStyles);
}

void Theme::choose(ThemeChoice choice)
{
    choice_ = choice;
    settle();
}

void Theme::settle()
{
    const Scheme scheme = wanted(choice_);
    if (scheme != scheme_) {
        scheme_ = scheme;
        Q_EMIT changed();
    }
}

void Theme::dress(QWidget* window)
{
    apply(window);
    connect(this, &Theme::changed, window, [this, window] { apply(window); });
}

void Theme::apply(QWidget* window) const
{
    QFont font = QApplication::font();
    font.setPixelSize(measure::kBodyText);
    window->setFont(font);
    window->setPalette(palette());
    window->setStyleSheet(styleSheet(*this));
}

QPalette Theme::palette() const
{
    QPalette palette;
    const auto set = [this, &palette](QPalette::ColorRole place, Role role) { palette.setColor(place, color(role)); };
    set(QPalette::Window, Role::window);
    set(QPalette::WindowText, Role::text);
    set(QPalette::Base, Role::card);
    set(QPalette::AlternateBase, Role::raised);
    set(QPalette::Text, Role::text);
    set(QPalette::PlaceholderText, Role::dim);
    set(QPalette::Button, Role::raised);
    set(QPalette::ButtonText, Role::text);
    set(QPalette::BrightText, Role::text);
    set(QPalette::ToolTipBase, Role::raised);
    set(QPalette::ToolTipText, Role::text);
    set(QPalette::Highlight, Role::accent);
    set(QPalette::HighlightedText, Role::onAccent);
    set(QPalette::Link, Role::accent);
    set(QPalette::LinkVisited, Role::accent);
    set(QPalette::Light, Role::line);
    set(QPalette::Midlight, Role::line);
    set(QPalette::Mid, Role::line);
    set(QPalette::Dark, Role::line);
    set(QPalette::Shadow, Role::window);
    for (const QPalette::ColorRole place : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, place, color(Role::dim));
    }
    return palette;
}

bool Theme::eventFilter(QObject* watched, QEvent* event)
{
    const bool palette = watched == qApp && (event->type() == QEvent::ApplicationPaletteChange);
    if (palette || event->type() == QEvent::ThemeChange) {
        settle();
    }
    return QObject::eventFilter(watched, event);
}

} // namespace constela::ui
