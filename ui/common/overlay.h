// SPDX-License-Identifier: GPL-3.0-or-later
//
// A card over the window, which is dimmed meanwhile. Escape and a click beside the card close it; then the focus goes
// back to where it was.
#pragma once

#include <QPointer>
#include <QWidget>

class QFrame;

namespace constela::ui {

class Theme;

class Overlay : public QWidget {
    Q_OBJECT
public:
    /// `window`: what it covers, and its parent.
    Overlay(const Theme& theme, QWidget* window);

    /// Shows it over the whole window; `focus` gets the keyboard. Opening what is open changes nothing.
    void open(QWidget* focus);
    void shut();

protected:
    /// Where the content goes; its parent's layout keeps it in the upper half of the window.
    [[nodiscard]] QFrame* card() const { return card_; }

    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& theme_;
    QFrame* card_;
    QPointer<QWidget> before_;
};

} // namespace constela::ui
