// SPDX-License-Identifier: GPL-3.0-or-later
//
// The conversations, the one used last on top. Renaming goes through setData().
#pragma once

#include "ui/chat/conversation.h"

#include <QAbstractListModel>
#include <QList>
#include <QSet>

namespace constela::ui {

class ConversationListModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Roles { IdRole = Qt::UserRole + 1, UpdatedRole, AnsweringRole };
    using QAbstractListModel::QAbstractListModel;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    /// DisplayRole: the title, or a stand-in for none.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// EditRole: a new title; refused when empty.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

    [[nodiscard]] int rowOf(const QString& id) const; ///< -1: not in the list.
    [[nodiscard]] const Conversation* find(const QString& id) const;
    /// Adds it, or takes over what changed; keeps the order.
    void put(const Conversation& conversation);
    void remove(const QString& id);
    void setAnswering(const QString& id, bool answering);
    /// The language changed: stand-ins and dates read differently.
    void retranslate();

Q_SIGNALS:
    void renamed(const QString& id, const QString& title);

private:
    [[nodiscard]] int placeOf(const Conversation& conversation) const;

    QList<Conversation> conversations_;
    QSet<QString> answering_;
};

} // namespace constela::ui
