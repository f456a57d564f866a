// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/page_header.h"

#include "ui/common/elided_label.h"
#include "ui/common/literals.h"
#include "ui/common/make.h"
#include "ui/common/measures.h"

#include <QHBoxLayout>
#include <QLabel>

namespace constela::ui {

PageHeader::PageHeader(QWidget* parent)
    : QWidget(parent), title_(make<QLabel>(this)), model_(make<ElidedLabel>(this)), speed_(make<QLabel>(this))
{
    setObjectName(u"pageHeader"_s);
    title_->setObjectName(u"pageTitle"_s);
    title_->setProperty("kind", u"title"_s);
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
