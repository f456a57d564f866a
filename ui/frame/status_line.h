// SPDX-License-Identifier: GPL-3.0-or-later
//
// The line at the foot: who can see what is written, what is going on, and what is wrong.
#pragma once

#include <QWidget>

class QLabel;

namespace constela::ui {

class IconLabel;
class Theme;

class StatusLine : public QWidget {
    Q_OBJECT
public:
    explicit StatusLine(const Theme& theme, QWidget* parent = nullptr);
    void setActivity(const QString& activity);
    /// What is wrong now, a sentence each.
    void setAlerts(const QStringList& alerts);
    void retranslate();

private:
    QLabel* perimeter_;
    QLabel* activity_;
    IconLabel* alertIcon_;
    QLabel* alerts_;
    QStringList now_;
};

} // namespace constela::ui
