// SPDX-License-Identifier: GPL-3.0-or-later
//
// The messages of one conversation, in order.
#pragma once

#include "ui/chat/conversation.h"

#include <QAbstractListModel>
#include <QList>

namespace constela::ui {

class MessageListModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Roles { TextRole = Qt::UserRole + 1, AuthorRole, StateRole, ProgressRole };

    /// Not ready: its messages are still being read from disk.
    explicit MessageListModel(bool ready, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    [[nodiscard]] bool ready() const { return ready_; }
    [[nodiscard]] const QList<ChatMessage>& messages() const { return messages_; }
    [[nodiscard]] const ChatMessage& at(int row) const { return messages_.at(row); }
    /// Of the answer under way; none when there is none or nothing is known yet.
    [[nodiscard]] const std::optional<AnswerProgress>& progress() const { return progress_; }

    /// What was read from disk; comes before anything that was added meanwhile.
    void fill(const QList<ChatMessage>& messages);
    void append(const ChatMessage& message);
    void appendText(int row, const QString& text);
    void replace(int row, const ChatMessage& message);
    void setProgress(int row, const std::optional<AnswerProgress>& progress);

private:
    QList<ChatMessage> messages_;
    std::optional<AnswerProgress> progress_;
    bool ready_;
};

} // namespace constela::ui
