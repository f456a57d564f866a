// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/page_header.h"

#include "ui/common/elided_label.h"
#include "ui/common/icon.h"
#include "ui/common/literals.h"
#include "ui/common/make.h"
#include "ui/common/measures.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace constela::ui {

PageHeader::PageHeader(const Theme& theme, QWidget* parent)
    : QWidget(parent), title_(make<QLabel>(this)), find_(make<QPushButton>(this)), model_(make<ElidedLabel>(this)),
      speed_(make<QLabel>(this))
{
    setObjectName(u"pageHeader"_s);
    title_->setObjectName(u"pageTitle"_s);
    title_->setProperty("kind", u"title"_s);
    find_->setObjectName(u"headerFind"_s);
    find_->setProperty("kind", u"find"_s);
    find_->setIcon(icon(theme, u"search"_s, Role::dim));
    model_->setObjectName(u"headerModel"_s);
    model_->setProperty("kind", u"dim"_s);
    model_->setAlignment(Qt::AlignTrailing | Qt::AlignVCenter);
    speed_->setObjectName(u"headerSpeed"_s);
    speed_->setAlignment(Qt::AlignTrailing | Qt::AlignVCenter);
    // As wide as a speed gets, so that nothing moves when it changes.
    speed_->setMinimumWidth(speed_->fontMetrics().horizontalAdvance(u"8888.8 t/s"_s));
    auto* row = make<QHBoxLayout>(this);
    row->setContentsMargins(measure::kPageMargin, measure::kCardPadding, measure::kPageMargin, measure::kCardPadding);
    row->setSpacing(measure::kGrid);
    row->addWidget(title_);
    row->addWidget(model_, 1);
    row->addWidget(speed_);
    row->addSpacing(measure::kGrid);
    row->addWidget(find_);
    connect(find_, &QPushButton::clicked, this, &PageHeader::findAsked);
    retranslate();
}

void PageHeader::retranslate()
{
    find_->setText(tr("Find"));
    find_->setToolTip(tr("Find a page, a conversation, a setting, something to do (Ctrl+K)"));
}

void PageHeader::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
    QWidget::changeEvent(event);
}

void PageHeader::setTitle(const QString& title)
{
    title_->setText(title);
}

void PageHeader::setModel(const QString& model, const QString& speed)
{
    model_->setText(model.isEmpty() ? tr("no model") : tr("model: %1").arg(model));
    speed_->setText(speed);
    speed_->setVisible(!speed.isEmpty());
}

} // namespace constela::ui
