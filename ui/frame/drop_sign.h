// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lies over the window while a file is dragged above it, and says what letting go would do.
#pragma once

#include <QString>
#include <QWidget>

class QLabel;

namespace constela::ui {

class Theme;

class DropSign : public QWidget {
    Q_OBJECT
public:
    DropSign(const Theme& theme, QWidget* window);

    void announce(const QString& file);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& theme_;
    QLabel* words_;
};

} // namespace constela::ui
