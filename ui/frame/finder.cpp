// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/finder.h"

#include "ui/common/icon.h"
#include "ui/common/make.h"
#include "ui/common/measures.h"

#include <QAction>
#include <QFrame>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace constela::ui {

namespace {

constexpr int kRowHeight = 36;
constexpr int kRowsInView = 9;

/// Icon and title at the left, what it is at the right.
class EntryDelegate : public QStyledItemDelegate {
public:
    EntryDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (selected) {
            painter->setPen(QPen(theme_.color(Role::accent), 1.5));
            painter->setBrush(theme_.color(Role::raised));
            painter->drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), measure::kControlRadius,
                                     measure::kControlRadius);
        }
        const QRect place = option.rect.adjusted(measure::kGrid, 0, -measure::kGrid, 0);
        const QRect mark(place.left(), place.center().y() - measure::kIcon / 2 + 1, measure::kIcon, measure::kIcon);
        icon(theme_, index.data(FindList::IconRole).toString(), selected ? Role::accent : Role::dim)
            .paint(painter, mark);

        QFont font = option.font;
        font.setPixelSize(measure::kNoteText);
        painter->setFont(font);
        painter->setPen(theme_.color(Role::dim));
        const QString kind = index.data(FindList::KindRole).toString();
        const int kindWidth = QFontMetrics(font).horizontalAdvance(kind);
        painter->drawText(place, Qt::AlignTrailing | Qt::AlignVCenter, kind);

        font.setPixelSize(measure::kBodyText);
        painter->setFont(font);
        painter->setPen(theme_.color(Role::text));
        const QRect title = place.adjusted(measure::kIcon + measure::kGrid, 0, -kindWidth - measure::kCardGap, 0);
        painter->drawText(
            title, Qt::AlignLeading | Qt::AlignVCenter,
            QFontMetrics(font).elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, title.width()));
        painter->restore();
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& /*index*/) const override
    {
        return {option.rect.width(), kRowHeight};
    }

private:
    const Theme& theme_;
};

} // namespace

Finder::Finder(const Theme& theme, QWidget* window)
    : Overlay(theme, window), words_(make<QLineEdit>(card())), view_(make<QListView>(card())),
      nothing_(make<QLabel>(card()))
{
    setObjectName(u"finder"_s);
    words_->setObjectName(u"finderWords"_s);
    words_->addAction(icon(theme, u"search"_s, Role::dim), QLineEdit::LeadingPosition);
    words_->installEventFilter(this);
    view_->setObjectName(u"finderList"_s);
    view_->setModel(&list_);
    view_->setItemDelegate(make<EntryDelegate>(theme, this));
    view_->setFocusPolicy(Qt::NoFocus);
    view_->setMouseTracking(true);
    view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    nothing_->setObjectName(u"finderNothing"_s);
    nothing_->setProperty("kind", u"dim"_s);
    nothing_->setContentsMargins(measure::kGrid, measure::kGrid, measure::kGrid, measure::kGrid);
    auto* column = make<QVBoxLayout>(card());
    column->setContentsMargins(measure::kGrid, measure::kGrid, measure::kGrid, measure::kGrid);
    column->setSpacing(measure::kGrid);
    column->addWidget(words_);
    column->addWidget(view_);
    column->addWidget(nothing_);

    connect(words_, &QLineEdit::textChanged, this, &Finder::refresh);
    connect(words_, &QLineEdit::returnPressed, this, &Finder::go);
    connect(view_, &QListView::entered, view_, &QListView::setCurrentIndex);
    connect(view_, &QListView::clicked, this, &Finder::go);
}

void Finder::find(QList<FindEntry> entries)
{
    words_->setPlaceholderText(tr("Find a page, a conversation, a setting, something to do"));
    words_->setAccessibleName(words_->placeholderText());
    view_->setAccessibleName(tr("What was found"));
    nothing_->setText(tr("Nothing here has these words."));
    list_.setEntries(std::move(entries));
    words_->clear();
    refresh();
    open(words_);
}

void Finder::refresh()
{
    list_.setWords(words_->text());
    const int rows = list_.rowCount();
    view_->setFixedHeight(std::min(rows, kRowsInView) * kRowHeight);
    view_->setVisible(rows > 0);
    nothing_->setVisible(rows == 0);
    view_->setCurrentIndex(list_.index(0));
}

void Finder::move(int steps)
{
    const int last = list_.rowCount() - 1;
    view_->setCurrentIndex(list_.index(std::clamp(view_->currentIndex().row() + steps, 0, std::max(last, 0))));
}

void Finder::go()
{
    const int row = view_->currentIndex().row();
    shut(); // first: where it leads may take the focus
    list_.go(row);
}

bool Finder::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == words_ && event->type() == QEvent::KeyPress) {
        switch (static_cast<QKeyEvent*>(event)->key()) { // NOLINT(*-static-cast-downcast): Qt's own way
        case Qt::Key_Down: move(1); return true;
        case Qt::Key_Up: move(-1); return true;
        case Qt::Key_PageDown: move(kRowsInView); return true;
        case Qt::Key_PageUp: move(-kRowsInView); return true;
        default: break;
        }
    }
    return Overlay::eventFilter(watched, event);
}

} // namespace constela::ui
