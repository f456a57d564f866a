// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/status_line.h"

#include "ui/common/icon.h"
#include "ui/common/make.h"
#include "ui/common/measures.h"

#include <QHBoxLayout>
#include <QLabel>

namespace constela::ui {

StatusLine::StatusLine(const Theme& theme, QWidget* parent)
    : QWidget(parent), perimeter_(make<QLabel>(this)), activity_(make<QLabel>(this)),
      alertIcon_(make<IconLabel>(theme, u"warning"_s, Role::warning, measure::kSmallIcon, this)),
      alerts_(make<QLabel>(this))
{
    setObjectName(u"statusLine"_s);
    perimeter_->setObjectName(u"perimeter"_s);
    activity_->setObjectName(u"activity"_s);
    alerts_->setObjectName(u"alerts"_s);
    for (QLabel* label : {perimeter_, activity_, alerts_}) {
        label->setProperty("kind", u"note"_s);
        label->setTextFormat(Qt::PlainText);
    }
    auto* row = make<QHBoxLayout>(this);
    row->setContentsMargins(measure::kPageMargin, 6, measure::kPageMargin, 6);
    row->setSpacing(measure::kGrid);
    row->addWidget(make<IconLabel>(theme, u"shield"_s, Role::good, measure::kSmallIcon, this));
    row->addWidget(perimeter_);
    row->addStretch();
    row->addWidget(activity_);
    row->addSpacing(measure::kCardGap);
    row->addWidget(alertIcon_);
    row->addWidget(alerts_);
    retranslate();
}

void StatusLine::setActivity(const QString& activity)
{
    activity_->setText(activity);
}

void StatusLine::setAlerts(const QStringList& alerts)
{
    now_ = alerts;
    alertIcon_->setVisible(!alerts.isEmpty());
    alerts_->setText(alerts.isEmpty() ? tr("no alerts") : tr("%n alert(s)", nullptr, static_cast<int>(alerts.size())));
    alerts_->setToolTip(alerts.join(u"\n\n"_s));
    alerts_->setAccessibleDescription(alerts.join(u" "_s));
}

void StatusLine::retranslate()
{
    perimeter_->setText(tr("perimeter: this machine only, nothing leaves it"));
    setAlerts(now_);
}

} // namespace constela::ui
