// SPDX-License-Identifier: GPL-3.0-or-later
//
// Icons of our own family (resources/icons), drawn from SVG at the size and scale asked for and in a role's colour, so
// that they are sharp at every scale and follow the theme by themselves.
#pragma once

#include "ui/common/theme.h"

#include <QIcon>
#include <QWidget>

namespace constela::ui {

/// `name` as in resources/icons/NAME.svg. Where it is checked or selected it takes `on`.
/// The theme must outlive the icon.
[[nodiscard]] QIcon icon(const Theme& theme, const QString& name, Role role = Role::text);
[[nodiscard]] QIcon icon(const Theme& theme, const QString& name, Role off, Role on);

/// An icon in a layout; decoration, so unseen by screen readers.
class IconLabel : public QWidget {
    Q_OBJECT
public:
    IconLabel(const Theme& theme, const QString& name, Role role, int size, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QIcon icon_;
};

} // namespace constela::ui
