// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/composer.h"

#include "ui/common/icon.h"
#include "ui/common/make.h"
#include "ui/common/measures.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMimeData>
#include <QPushButton>
#include <QStyle>
#include <QTextEdit>
#include <algorithm>
#include <cmath>

namespace constela::ui {

namespace {

/// Takes plain text only, and leaves files that are dropped on it to the window.
class PlainEdit : public QTextEdit {
public:
    using QTextEdit::QTextEdit;

protected:
    [[nodiscard]] bool canInsertFromMimeData(const QMimeData* source) const override
    {
        return source->hasText() && !source->hasUrls();
    }
};

} // namespace

Composer::Composer(const Theme& theme, QWidget* parent)
    : QFrame(parent), edit_(make<PlainEdit>(this)), send_(make<QPushButton>(this)), stop_(make<QPushButton>(this))
{
    setObjectName(u"composer"_s);
    setProperty("kind", u"composer"_s);
    edit_->setObjectName(u"composerText"_s);
    edit_->setAcceptRichText(false);
    edit_->setFrameShape(QFrame::NoFrame);
    edit_->setTabChangesFocus(true);
    edit_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    edit_->document()->setDocumentMargin(0);
    edit_->viewport()->setAutoFillBackground(false);
    edit_->installEventFilter(this);
    send_->setObjectName(u"send"_s);
    send_->setProperty("kind", u"primary"_s);
    send_->setIcon(icon(theme, u"send"_s, Role::onAccent));
    stop_->setObjectName(u"stop"_s);
    stop_->setIcon(icon(theme, u"stop"_s, Role::text));
    for (QPushButton* button : {send_, stop_}) {
        button->setIconSize(QSize(measure::kSmallIcon, measure::kSmallIcon));
    }

    auto* row = make<QHBoxLayout>(this);
    row->setContentsMargins(measure::kCardPadding, measure::kGrid, measure::kGrid, measure::kGrid);
    row->setSpacing(measure::kGrid);
    row->addWidget(edit_, 1, Qt::AlignVCenter);
    row->addWidget(send_, 0, Qt::AlignBottom);
    row->addWidget(stop_, 0, Qt::AlignBottom);

    connect(edit_, &QTextEdit::textChanged, this, [this] {
        fit();
        showButtons();
        Q_EMIT textChanged();
    });
    connect(send_, &QPushButton::clicked, this, &Composer::ask);
    connect(stop_, &QPushButton::clicked, this, &Composer::stopAsked);
    setFocusProxy(edit_);
    retranslate();
    showButtons();
    fit();
}

QString Composer::text() const
{
    return edit_->toPlainText();
}

void Composer::setText(const QString& text)
{
    if (text != edit_->toPlainText()) {
        edit_->setPlainText(text);
        edit_->moveCursor(QTextCursor::End);
    }
}

void Composer::clear()
{
    edit_->clear();
}

void Composer::setState(bool canSend, bool answering, const QString& placeholder)
{
    canSend_ = canSend;
    answering_ = answering;
    edit_->setPlaceholderText(placeholder);
    showButtons();
}

void Composer::setLargestHeight(int height)
{
    largest_ = height;
    fit();
}

void Composer::fit()
{
    const int line = edit_->fontMetrics().lineSpacing();
    const int text = static_cast<int>(std::ceil(edit_->document()->size().height()));
    const int height = std::clamp(text, line, std::max(line, largest_)) + 2;
    edit_->setFixedHeight(height);
    edit_->setVerticalScrollBarPolicy(text > height ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
}

void Composer::showButtons()
{
    const bool focusMoves = (answering_ && send_->hasFocus()) || (!answering_ && stop_->hasFocus());
    send_->setEnabled(canSend_ && !edit_->toPlainText().trimmed().isEmpty());
    send_->setVisible(!answering_);
    stop_->setVisible(answering_);
    if (focusMoves) {
        edit_->setFocus();
    }
}

void Composer::ask()
{
    const QString wanted = text();
    if (canSend_ && !wanted.trimmed().isEmpty()) {
        Q_EMIT sendAsked(wanted);
    }
}

bool Composer::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == edit_) {
        switch (event->type()) {
        case QEvent::KeyPress: {
            const auto* key = dynamic_cast<QKeyEvent*>(event);
            const bool enter = key != nullptr && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter);
            if (enter && (key->modifiers() & Qt::ShiftModifier) == 0) {
                ask();
                return true;
            }
            break;
        }
        case QEvent::FocusIn:
        case QEvent::FocusOut:
            setProperty("focused", event->type() == QEvent::FocusIn);
            style()->unpolish(this);
            style()->polish(this);
            break;
        case QEvent::FontChange:
        case QEvent::Show:
        case QEvent::Resize: fit(); break;
        default: break;
        }
    }
    return QFrame::eventFilter(watched, event);
}

void Composer::retranslate()
{
    edit_->setAccessibleName(tr("Message"));
    send_->setText(tr("Send"));
    send_->setToolTip(tr("Send (Enter)"));
    stop_->setText(tr("Stop"));
    stop_->setToolTip(tr("Stop the answer (Esc)"));
}

void Composer::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
    QFrame::changeEvent(event);
}

} // namespace constela::ui
