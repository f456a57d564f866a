// SPDX-License-Identifier: GPL-3.0-or-later
//
// Icons of our own family (resources/icons), drawn from SVG at the size and scale asked for and in a role's colour, so
// that they are sharp at every scale and follow the theme by themselves.
#pragma once

#include "ui/common/theme.h"

#include <QIcon>
#include <QLabel>
#include <QPixmap>

namespace constela::ui {

/// `name` as in resources/icons/NAME.svg. Where it is checked or selected it takes `on`.
/// The theme must outlive the icon.
[[nodiscard]] QIcon icon(const Theme& theme, const QString& name, Role role = Role::text);
[[nodiscard]] QIcon icon(const Theme& theme, const QString& name, Role off, Role on);

/// An icon in a layout; decoration, so unseen by screen readers.
class IconLabel : public QLabel {
public:
    IconLabel(const Theme& theme, const QString& name, Role role, int size, QWidget* parent = nullptr);
    void display(const QString& name, Role role);

private:
    void draw();

    const Theme& theme_;
    QString name_;
    Role role_;
    int size_;
};

} // namespace constela::ui
