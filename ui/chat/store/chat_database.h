// SPDX-License-Identifier: GPL-3.0-or-later
//
// The chats in an SQLite file. Blocking, and bound to the thread that opened it; the window uses ChatStore.
#pragma once

#include "ui/chat/conversation.h"

#include <QHash>
#include <QList>
#include <QSqlDatabase>

namespace constela::ui {

/// Changes that belong together: all are written, or none.
struct ChatChanges {
    QHash<QString, Conversation> conversations; ///< By id; added or replaced.
    QHash<QString, ChatMessage> messages;       ///< By id; added or replaced.
    QList<QString> purged;                      ///< Conversations to remove for good.

    [[nodiscard]] bool empty() const { return conversations.isEmpty() && messages.isEmpty() && purged.isEmpty(); }
};

class ChatDatabase {
public:
    ChatDatabase() = default;
    ~ChatDatabase();
    ChatDatabase(const ChatDatabase&) = delete;
    ChatDatabase& operator=(const ChatDatabase&) = delete;

    /// Opens or makes the file, brings its schema up to date, marks answers that a dead program left under way as
    /// interrupted, and removes what was deleted.
    [[nodiscard]] Result<> open(const QString& file);
    [[nodiscard]] bool isOpen() const { return database_.isOpen(); }
    void close();

    [[nodiscard]] Result<QList<Conversation>> conversations();
    [[nodiscard]] Result<QList<ChatMessage>> messages(const QString& conversation);
    [[nodiscard]] Result<> write(const ChatChanges& changes);

private:
    [[nodiscard]] Result<> prepare();

    QSqlDatabase database_;
    QString connection_;
};

} // namespace constela::ui
