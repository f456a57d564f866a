// SPDX-License-Identifier: GPL-3.0-or-later
//
// ChatStore's other half, on the store's thread.
#pragma once

#include "ui/chat/store/chat_database.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

namespace constela::ui {

class StoreWorker : public QObject {
    Q_OBJECT
public:
    explicit StoreWorker(QString file);

    void open();
    void save(const Conversation& conversation);
    void save(const ChatMessage& message);
    void purge(const QString& conversation);
    void load(const QString& conversation);
    void close();

Q_SIGNALS:
    void opened(const QList<constela::ui::Conversation>& conversations);
    void messagesLoaded(const QString& conversation, const QList<constela::ui::ChatMessage>& messages);
    void failed(const constela::Error& error);
    void recovered();

private:
    /// Tells a conversation's messages, or notes that they are still to be told.
    bool read(const QString& conversation);
    void flushSoon();
    void flush();
    void report(const Error& error);

    QString file_;
    ChatDatabase database_;
    ChatChanges waiting_;
    QStringList unread_; ///< Asked for, and not to be had yet.
    QTimer flush_{this};
    QTimer retry_{this};
    bool failing_ = false;
};

} // namespace constela::ui
