// SPDX-License-Identifier: GPL-3.0-or-later
//
// A block of code as it is, with its language and a button to copy it; long lines scroll sideways.
#pragma once

#include <QFrame>

class QLabel;
class QPlainTextEdit;
class QToolButton;

namespace constela::ui {

class Theme;

class CodeView : public QFrame {
    Q_OBJECT
public:
    explicit CodeView(const Theme& theme, QWidget* parent = nullptr);
    void display(const QString& language, const QString& code);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void retranslate();
    void fit();

    QLabel* language_;
    QToolButton* copy_;
    QPlainTextEdit* code_;
};

} // namespace constela::ui
