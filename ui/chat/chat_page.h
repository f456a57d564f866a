// SPDX-License-Identifier: GPL-3.0-or-later
//
// The chat: conversations at the left, the one in view with its composer at the right.
#pragma once

#include "engine/base/result.h"

#include <QTimer>
#include <QWidget>
#include <optional>

class QLabel;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace constela::ui {

class ChatController;
class Composer;
class ConversationPanel;
class ErrorView;
class ModelBar;
class ModelControl;
class Theme;
class TranscriptView;

class ChatPage : public QWidget {
    Q_OBJECT
public:
    ChatPage(const Theme& theme, ChatController& chat, ModelControl& models, QWidget* parent = nullptr);

    void startNew();
    /// Lets the person pick a model file.
    void chooseModel();
    /// Hands the typed text to the conversation in view, so that it is kept.
    void keepDraft();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build(const Theme& theme);
    void connectAll();
    void retranslate();
    void showConversation();
    void refresh();
    void refreshEmpty();
    void showNotices();
    void send(const QString& text);
    void escape();
    [[nodiscard]] QString placeholder() const;

    ChatController& chat_;
    ModelControl& models_;
    ConversationPanel* panel_;
    QLabel* title_;
    QToolButton* rename_;
    QToolButton* delete_;
    ErrorView* storeError_;
    QStackedWidget* middle_;
    TranscriptView* transcript_;
    QWidget* empty_;
    QLabel* emptyHeading_;
    QLabel* emptyText_;
    QPushButton* emptyChoose_;
    QPushButton* emptyDemo_;
    QWidget* undo_;
    QLabel* undoText_;
    QPushButton* undoButton_;
    ModelBar* modelBar_;
    Composer* composer_;
    QString shownConversation_;
    QString removedTitle_;
    std::optional<Error> notSaved_;
    QTimer undoTimer_{this};
    QTimer draftTimer_{this};
};

} // namespace constela::ui
