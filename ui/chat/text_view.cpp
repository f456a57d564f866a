// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/text_view.h"

#include "ui/common/literals.h"

#include <QAbstractTextDocumentLayout>
#include <QVariant>
#include <QWheelEvent>
#include <cmath>
#include <utility>

namespace constela::ui {

TextView::TextView(QWidget* parent) : QTextBrowser(parent)
{
    setProperty("kind", u"message"_s);
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false); // an address written by a model is shown, never followed
    setAcceptDrops(false);
    setUndoRedoEnabled(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard | Qt::LinksAccessibleByMouse);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setTabChangesFocus(true);
    viewport()->setAutoFillBackground(false);
}

TextView::~TextView()
{
    // The base class must not be left with a document that goes first.
    setDocument(nullptr);
}

void TextView::display(std::unique_ptr<QTextDocument> document)
{
    QTextOption option = document->defaultTextOption();
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    document->setDefaultTextOption(option);
    document->setTextWidth(-1);
    naturalWidth_ = static_cast<int>(std::ceil(document->idealWidth())) + 1;
    // A selection is kept while text is only added after it.
    const int anchor = textCursor().anchor();
    const int position = textCursor().position();
    const bool selected = textCursor().hasSelection();
    setDocument(document.get());
    std::swap(shown_, document);
    if (selected && std::max(anchor, position) < shown_->characterCount()) {
        QTextCursor cursor(shown_.get());
        cursor.setPosition(anchor);
        cursor.setPosition(position, QTextCursor::KeepAnchor);
        setTextCursor(cursor);
    }
    fit();
    updateGeometry();
}

void TextView::fit()
{
    document()->setTextWidth(viewport()->width());
    const int height = static_cast<int>(std::ceil(document()->size().height()));
    if (height != this->height() || height != minimumHeight()) {
        setFixedHeight(height);
    }
}

QSize TextView::sizeHint() const
{
    return {naturalWidth_, height()};
}

QSize TextView::minimumSizeHint() const
{
    return {0, height()};
}

void TextView::wheelEvent(QWheelEvent* event)
{
    event->ignore();
}

void TextView::resizeEvent(QResizeEvent* event)
{
    QTextBrowser::resizeEvent(event);
    if (event->oldSize().width() != event->size().width()) {
        fit();
    }
}

QVariant TextView::loadResource(int /*type*/, const QUrl& /*name*/)
{
    return {};
}

} // namespace constela::ui
