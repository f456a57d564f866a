// SPDX-License-Identifier: GPL-3.0-or-later
//
// The chats on disk, kept by a thread of their own: nothing here waits. What cannot be written now (disk full, folder
// read-only) is kept and tried again every few seconds, newest state first, until it can.
#pragma once

#include "ui/chat/conversation.h"

#include <QList>
#include <QObject>
#include <QThread>

namespace constela::ui {

class StoreWorker;

class ChatStore : public QObject {
    Q_OBJECT
public:
    explicit ChatStore(const QString& file, QObject* parent = nullptr);
    ~ChatStore() override;

    void save(const Conversation& conversation);
    void save(const ChatMessage& message);
    /// Removes a conversation and its messages for good.
    void purge(const QString& conversation);
    /// messagesLoaded() answers.
    void load(const QString& conversation);
    /// Waits until all that was handed over is written, or cannot be. Afterwards nothing is taken any more.
    void close();

Q_SIGNALS:
    void opened(const QList<constela::ui::Conversation>& conversations);
    void messagesLoaded(const QString& conversation, const QList<constela::ui::ChatMessage>& messages);
    /// Something is not on disk; it stays in memory and is tried again.
    void failed(const constela::Error& error);
    /// All is on disk again.
    void recovered();

private:
    /// Has the worker do it, on its thread; after close() nothing.
    template <class Task>
    void post(Task task);

    QThread thread_;
    StoreWorker* worker_; ///< Lives in thread_; null after close().
};

} // namespace constela::ui
