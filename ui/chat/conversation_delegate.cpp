// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/conversation_delegate.h"

#include "ui/chat/conversation_list_model.h"
#include "ui/common/icon.h"
#include "ui/common/literals.h"
#include "ui/common/measures.h"

#include <QDateTime>
#include <QLocale>
#include <QPainter>

namespace constela::ui {

namespace {

constexpr int kHeight = 52;
constexpr int kSide = 12;

QString when(std::int64_t milliseconds)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(milliseconds);
    const QDate today = QDate::currentDate();
    if (time.date() == today) {
        return QLocale().toString(time.time(), QLocale::ShortFormat);
    }
    return QLocale().toString(time.date(), QLocale::ShortFormat);
}

} // namespace

ConversationDelegate::ConversationDelegate(const Theme& theme, QObject* parent)
    : QStyledItemDelegate(parent), theme_(theme)
{
}

void ConversationDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool hover = option.state.testFlag(QStyle::State_MouseOver);
    const bool focus = option.state.testFlag(QStyle::State_HasFocus);
    const bool answering = index.data(ConversationListModel::AnsweringRole).toBool();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF ground = QRectF(option.rect).adjusted(1, 1, -1, -1);
    painter->setPen(focus ? QPen(theme_.color(Role::accent), 2) : QPen(Qt::NoPen));
    painter->setBrush(selected || hover ? QBrush(theme_.color(Role::raised)) : QBrush(Qt::NoBrush));
    painter->drawRoundedRect(ground, measure::kControlRadius, measure::kControlRadius);
    if (selected) { // a shape beside the colour
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme_.color(Role::accent));
        painter->drawRoundedRect(QRectF(ground.left(), ground.top() + 14, 3, ground.height() - 28), 1.5, 1.5);
    }

    QRect text = option.rect.adjusted(kSide, 8, -kSide, -8);
    QFont font = option.font;
    font.setPixelSize(measure::kBodyText);
    painter->setFont(font);
    painter->setPen(theme_.color(Role::text));
    const QFontMetrics titleMetrics(font);
    const QString title = index.data(Qt::DisplayRole).toString();
    painter->drawText(QRect(text.left(), text.top(), text.width(), titleMetrics.height()),
                      Qt::AlignLeading | Qt::AlignVCenter,
                      titleMetrics.elidedText(title, Qt::ElideRight, text.width()));

    font.setPixelSize(measure::kNoteText);
    painter->setFont(font);
    const QFontMetrics noteMetrics(font);
    QRect note(text.left(), text.bottom() - noteMetrics.height() + 1, text.width(), noteMetrics.height());
    painter->setPen(theme_.color(answering ? Role::accent : Role::dim));
    if (answering) {
        icon(theme_, u"answering"_s, Role::accent).paint(painter, QRect(note.left(), note.center().y() - 7, 16, 16));
        note.setLeft(note.left() + 22);
    }
    const QString told = answering ? ConversationListModel::tr("answering")
                                   : when(index.data(ConversationListModel::UpdatedRole).toLongLong());
    painter->drawText(note, Qt::AlignLeading | Qt::AlignVCenter, told);
    painter->restore();
}

QSize ConversationDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& /*index*/) const
{
    return {option.rect.width(), kHeight};
}

void ConversationDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                                const QModelIndex& /*index*/) const
{
    editor->setGeometry(option.rect.adjusted(4, 8, -4, -8));
}

} // namespace constela::ui
