// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/code_view.h"

#include "ui/common/icon.h"
#include "ui/common/make.h"
#include "ui/common/measures.h"

#include <QClipboard>
#include <QEvent>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QToolButton>
#include <QWheelEvent>
#include <cmath>

namespace constela::ui {

CodeView::CodeView(const Theme& theme, QWidget* parent)
    : QFrame(parent), language_(make<QLabel>(this)), copy_(make<QToolButton>(this)), code_(make<QPlainTextEdit>(this))
{
    setProperty("kind", u"code"_s);
    language_->setProperty("kind", u"note"_s);
    language_->setTextFormat(Qt::PlainText);
    copy_->setObjectName(u"copyCode"_s);
    copy_->setProperty("kind", u"small"_s);
    copy_->setIcon(icon(theme, u"copy"_s, Role::dim));
    copy_->setIconSize(QSize(measure::kSmallIcon, measure::kSmallIcon));
    copy_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    code_->setObjectName(u"code"_s);
    code_->setReadOnly(true);
    code_->setAcceptDrops(false);
    code_->setLineWrapMode(QPlainTextEdit::NoWrap);
    code_->setTabChangesFocus(true);
    code_->setFrameShape(QFrame::NoFrame);
    code_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    code_->document()->setDocumentMargin(0);
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPixelSize(measure::kBodyText);
    code_->setFont(font);
    code_->setTabStopDistance(4 * QFontMetricsF(font).horizontalAdvance(u' '));
    code_->viewport()->installEventFilter(this);
    code_->horizontalScrollBar()->installEventFilter(this);

    auto* head = make<QHBoxLayout>();
    head->addWidget(language_);
    head->addStretch();
    head->addWidget(copy_);
    auto* column = make<QVBoxLayout>(this);
    column->setContentsMargins(measure::kCardPadding - measure::kHalfGrid, measure::kHalfGrid, measure::kGrid,
                               measure::kGrid + measure::kHalfGrid);
    column->setSpacing(measure::kHalfGrid);
    column->addLayout(head);
    column->addWidget(code_);

    connect(copy_, &QToolButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(code_->toPlainText()); });
    retranslate();
}

void CodeView::display(const QString& language, const QString& code)
{
    language_->setText(language);
    const QString shown = code_->toPlainText();
    if (code.startsWith(shown) && !shown.isEmpty()) { // grows: keep selection and scroll position
        QTextCursor end(code_->document());
        end.movePosition(QTextCursor::End);
        end.insertText(code.mid(shown.size()));
    } else if (code != shown) {
        code_->setPlainText(code);
    }
    fit();
}

void CodeView::fit()
{
    const double lines =
        code_->document()->blockCount() * std::ceil(QFontMetricsF(code_->document()->defaultFont()).lineSpacing());
    const int bar = code_->horizontalScrollBar()->maximum() > 0 ? code_->horizontalScrollBar()->sizeHint().height() : 0;
    code_->setFixedHeight(static_cast<int>(std::ceil(lines)) + bar + 4);
}

bool CodeView::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Wheel && watched == code_->viewport()) {
        const auto* wheel = dynamic_cast<QWheelEvent*>(event);
        if (wheel != nullptr && wheel->angleDelta().x() == 0) {
            event->ignore(); // up and down is the page's
            return true;
        }
    }
    if (watched == code_->horizontalScrollBar() && (event->type() == QEvent::Show || event->type() == QEvent::Hide)) {
        fit();
    }
    return QFrame::eventFilter(watched, event);
}

void CodeView::retranslate()
{
    copy_->setText(tr("Copy"));
    copy_->setAccessibleName(tr("Copy this code"));
    code_->setAccessibleName(tr("Code"));
}

void CodeView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
    QFrame::changeEvent(event);
}

} // namespace constela::ui
