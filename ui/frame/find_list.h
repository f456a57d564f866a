// SPDX-License-Identifier: GPL-3.0-or-later
//
// What Ctrl+K finds: pages, conversations, settings, and what can be done. Holds all of it and shows what fits the
// words typed.
#pragma once

#include <QAbstractListModel>
#include <QList>
#include <QString>
#include <functional>

namespace constela::ui {

struct FindEntry {
    QString title;
    QString kind;     ///< What it is, in the person's language: "page", "conversation" ...
    QString iconName; ///< As in resources/icons.
    std::function<void()> go;
};

class FindList : public QAbstractListModel {
    Q_OBJECT
public:
    enum Roles { KindRole = Qt::UserRole + 1, IconRole };
    using QAbstractListModel::QAbstractListModel;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    /// DisplayRole: the title.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

    void setEntries(QList<FindEntry> entries);
    /// An entry fits when each word is in its title or kind, whatever the case and the accents. Titles that begin with
    /// the words come first; otherwise the order given stays. Nothing typed: everything fits.
    void setWords(const QString& words);
    void go(int row) const;

private:
    void settle();

    QList<FindEntry> entries_;
    QString words_;
    QList<qsizetype> shown_; ///< Places in entries_.
};

} // namespace constela::ui
