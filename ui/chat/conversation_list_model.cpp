// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/conversation_list_model.h"

#include <algorithm>

namespace constela::ui {

int ConversationListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(conversations_.size());
}

QVariant ConversationListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Conversation& conversation = conversations_.at(index.row());
    const bool answering = answering_.contains(conversation.id);
    const QString title = conversation.title.isEmpty() ? tr("New conversation") : conversation.title;
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: return title;
    case Qt::EditRole: return conversation.title;
    case Qt::AccessibleTextRole: return answering ? tr("%1, answering").arg(title) : title;
    case IdRole: return conversation.id;
    case UpdatedRole: return static_cast<qint64>(conversation.updated);
    case AnsweringRole: return answering;
    default: return {};
    }
}

QHash<int, QByteArray> ConversationListModel::roleNames() const
{
    QHash<int, QByteArray> names = QAbstractListModel::roleNames();
    names.insert({{IdRole, "id"}, {UpdatedRole, "updated"}, {AnsweringRole, "answering"}});
    return names;
}

Qt::ItemFlags ConversationListModel::flags(const QModelIndex& index) const
{
    return QAbstractListModel::flags(index) | (index.isValid() ? Qt::ItemIsEditable : Qt::NoItemFlags);
}

bool ConversationListModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const QString title = value.toString().simplified();
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid) || title.isEmpty()) {
        return false;
    }
    Conversation& conversation = conversations_[index.row()];
    if (conversation.title != title) {
        conversation.title = title;
        conversation.titleChosen = true;
        Q_EMIT dataChanged(index, index);
        Q_EMIT renamed(conversation.id, title);
    }
    return true;
}

int ConversationListModel::rowOf(const QString& id) const
{
    const auto same = [&id](const Conversation& conversation) { return conversation.id == id; };
    const auto found = std::find_if(conversations_.cbegin(), conversations_.cend(), same);
    return found == conversations_.cend() ? -1 : static_cast<int>(found - conversations_.cbegin());
}

const Conversation* ConversationListModel::find(const QString& id) const
{
    const int row = rowOf(id);
    return row < 0 ? nullptr : &conversations_.at(row);
}

int ConversationListModel::placeOf(const Conversation& conversation) const
{
    const auto later = [&conversation](const Conversation& other) {
        return other.id != conversation.id && other.updated > conversation.updated;
    };
    return static_cast<int>(std::count_if(conversations_.cbegin(), conversations_.cend(), later));
}

void ConversationListModel::put(const Conversation& conversation)
{
    const int row = rowOf(conversation.id);
    const int place = placeOf(conversation);
    if (row < 0) {
        beginInsertRows({}, place, place);
        conversations_.insert(place, conversation);
        endInsertRows();
        return;
    }
    conversations_[row] = conversation;
    Q_EMIT dataChanged(index(row), index(row));
    if (row != place) {
        // beginMoveRows counts the destination in the list as it is before the move.
        beginMoveRows({}, row, row, {}, place > row ? place + 1 : place);
        conversations_.move(row, place);
        endMoveRows();
    }
}

void ConversationListModel::remove(const QString& id)
{
    const int row = rowOf(id);
    if (row >= 0) {
        beginRemoveRows({}, row, row);
        conversations_.removeAt(row);
        endRemoveRows();
    }
}

void ConversationListModel::setAnswering(const QString& id, bool answering)
{
    if (answering == answering_.contains(id)) {
        return;
    }
    if (answering) {
        answering_.insert(id);
    } else {
        answering_.remove(id);
    }
    const int row = rowOf(id);
    if (row >= 0) {
        Q_EMIT dataChanged(index(row), index(row), {AnsweringRole, Qt::AccessibleTextRole});
    }
}

void ConversationListModel::retranslate()
{
    if (!conversations_.isEmpty()) {
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
    }
}

} // namespace constela::ui
