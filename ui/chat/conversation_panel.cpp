// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/conversation_panel.h"

#include "ui/chat/chat_controller.h"
#include "ui/chat/conversation_delegate.h"
#include "ui/common/icon.h"
#include "ui/common/make.h"
#include "ui/common/measures.h"

#include <QAction>
#include <QEvent>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

namespace constela::ui {

ConversationPanel::ConversationPanel(const Theme& theme, ChatController& chat, QWidget* parent)
    : QWidget(parent), chat_(chat), new_(make<QPushButton>(this)), list_(make<QListView>(this)),
      empty_(make<QLabel>(this)), rename_(make<QAction>(this)), delete_(make<QAction>(this))
{
    setObjectName(u"conversationPanel"_s);
    setFixedWidth(measure::kListWidth);
    new_->setObjectName(u"newConversation"_s);
    new_->setIcon(icon(theme, u"plus"_s));
    new_->setIconSize(QSize(measure::kSmallIcon, measure::kSmallIcon));
    list_->setObjectName(u"conversationList"_s);
    list_->setModel(&chat.conversations());
    list_->setItemDelegate(make<ConversationDelegate>(theme, this));
    list_->setEditTriggers(QAbstractItemView::EditKeyPressed);
    list_->setContextMenuPolicy(Qt::CustomContextMenu);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->setMouseTracking(true);
    list_->setUniformItemSizes(true);
    list_->viewport()->setAutoFillBackground(false);
    empty_->setObjectName(u"noConversations"_s);
    empty_->setProperty("kind", u"note"_s);
    empty_->setWordWrap(true);
    empty_->setAlignment(Qt::AlignTop);
    empty_->setContentsMargins(12, 8, 12, 8);

    rename_->setObjectName(u"renameConversation"_s);
    delete_->setObjectName(u"deleteConversation"_s);
    delete_->setShortcut(QKeySequence(Qt::Key_Delete));
    delete_->setShortcutContext(Qt::WidgetShortcut);
    list_->addAction(delete_);

    auto* column = make<QVBoxLayout>(this);
    column->setContentsMargins(measure::kGrid + measure::kHalfGrid, measure::kCardPadding,
                               measure::kGrid + measure::kHalfGrid, measure::kGrid);
    column->setSpacing(measure::kGrid + measure::kHalfGrid);
    column->addWidget(new_);
    column->addWidget(empty_);
    column->addWidget(list_, 1);

    connect(new_, &QPushButton::clicked, this, [this] {
        chat_.startNew();
        Q_EMIT chosen();
    });
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& current) {
        if (current.isValid()) {
            chat_.select(current.data(ConversationListModel::IdRole).toString());
        }
    });
    connect(list_, &QListView::clicked, this, &ConversationPanel::chosen);
    connect(list_, &QListView::customContextMenuRequested, this, &ConversationPanel::openMenu);
    connect(rename_, &QAction::triggered, this, &ConversationPanel::renameCurrent);
    connect(delete_, &QAction::triggered, this,
            [this] { chat_.remove(list_->currentIndex().data(ConversationListModel::IdRole).toString()); });
    connect(&chat_, &ChatController::currentChanged, this, &ConversationPanel::showCurrent);
    connect(&chat_.conversations(), &QAbstractItemModel::rowsInserted, this, &ConversationPanel::showEmpty);
    connect(&chat_.conversations(), &QAbstractItemModel::rowsRemoved, this, &ConversationPanel::showEmpty);
    retranslate();
    showEmpty();
    showCurrent();
}

void ConversationPanel::showCurrent()
{
    const int row = chat_.conversations().rowOf(chat_.currentId());
    const QModelIndex index = chat_.conversations().index(row);
    if (index != list_->currentIndex()) {
        list_->setCurrentIndex(index);
    }
    if (!index.isValid()) {
        list_->clearSelection();
    } else {
        list_->selectionModel()->select(index, QItemSelectionModel::ClearAndSelect);
        list_->scrollTo(index);
    }
}

void ConversationPanel::showEmpty()
{
    const bool none = chat_.conversations().rowCount() == 0;
    empty_->setVisible(none);
    list_->setFocusPolicy(none ? Qt::NoFocus : Qt::StrongFocus);
}

void ConversationPanel::renameCurrent()
{
    if (list_->currentIndex().isValid()) {
        list_->edit(list_->currentIndex());
    }
}

void ConversationPanel::openMenu(const QPoint& place)
{
    const QModelIndex index = list_->indexAt(place);
    if (index.isValid()) {
        list_->setCurrentIndex(index);
        QMenu menu(this);
        menu.addAction(rename_);
        menu.addAction(delete_);
        menu.exec(list_->viewport()->mapToGlobal(place));
    }
}

void ConversationPanel::retranslate()
{
    new_->setText(tr("New conversation"));
    new_->setToolTip(tr("New conversation (Ctrl+N)"));
    list_->setAccessibleName(tr("Conversations"));
    empty_->setText(tr("Your conversations will be listed here. They are kept on this machine only."));
    rename_->setText(tr("Rename"));
    delete_->setText(tr("Delete"));
    chat_.conversations().retranslate();
}

void ConversationPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
    QWidget::changeEvent(event);
}

} // namespace constela::ui
