// SPDX-License-Identifier: GPL-3.0-or-later
//
// F1: what the page in view is for, and the keys.
#pragma once

#include "ui/common/overlay.h"
#include "ui/frame/page.h"

class QGridLayout;
class QLabel;
class QPushButton;

namespace constela::ui {

class HelpCard : public Overlay {
    Q_OBJECT
public:
    HelpCard(const Theme& theme, QWidget* window);

    void help(Page page);

private:
    void fillKeys();

    QLabel* title_;
    QLabel* text_;
    QLabel* keysTitle_;
    QGridLayout* keys_;
    QPushButton* close_;
};

} // namespace constela::ui
