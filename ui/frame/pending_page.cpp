// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/pending_page.h"

#include "ui/common/icon.h"
#include "ui/common/make.h"
#include "ui/common/measures.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

namespace constela::ui {

PendingPage::PendingPage(const Theme& theme, Page page, QWidget* parent)
    : QWidget(parent), page_(page), line_(make<QLabel>(PageWords::promise(page), this))
{
    setObjectName(u"pending-"_s % PageWords::iconName(page));
    line_->setObjectName(u"promise"_s);
    line_->setProperty("kind", u"lead"_s);
    line_->setAlignment(Qt::AlignCenter);
    line_->setWordWrap(true);
    line_->setMaximumWidth(480);
    auto* row = make<QHBoxLayout>(); // a label alone in a column is not given the height that its lines need
    row->addStretch(1);
    row->addWidget(line_, 1000);
    row->addStretch(1);
    auto* column = make<QVBoxLayout>(this);
    column->setSpacing(measure::kCardGap);
    column->addStretch(2);
    column->addWidget(make<IconLabel>(theme, PageWords::iconName(page), Role::dim, 40, this), 0, Qt::AlignHCenter);
    column->addLayout(row);
    column->addStretch(3);
}

void PendingPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        line_->setText(PageWords::promise(page_));
    }
    QWidget::changeEvent(event);
}

} // namespace constela::ui
