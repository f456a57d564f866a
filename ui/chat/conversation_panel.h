// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list of conversations with what can be done to them.
#pragma once

#include <QWidget>

class QListView;
class QPushButton;
class QAction;
class QLabel;

namespace constela::ui {

class ChatController;
class Theme;

class ConversationPanel : public QWidget {
    Q_OBJECT
public:
    ConversationPanel(const Theme& theme, ChatController& chat, QWidget* parent = nullptr);

    /// Lets the person type a new title in the list.
    void renameCurrent();

Q_SIGNALS:
    void chosen();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void showCurrent();
    void showEmpty();
    void openMenu(const QPoint& place);

    ChatController& chat_;
    QPushButton* new_;
    QListView* list_;
    QLabel* empty_;
    QAction* rename_;
    QAction* delete_;
};

} // namespace constela::ui
