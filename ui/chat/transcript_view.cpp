// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/transcript_view.h"

#include "ui/chat/message_list_model.h"
#include "ui/chat/message_view.h"
#include "ui/common/make.h"
#include "ui/common/measures.h"
#include "ui/common/theme.h"

#include <QElapsedTimer>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <utility>

namespace constela::ui {

namespace {

constexpr std::chrono::milliseconds kRedraw{40};
constexpr int kNearEnd = 4;

} // namespace

TranscriptView::TranscriptView(const Theme& theme, QWidget* parent) : QScrollArea(parent), theme_(theme)
{
    setObjectName(u"transcript"_s);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    auto* page = make<QWidget>();
    page->setProperty("kind", u"page"_s);
    auto* middle = make<QWidget>(page);
    middle->setMaximumWidth(measure::kTextColumn);
    middle->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    column_ = make<QVBoxLayout>(middle);
    column_->setContentsMargins(0, measure::kPageMargin, 0, measure::kPageMargin);
    column_->setSpacing(measure::kPageMargin);
    column_->addStretch(1);
    row_ = make<QHBoxLayout>(page);
    row_->addStretch(1);
    row_->addWidget(middle, 1000);
    row_->addStretch(1);
    setWidget(page);

    redraw_.setSingleShot(true);
    redraw_.setInterval(kRedraw);
    connect(&redraw_, &QTimer::timeout, this, &TranscriptView::redraw);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &TranscriptView::onScrolled);
    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, [this](int, int maximum) { onRange(maximum); });
}

void TranscriptView::setModel(MessageListModel* model)
{
    if (model_ != nullptr) {
        disconnect(model_, nullptr, this, nullptr);
    }
    model_ = model;
    connect(model, &QAbstractItemModel::modelReset, this, &TranscriptView::rebuild);
    connect(model, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex&, int first, int last) { insert(first, last); });
    connect(model, &QAbstractItemModel::dataChanged, this,
            [this](const QModelIndex& first, const QModelIndex& last) { redrawSoon(first.row(), last.row()); });
    rebuild();
}

void TranscriptView::rebuild()
{
    for (MessageView* view : std::exchange(views_, {})) {
        view->hide();
        view->deleteLater();
    }
    changed_.clear();
    following_ = true;
    if (model_ != nullptr && model_->rowCount() > 0) {
        insert(0, model_->rowCount() - 1);
    }
}

void TranscriptView::insert(int first, int last)
{
    for (int row = first; row <= last; ++row) {
        auto* view = make<MessageView>(theme_, model_->at(row), widget());
        column_->insertWidget(row, view);
        views_.insert(row, view);
    }
}

void TranscriptView::redrawSoon(int first, int last)
{
    for (int row = first; row <= last; ++row) {
        changed_.insert(row);
    }
    if (!redraw_.isActive()) {
        redraw_.start();
    }
}

void TranscriptView::redraw()
{
    QElapsedTimer took;
    took.start();
    for (const int row : std::exchange(changed_, {})) {
        if (model_ != nullptr && row < views_.size()) {
            views_.at(row)->display(model_->at(row), model_->progress());
        }
    }
    // A very long answer costs more to lay out: draw it less often, so that the window stays at hand.
    redraw_.setInterval(std::max(kRedraw, std::chrono::milliseconds(3 * took.elapsed())));
}

void TranscriptView::resizeEvent(QResizeEvent* event)
{
    // The scroll bar takes its room from the right margin, so that the column stays in line with the composer's.
    const int bar = width() - viewport()->width();
    row_->setContentsMargins(measure::kPageMargin, 0, std::max(0, measure::kPageMargin - bar), 0);
    QScrollArea::resizeEvent(event);
}

void TranscriptView::followEnd()
{
    following_ = true;
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void TranscriptView::onScrolled(int value)
{
    following_ = value >= verticalScrollBar()->maximum() - kNearEnd;
}

void TranscriptView::onRange(int maximum)
{
    // The bar keeps its value while the text grows: `following_` still tells where the person was.
    if (following_) {
        verticalScrollBar()->setValue(maximum);
    }
}

} // namespace constela::ui
