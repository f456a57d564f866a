// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rail at the left: an icon and a word for each page.
#pragma once

#include "ui/frame/page.h"

#include <QWidget>
#include <array>

class QToolButton;

namespace constela::ui {

class Theme;

class Rail : public QWidget {
    Q_OBJECT
public:
    explicit Rail(const Theme& theme, QWidget* parent = nullptr);
    void setPage(Page page);

Q_SIGNALS:
    void pageAsked(constela::ui::Page page);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    std::array<QToolButton*, kPages> buttons_{};
};

} // namespace constela::ui
