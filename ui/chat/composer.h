// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the person types. Enter sends, Shift+Enter breaks the line; it grows with the text up to a third of the page.
// While an answer is under way its button stops it.
#pragma once

#include <QFrame>

class QPushButton;
class QTextEdit;
class QToolButton;

namespace constela::ui {

class Theme;

class Composer : public QFrame {
    Q_OBJECT
public:
    explicit Composer(const Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] QString text() const;
    void setText(const QString& text);
    void clear();
    /// `placeholder`: what stands there while it is empty, e.g. why nothing can be sent.
    void setState(bool canSend, bool answering, const QString& placeholder);
    void setLargestHeight(int height);

Q_SIGNALS:
    void sendAsked(const QString& text);
    void stopAsked();
    void textChanged();

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void retranslate();
    void fit();
    void showButtons();
    void ask();

    QTextEdit* edit_;
    QPushButton* send_;
    QPushButton* stop_;
    int largest_ = 240;
    bool canSend_ = false;
    bool answering_ = false;
};

} // namespace constela::ui
