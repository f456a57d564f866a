// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/message_list_model.h"

namespace constela::ui {

MessageListModel::MessageListModel(bool ready, QObject* parent) : QAbstractListModel(parent), ready_(ready) {}

int MessageListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(messages_.size());
}

QVariant MessageListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const ChatMessage& message = messages_.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case TextRole: return message.text;
    case AuthorRole: return static_cast<int>(message.author);
    case StateRole: return static_cast<int>(message.state);
    default: return {};
    }
}

QHash<int, QByteArray> MessageListModel::roleNames() const
{
    return {{TextRole, "text"}, {AuthorRole, "author"}, {StateRole, "state"}, {ProgressRole, "progress"}};
}

void MessageListModel::fill(const QList<ChatMessage>& messages)
{
    beginResetModel();
    messages_ = messages + messages_;
    for (qsizetype i = 0; i < messages_.size(); ++i) {
        messages_[i].position = static_cast<int>(i);
    }
    ready_ = true;
    endResetModel();
}

void MessageListModel::append(const ChatMessage& message)
{
    const int row = rowCount();
    beginInsertRows({}, row, row);
    messages_.append(message);
    endInsertRows();
}

void MessageListModel::appendText(int row, const QString& text)
{
    messages_[row].text += text;
    Q_EMIT dataChanged(index(row), index(row), {TextRole, Qt::DisplayRole});
}

void MessageListModel::replace(int row, const ChatMessage& message)
{
    messages_[row] = message;
    Q_EMIT dataChanged(index(row), index(row));
}

void MessageListModel::setProgress(int row, const std::optional<AnswerProgress>& progress)
{
    if (progress != progress_) {
        progress_ = progress;
        Q_EMIT dataChanged(index(row), index(row), {ProgressRole});
    }
}

} // namespace constela::ui
