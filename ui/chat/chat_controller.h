// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a chat does, without a window: conversations, the answers under way in them (several at once), and their way to
// disk. Views show its models and call its functions.
#pragma once

#include "ui/chat/conversation_list_model.h"
#include "ui/chat/message_list_model.h"
#include "ui/chat/store/chat_store.h"
#include "ui/common/node_bridge.h"

#include <QHash>
#include <QObject>
#include <QTimer>

namespace constela::ui {

class ChatController : public QObject {
    Q_OBJECT
public:
    ChatController(NodeBridge& node, ChatStore& store, QObject* parent = nullptr);

    [[nodiscard]] ConversationListModel& conversations() { return conversations_; }
    /// Of the conversation in view; never null.
    [[nodiscard]] MessageListModel* messages() { return current_; }
    /// Empty: a new conversation, which comes to be with its first message.
    [[nodiscard]] QString currentId() const { return currentId_; }
    [[nodiscard]] QString currentTitle() const;
    [[nodiscard]] bool answering() const { return answering(currentId_); }
    [[nodiscard]] bool answering(const QString& conversation) const;
    [[nodiscard]] qsizetype answersUnderWay() const { return live_.size(); }
    /// A model is ready and this conversation waits for the person.
    [[nodiscard]] bool canSend() const;

    void startNew();
    void select(const QString& conversation);
    /// False when it cannot be sent now; then nothing has changed.
    bool send(const QString& text);
    /// Ends the answer of the conversation in view.
    void stop();
    void rename(const QString& conversation, const QString& title);
    /// Hides a conversation; it can be had back until forgetRemoved().
    void remove(const QString& conversation);
    void undoRemove();
    void forgetRemoved();
    /// What was typed and not sent in the conversation in view.
    [[nodiscard]] QString draft() const;
    void setDraft(const QString& conversation, const QString& text);
    /// The window closes: what is under way is kept as interrupted and waits for the disk.
    void shutDown();

Q_SIGNALS:
    void currentChanged();
    void stateChanged();
    void removed(const QString& title);
    void removalSettled();
    void storeFailed(const constela::Error& error);
    void storeRecovered();

private:
    struct Live {
        QString conversation;
        int row = 0;
        bool unsaved = false;
    };

    void onOpened(const QList<Conversation>& conversations);
    void onPiece(const node::AnswerPiece& piece);
    void onEnd(const node::AnswerEnd& end);
    void onSnapshot();
    void saveLive();
    void put(const Conversation& conversation);
    void show(const QString& id, MessageListModel* messages);
    [[nodiscard]] MessageListModel* modelOf(const QString& conversation);

    NodeBridge& node_;
    ChatStore& store_;
    ConversationListModel conversations_{this};
    QHash<QString, MessageListModel*> models_; ///< Of every conversation looked at; children of this.
    MessageListModel fresh_{true, this};       ///< Of the conversation that is not yet one; stays empty.
    MessageListModel* current_ = &fresh_;
    QString currentId_;
    QString freshDraft_;
    QHash<node::AnswerId, Live> live_;
    QTimer saving_{this};
    std::optional<Conversation> removed_;
};

} // namespace constela::ui
