// SPDX-License-Identifier: GPL-3.0-or-later
//
// An error where it happened: a heading (what happened), a sentence (to what, what to do), buttons for the next step,
// and a fold with technical text to copy. As a notice it is the same with a calmer edge.
#pragma once

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QToolButton;

namespace constela::ui {

class IconLabel;
class Theme;

class ErrorView : public QFrame {
    Q_OBJECT
public:
    enum class Kind { error, notice };
    explicit ErrorView(const Theme& theme, Kind kind = Kind::error, QWidget* parent = nullptr);

    /// `details` may be empty: then there is nothing to unfold.
    void display(const QString& heading, const QString& sentence, const QString& details);
    /// A button under the sentence, in the order of the calls; its text is the caller's to set.
    [[nodiscard]] QPushButton* addAction(const QString& objectName);
    [[nodiscard]] QString sentence() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void unfold(bool open);

    const Theme& theme_;
    QLabel* heading_;
    QLabel* sentence_;
    QToolButton* fold_;
    QToolButton* copy_;
    QPlainTextEdit* details_;
    QHBoxLayout* actions_;
};

} // namespace constela::ui
