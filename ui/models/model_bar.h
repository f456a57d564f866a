// SPDX-License-Identifier: GPL-3.0-or-later
//
// One row that says which model there is and offers the next step: choose, watch it load and cancel, change, put away,
// or read why it failed.
#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace constela::ui {

class ErrorView;
class ModelControl;
class Theme;

class ModelBar : public QWidget {
    Q_OBJECT
public:
    ModelBar(const Theme& theme, ModelControl& models, QWidget* parent = nullptr);

    /// What went wrong, or deserves a word: to be put where there is room for it; ours to fill.
    [[nodiscard]] QWidget* notices() const { return notices_; }
    /// Lets the person pick a file, and loads it.
    void choose();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void refresh();
    void showError();
    [[nodiscard]] QString facts() const;

    ModelControl& models_;
    QWidget* notices_;
    ErrorView* error_;
    ErrorView* notice_;
    QWidget* row_;
    QLabel* name_;
    QLabel* facts_;
    QProgressBar* progress_;
    QPushButton* cancel_;
    QPushButton* choose_;
    QPushButton* unload_;
    QPushButton* again_;
    QPushButton* other_;
};

} // namespace constela::ui
