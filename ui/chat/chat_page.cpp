// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/chat_page.h"

#include "ui/chat/chat_controller.h"
#include "ui/chat/composer.h"
#include "ui/chat/conversation_panel.h"
#include "ui/chat/transcript_view.h"
#include "ui/common/elided_label.h"
#include "ui/common/error_view.h"
#include "ui/common/errors.h"
#include "ui/common/icon.h"
#include "ui/common/make.h"
#include "ui/common/measures.h"
#include "ui/models/model_bar.h"
#include "ui/models/model_control.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>
#include <QToolButton>
#include <chrono>

namespace constela::ui {

using State = node::ModelSnapshot::State;

namespace {

constexpr std::chrono::seconds kUndoFor{10};
constexpr std::chrono::seconds kDraftAfter{1};

/// A widget in the middle of its row, as wide as the text column at most.
QHBoxLayout* inColumn(QWidget* widget)
{
    widget->setMaximumWidth(measure::kTextColumn);
    auto* row = make<QHBoxLayout>();
    row->addStretch(1);
    row->addWidget(widget, 1000);
    row->addStretch(1);
    return row;
}

QToolButton* toolButton(const Theme& theme, const QString& name, const QString& drawing, QWidget* parent)
{
    auto* button = make<QToolButton>(parent);
    button->setObjectName(name);
    button->setIcon(icon(theme, drawing, Role::dim));
    button->setIconSize(QSize(measure::kSmallIcon, measure::kSmallIcon));
    return button;
}

} // namespace

ChatPage::ChatPage(const Theme& theme, ChatController& chat, ModelControl& models, QWidget* parent)
    : QWidget(parent), chat_(chat), models_(models), panel_(make<ConversationPanel>(theme, chat, this)),
      title_(make<ElidedLabel>(this)), rename_(toolButton(theme, u"renameCurrent"_s, u"pencil"_s, this)),
      delete_(toolButton(theme, u"deleteCurrent"_s, u"trash"_s, this)),
      storeError_(make<ErrorView>(theme, ErrorView::Kind::error, this)), middle_(make<QStackedWidget>(this)),
      transcript_(make<TranscriptView>(theme, this)), empty_(make<QWidget>(this)), emptyHeading_(make<QLabel>(empty_)),
      emptyText_(make<QLabel>(empty_)), emptyChoose_(make<QPushButton>(empty_)), emptyDemo_(make<QPushButton>(empty_)),
      undo_(make<QFrame>(this)), undoText_(make<ElidedLabel>(undo_)), undoButton_(make<QPushButton>(undo_)),
      modelBar_(make<ModelBar>(theme, models, this)), composer_(make<Composer>(theme, this))
{
    setObjectName(u"chatPage"_s);
    build(theme);
    connectAll();
    retranslate();
    showConversation();
    setFocusProxy(composer_);
}

void ChatPage::build(const Theme& theme)
{
    title_->setObjectName(u"conversationTitle"_s);
    title_->setProperty("kind", u"heading"_s);
    storeError_->setObjectName(u"storeError"_s);
    storeError_->hide();
    undo_->setObjectName(u"undoBar"_s);
    undo_->setProperty("kind", u"card"_s);
    undo_->hide();
    undoButton_->setObjectName(u"undoDelete"_s);
    undoButton_->setProperty("kind", u"link"_s);
    emptyHeading_->setObjectName(u"emptyHeading"_s);
    emptyHeading_->setProperty("kind", u"title"_s);
    emptyHeading_->setAlignment(Qt::AlignCenter);
    emptyText_->setObjectName(u"emptyText"_s);
    emptyText_->setProperty("kind", u"lead"_s);
    emptyText_->setAlignment(Qt::AlignCenter);
    emptyText_->setWordWrap(true);
    emptyChoose_->setObjectName(u"emptyChooseModel"_s);
    emptyDemo_->setObjectName(u"loadDemoModel"_s);
    emptyDemo_->setProperty("kind", u"primary"_s);

    auto* steps = make<QHBoxLayout>();
    steps->setSpacing(measure::kGrid);
    steps->addStretch();
    steps->addWidget(emptyDemo_);
    steps->addWidget(emptyChoose_);
    steps->addStretch();
    auto* emptyColumn = make<QVBoxLayout>(empty_);
    emptyColumn->setSpacing(measure::kGrid);
    emptyColumn->addStretch(2);
    emptyColumn->addWidget(make<IconLabel>(theme, u"constela"_s, Role::dim, 48, empty_), 0, Qt::AlignHCenter);
    emptyColumn->addSpacing(measure::kGrid);
    emptyColumn->addWidget(emptyHeading_);
    emptyColumn->addLayout(inColumn(emptyText_));
    emptyColumn->addSpacing(measure::kGrid);
    emptyColumn->addLayout(steps);
    emptyColumn->addStretch(3);
    middle_->addWidget(empty_);
    middle_->addWidget(transcript_);

    auto* head = make<QWidget>(this);
    auto* headRow = make<QHBoxLayout>(head);
    headRow->setContentsMargins(0, measure::kGrid + measure::kHalfGrid, 0, 0);
    headRow->setSpacing(measure::kHalfGrid);
    headRow->addWidget(title_, 1);
    headRow->addWidget(rename_);
    headRow->addWidget(delete_);
    auto* undoRow = make<QHBoxLayout>(undo_);
    undoRow->setContentsMargins(measure::kCardPadding, measure::kHalfGrid, measure::kGrid, measure::kHalfGrid);
    undoRow->addWidget(undoText_, 1);
    undoRow->addWidget(undoButton_);

    auto* foot = make<QWidget>(this);
    auto* footColumn = make<QVBoxLayout>(foot);
    footColumn->setContentsMargins(0, measure::kGrid, 0, measure::kGrid + measure::kHalfGrid);
    footColumn->setSpacing(measure::kGrid);
    footColumn->addWidget(storeError_);
    footColumn->addWidget(modelBar_->notices());
    footColumn->addWidget(undo_);
    footColumn->addWidget(composer_);
    footColumn->addWidget(modelBar_);

    auto* right = make<QVBoxLayout>();
    right->setSpacing(0);
    auto* headOuter = inColumn(head);
    headOuter->setContentsMargins(measure::kPageMargin, 0, measure::kPageMargin, 0);
    auto* footOuter = inColumn(foot);
    footOuter->setContentsMargins(measure::kPageMargin, 0, measure::kPageMargin, 0);
    right->addLayout(headOuter);
    right->addWidget(middle_, 1);
    right->addLayout(footOuter);

    auto* edge = make<QFrame>(this);
    edge->setProperty("kind", u"line"_s);
    edge->setFixedWidth(1);
    auto* all = make<QHBoxLayout>(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(panel_);
    all->addWidget(edge);
    all->addLayout(right, 1);
}

void ChatPage::connectAll()
{
    undoTimer_.setSingleShot(true);
    undoTimer_.setInterval(kUndoFor);
    draftTimer_.setSingleShot(true);
    draftTimer_.setInterval(kDraftAfter);
    connect(&undoTimer_, &QTimer::timeout, &chat_, &ChatController::forgetRemoved);
    connect(&draftTimer_, &QTimer::timeout, this, &ChatPage::keepDraft);
    connect(composer_, &Composer::textChanged, &draftTimer_, qOverload<>(&QTimer::start));
    connect(composer_, &Composer::sendAsked, this, &ChatPage::send);
    connect(composer_, &Composer::stopAsked, &chat_, &ChatController::stop);
    connect(panel_, &ConversationPanel::chosen, composer_, qOverload<>(&QWidget::setFocus));
    connect(rename_, &QToolButton::clicked, panel_, &ConversationPanel::renameCurrent);
    connect(delete_, &QToolButton::clicked, this, [this] { chat_.remove(chat_.currentId()); });
    connect(emptyChoose_, &QPushButton::clicked, modelBar_, &ModelBar::choose);
    connect(emptyDemo_, &QPushButton::clicked, this, [this] { models_.load(models_.demoModel()); });
    connect(undoButton_, &QPushButton::clicked, &chat_, &ChatController::undoRemove);
    connect(&chat_, &ChatController::currentChanged, this, &ChatPage::showConversation);
    connect(&chat_, &ChatController::stateChanged, this, &ChatPage::refresh);
    connect(&models_, &ModelControl::changed, this, &ChatPage::refresh);
    connect(&chat_, &ChatController::removed, this, [this](const QString& title) {
        removedTitle_ = title;
        showNotices();
        undo_->show();
        undoTimer_.start();
        composer_->setFocus();
    });
    connect(&chat_, &ChatController::removalSettled, this, [this] {
        undoTimer_.stop();
        undo_->hide();
    });
    connect(&chat_, &ChatController::storeFailed, this, [this](const Error& error) {
        notSaved_ = error;
        showNotices();
    });
    connect(&chat_, &ChatController::storeRecovered, this, [this] {
        notSaved_.reset();
        showNotices();
    });
    const auto* escapeKey = make<QShortcut>(QKeySequence(Qt::Key_Escape), this);
    connect(escapeKey, &QShortcut::activated, this, &ChatPage::escape);
    const auto* renameKey = make<QShortcut>(QKeySequence(Qt::Key_F2), this);
    connect(renameKey, &QShortcut::activated, panel_, &ConversationPanel::renameCurrent);
}

void ChatPage::startNew()
{
    chat_.startNew();
    composer_->setFocus();
}

void ChatPage::chooseModel()
{
    modelBar_->choose();
}

void ChatPage::keepDraft()
{
    draftTimer_.stop();
    chat_.setDraft(shownConversation_, composer_->text());
}

void ChatPage::showConversation()
{
    if (shownConversation_ != chat_.currentId()) {
        keepDraft();
        shownConversation_ = chat_.currentId();
    }
    transcript_->setModel(chat_.messages());
    composer_->setText(chat_.draft());
    draftTimer_.stop();
    refresh();
}

void ChatPage::showNotices()
{
    undoText_->setText(tr("“%1” was deleted.").arg(removedTitle_));
    storeError_->setVisible(notSaved_.has_value());
    if (notSaved_) {
        storeError_->display(tr("Conversations are not being saved"), translated(*notSaved_), technical(*notSaved_));
    }
}

void ChatPage::send(const QString& text)
{
    composer_->clear();
    if (!chat_.send(text)) {
        composer_->setText(text);
        return;
    }
    transcript_->followEnd();
}

void ChatPage::escape()
{
    if (chat_.answering()) {
        chat_.stop();
    } else if (models_.model().state == State::loading) {
        models_.cancel();
    }
}

QString ChatPage::placeholder() const
{
    if (chat_.answering()) {
        return tr("Write your next message meanwhile");
    }
    switch (models_.model().state) {
    case State::ready: return tr("Write a message");
    case State::loading: return tr("Write while the model loads");
    case State::none:
    case State::failed: break;
    }
    return tr("Choose a model to start writing");
}

void ChatPage::refreshEmpty()
{
    const State state = models_.model().state;
    const bool noModel = state == State::none || state == State::failed;
    const bool failed = models_.error().has_value(); // it stands below, with what to do
    const bool demo = noModel && !failed && !models_.demoModel().isEmpty();
    emptyChoose_->setVisible(noModel && !failed);
    emptyDemo_->setVisible(demo);
    const QString kind = demo ? QString() : u"primary"_s; // one next step stands out
    if (emptyChoose_->property("kind").toString() != kind) {
        emptyChoose_->setProperty("kind", kind);
        emptyChoose_->setStyleSheet(u" "_s); // makes the style look at the property again
        emptyChoose_->setStyleSheet({});
    }
    if (noModel && failed) {
        emptyHeading_->setText(tr("No model is loaded"));
        emptyText_->setText(tr("What went wrong stands below."));
    } else if (noModel) {
        emptyHeading_->setText(tr("Choose a model"));
        emptyText_->setText(tr("Answers are made by a model on this machine; nothing you write leaves it. "
                               "Choose a model file (GGUF), or drop one onto this window."));
    } else if (state == State::loading) {
        emptyHeading_->setText(tr("The model is loading"));
        emptyText_->setText(tr("You can already write; the message can be sent as soon as it is there."));
    } else {
        emptyHeading_->setText(tr("Ask something"));
        emptyText_->setText(tr("Write below. The answer appears here while it is being made."));
    }
}

void ChatPage::refresh()
{
    const bool some = chat_.messages()->rowCount() > 0 || !chat_.messages()->ready();
    middle_->setCurrentWidget(some ? static_cast<QWidget*>(transcript_) : empty_);
    const bool named = !chat_.currentId().isEmpty();
    title_->setText(chat_.currentTitle());
    for (QWidget* widget :
         {static_cast<QWidget*>(title_), static_cast<QWidget*>(rename_), static_cast<QWidget*>(delete_)}) {
        widget->setVisible(named);
    }
    composer_->setState(chat_.canSend(), chat_.answering(), placeholder());
    refreshEmpty();
}

void ChatPage::retranslate()
{
    rename_->setToolTip(tr("Rename this conversation (F2)"));
    rename_->setAccessibleName(tr("Rename this conversation"));
    delete_->setToolTip(tr("Delete this conversation"));
    delete_->setAccessibleName(tr("Delete this conversation"));
    transcript_->setAccessibleName(tr("Messages"));
    emptyChoose_->setText(tr("Choose a model…"));
    emptyDemo_->setText(tr("Load the demo model"));
    undoButton_->setText(tr("Undo"));
    showNotices();
    refresh();
}

void ChatPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
    QWidget::changeEvent(event);
}

void ChatPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    composer_->setLargestHeight(height() / 3);
}

} // namespace constela::ui
