// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page's title at the left; at the right the way to Ctrl+K, the model in force and its measured speed, when there
// is one.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace constela::ui {

class Theme;

class PageHeader : public QWidget {
    Q_OBJECT
public:
    explicit PageHeader(const Theme& theme, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    /// `model` empty: none is loaded. `speed` empty: nothing is measured now.
    void setModel(const QString& model, const QString& speed);

Q_SIGNALS:
    void findAsked();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    QLabel* title_;
    QPushButton* find_;
    QLabel* model_;
    QLabel* speed_;
};

} // namespace constela::ui
