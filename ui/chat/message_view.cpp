// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/message_view.h"

#include "ui/chat/answer_note.h"
#include "ui/chat/code_view.h"
#include "ui/chat/text_view.h"
#include "ui/common/error_view.h"
#include "ui/common/errors.h"
#include "ui/common/icon.h"
#include "ui/common/make.h"
#include "ui/common/measures.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace constela::ui {

namespace {

QFont chatFont(const QWidget& widget)
{
    QFont font = widget.font();
    font.setPixelSize(measure::kChatText);
    return font;
}

std::unique_ptr<QTextDocument> plainDocument(const QString& text, const QFont& font)
{
    auto document = std::make_unique<InertDocument>();
    document->setDefaultFont(font);
    document->setDocumentMargin(0);
    document->setUndoRedoEnabled(false);
    document->setPlainText(text);
    return document;
}

} // namespace

MessageView::MessageView(const Theme& theme, const ChatMessage& message, QWidget* parent)
    : QFrame(parent), theme_(theme), message_(message), body_(make<QVBoxLayout>(this))
{
    body_->setContentsMargins(0, 0, 0, 0);
    body_->setSpacing(measure::kGrid + measure::kHalfGrid);
    if (message.author == Author::person) {
        buildQuestion();
    } else {
        buildAnswer();
    }
    connect(&theme_, &Theme::changed, this, &MessageView::redraw);
    redraw();
}

void MessageView::buildQuestion()
{
    setObjectName(u"question"_s);
    auto* bubble = make<QFrame>(this);
    bubble->setProperty("kind", u"bubble"_s);
    bubble->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    bubble->setMaximumWidth(measure::kTextColumn * 4 / 5);
    question_ = make<TextView>(bubble);
    question_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto* inside = make<QHBoxLayout>(bubble);
    inside->setContentsMargins(measure::kCardPadding, measure::kGrid + 2, measure::kCardPadding, measure::kGrid + 2);
    inside->addWidget(question_);
    auto* row = make<QHBoxLayout>();
    row->addStretch(1);
    row->addWidget(bubble, 0);
    body_->addLayout(row);
}

void MessageView::buildAnswer()
{
    setObjectName(u"answer"_s);
    note_ = make<QLabel>(this);
    note_->setObjectName(u"answerNote"_s);
    note_->setProperty("kind", u"note"_s);
    note_->setTextFormat(Qt::PlainText);
    note_->setWordWrap(true);
    note_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    copy_ = make<QToolButton>(this);
    copy_->setObjectName(u"copyAnswer"_s);
    copy_->setProperty("kind", u"small"_s);
    copy_->setIcon(icon(theme_, u"copy"_s, Role::dim));
    copy_->setIconSize(QSize(measure::kSmallIcon, measure::kSmallIcon));
    error_ = make<ErrorView>(theme_, ErrorView::Kind::error, this);
    error_->setObjectName(u"answerError"_s);
    auto* foot = make<QHBoxLayout>();
    foot->setSpacing(measure::kGrid);
    foot->addWidget(note_, 1);
    foot->addWidget(copy_, 0, Qt::AlignTop);
    body_->addWidget(error_);
    body_->addLayout(foot);
    connect(copy_, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(message_.text); });
}

void MessageView::display(const ChatMessage& message, const std::optional<AnswerProgress>& progress)
{
    const bool sameText = message.text == message_.text;
    message_ = message;
    progress_ = progress;
    if (!sameText) {
        showText();
    }
    showNote();
}

void MessageView::redraw()
{
    parts_.clear(); // colours and fonts are part of what is drawn
    showText();
    showNote();
}

void MessageView::showText()
{
    if (question_ != nullptr) {
        question_->display(plainDocument(message_.text, chatFont(*this)));
        question_->setAccessibleName(tr("You wrote"));
        return;
    }
    const QList<MarkdownPart> parts = splitMarkdown(message_.text);
    while (partViews_.size() > parts.size()) {
        partViews_.takeLast()->deleteLater();
    }
    for (qsizetype i = 0; i < parts.size(); ++i) {
        if (i >= parts_.size() || parts_.at(i) != parts.at(i) || i >= partViews_.size()) {
            showPart(i, parts.at(i));
        }
    }
    parts_ = parts;
}

void MessageView::showPart(qsizetype index, const MarkdownPart& part)
{
    QWidget* view = index < partViews_.size() ? partViews_.at(index) : nullptr;
    auto* code = qobject_cast<CodeView*>(view);
    auto* text = qobject_cast<TextView*>(view);
    if (view == nullptr || part.code != (code != nullptr)) {
        if (view != nullptr) {
            view->deleteLater();
        }
        if (part.code) {
            view = code = make<CodeView>(theme_, this);
        } else {
            view = text = make<TextView>(this);
            text->setObjectName(u"answerText"_s);
        }
        if (index < partViews_.size()) {
            delete body_->replaceWidget(partViews_.at(index), view); // NOLINT(cppcoreguidelines-owning-memory): Qt's
            partViews_[index] = view;
        } else {
            body_->insertWidget(static_cast<int>(index), view);
            partViews_ += view;
        }
    }
    if (part.code) {
        code->display(part.language, part.text);
    } else {
        text->display(markdownDocument(part.text, theme_, chatFont(*this)));
        text->setAccessibleName(tr("Answer"));
    }
}

void MessageView::showNote()
{
    if (note_ == nullptr) {
        return;
    }
    note_->setText(AnswerNote::of(message_, progress_));
    const bool failed = message_.state == MessageState::failed && message_.error.has_value();
    error_->setVisible(failed);
    if (failed) {
        error_->display(message_.text.isEmpty() ? tr("There is no answer") : tr("The answer broke off"),
                        translated(*message_.error), technical(*message_.error));
    }
    copy_->setVisible(!message_.text.isEmpty() && message_.state != MessageState::answering);
    copy_->setToolTip(tr("Copy the answer"));
    copy_->setAccessibleName(tr("Copy the answer"));
}

void MessageView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        redraw();
    }
    QFrame::changeEvent(event);
}

} // namespace constela::ui
