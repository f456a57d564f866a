// SPDX-License-Identifier: GPL-3.0-or-later
//
// One message: a person's words in a bubble, or an answer with what it cost under it.
#pragma once

#include "ui/chat/conversation.h"
#include "ui/chat/markdown.h"

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace constela::ui {

class ErrorView;
class TextView;
class Theme;

class MessageView : public QFrame {
    Q_OBJECT
public:
    MessageView(const Theme& theme, const ChatMessage& message, QWidget* parent = nullptr);

    /// The same message, changed.
    void display(const ChatMessage& message, const std::optional<AnswerProgress>& progress);

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildQuestion();
    void buildAnswer();
    void showText();
    void showPart(qsizetype index, const MarkdownPart& part);
    void showNote();
    void redraw();

    const Theme& theme_;
    ChatMessage message_;
    std::optional<AnswerProgress> progress_;
    QList<MarkdownPart> parts_;
    QList<QWidget*> partViews_; ///< A TextView or CodeView for each part.
    QVBoxLayout* body_;
    QLabel* note_ = nullptr;
    QToolButton* copy_ = nullptr;
    ErrorView* error_ = nullptr;
    TextView* question_ = nullptr;
};

} // namespace constela::ui
