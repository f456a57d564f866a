// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/find_list.h"

#include "ui/common/literals.h"

#include <algorithm>
#include <utility>

namespace constela::ui {

namespace {

/// Without case and accents: "Configurações" is found by "configuracoes".
QString plain(const QString& text)
{
    QString letters;
    for (const QChar character : text.normalized(QString::NormalizationForm_KD)) {
        if (character.category() != QChar::Mark_NonSpacing) {
            letters += character;
        }
    }
    return letters.toCaseFolded();
}

} // namespace

int FindList::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant FindList::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= shown_.size()) {
        return {};
    }
    const FindEntry& entry = entries_.at(shown_.at(index.row()));
    switch (role) {
    case Qt::DisplayRole: return entry.title;
    case Qt::AccessibleTextRole: return QString(entry.title % u", "_s % entry.kind);
    case KindRole: return entry.kind;
    case IconRole: return entry.iconName;
    default: return {};
    }
}

void FindList::setEntries(QList<FindEntry> entries)
{
    entries_ = std::move(entries);
    settle();
}

void FindList::setWords(const QString& words)
{
    words_ = plain(words.simplified());
    settle();
}

void FindList::settle()
{
    beginResetModel();
    shown_.clear();
    const QStringList words = words_.split(u' ', Qt::SkipEmptyParts);
    QList<qsizetype> others;
    for (qsizetype i = 0; i < entries_.size(); ++i) {
        const QString title = plain(entries_.at(i).title);
        const QString all = title % u' ' % plain(entries_.at(i).kind);
        if (std::all_of(words.cbegin(), words.cend(), [&all](const QString& word) { return all.contains(word); })) {
            (title.startsWith(words_) ? shown_ : others) += i;
        }
    }
    shown_ += others;
    endResetModel();
}

void FindList::go(int row) const
{
    if (row >= 0 && row < shown_.size()) {
        const std::function<void()> there = entries_.at(shown_.at(row)).go; // outlives a change of the list
        there();
    }
}

} // namespace constela::ui
