// SPDX-License-Identifier: GPL-3.0-or-later
//
// A page that is not built yet: one honest line.
#pragma once

#include "ui/frame/page.h"

#include <QWidget>

class QLabel;

namespace constela::ui {

class Theme;

class PendingPage : public QWidget {
    Q_OBJECT
public:
    PendingPage(const Theme& theme, Page page, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    Page page_;
    QLabel* line_;
};

} // namespace constela::ui
