// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page's title at the left; at the right the model in force and its measured speed, when there is one.
#pragma once

#include <QWidget>

class QLabel;

namespace constela::ui {

class PageHeader : public QWidget {
    Q_OBJECT
public:
    explicit PageHeader(QWidget* parent = nullptr);
    void setTitle(const QString& title);
    /// `model` empty: none is loaded. `speed` empty: nothing is measured now.
    void setModel(const QString& model, const QString& speed);

private:
    QLabel* title_;
    QLabel* model_;
    QLabel* speed_;
};

} // namespace constela::ui
