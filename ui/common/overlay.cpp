// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/overlay.h"

#include "ui/common/make.h"
#include "ui/common/measures.h"
#include "ui/common/theme.h"

#include <QApplication>
#include <QFrame>
#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>

namespace constela::ui {

namespace {

constexpr int kCardWidth = 560;
constexpr float kDimming = 0.6F;

} // namespace

Overlay::Overlay(const Theme& theme, QWidget* window) : QWidget(window), theme_(theme), card_(make<QFrame>(this))
{
    card_->setProperty("kind", u"card"_s);
    card_->setMaximumWidth(kCardWidth);
    auto* row = make<QHBoxLayout>();
    row->addStretch(1);
    row->addWidget(card_, 1000);
    row->addStretch(1);
    auto* column = make<QVBoxLayout>(this);
    column->setContentsMargins(measure::kPageMargin, 2 * measure::kPageMargin, measure::kPageMargin,
                               measure::kPageMargin);
    column->addLayout(row);
    column->addStretch(1);
    window->installEventFilter(this);
    hide();
}

void Overlay::open(QWidget* focus)
{
    if (isVisible()) {
        return;
    }
    before_ = QApplication::focusWidget();
    setGeometry(parentWidget()->rect());
    raise();
    show();
    focus->setFocus(Qt::PopupFocusReason);
}

void Overlay::shut()
{
    if (!isVisible()) {
        return;
    }
    hide();
    if (before_ != nullptr && before_->isVisible()) {
        before_->setFocus(Qt::PopupFocusReason);
    }
}

bool Overlay::event(QEvent* event)
{
    // Escape is a shortcut of what lies beneath, too; here it is ours.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event); // NOLINT(*-static-cast-downcast): Qt's own way
        if (key->key() == Qt::Key_Escape) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

bool Overlay::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize) {
        setGeometry(parentWidget()->rect());
    }
    return QWidget::eventFilter(watched, event);
}

// Tab goes round in the card; the window's own chain would lead to what is covered.
bool Overlay::focusNextPrevChild(bool next)
{
    QWidget* const from = QApplication::focusWidget();
    if (from == nullptr || !isAncestorOf(from)) {
        return false;
    }
    QWidget* to = from;
    do {
        to = next ? to->nextInFocusChain() : to->previousInFocusChain();
    } while (to != from &&
             !(isAncestorOf(to) && to->isVisible() && to->isEnabled() && (to->focusPolicy() & Qt::TabFocus) != 0));
    to->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

void Overlay::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        shut();
    }
    event->accept(); // no key reaches what is covered
}

void Overlay::mousePressEvent(QMouseEvent* event)
{
    event->accept();
    if (!card_->geometry().contains(event->position().toPoint())) {
        shut();
    }
}

void Overlay::paintEvent(QPaintEvent* /*event*/)
{
    QColor dimming = theme_.color(Role::window);
    dimming.setAlphaF(kDimming);
    QPainter(this).fillRect(rect(), dimming);
}

} // namespace constela::ui
