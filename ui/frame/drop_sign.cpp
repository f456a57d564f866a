// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/drop_sign.h"

#include "ui/common/icon.h"
#include "ui/common/make.h"
#include "ui/common/measures.h"
#include "ui/common/theme.h"

#include <QFileInfo>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace constela::ui {

namespace {

constexpr float kCover = 0.97F;

} // namespace

DropSign::DropSign(const Theme& theme, QWidget* window) : QWidget(window), theme_(theme), words_(make<QLabel>(this))
{
    setObjectName(u"dropSign"_s);
    setAttribute(Qt::WA_TransparentForMouseEvents); // the window itself takes the drop
    words_->setObjectName(u"dropWords"_s);
    words_->setProperty("kind", u"title"_s);
    words_->setAlignment(Qt::AlignCenter);
    words_->setWordWrap(true);
    words_->setTextFormat(Qt::PlainText);
    auto* column = make<QVBoxLayout>(this);
    column->setContentsMargins(4 * measure::kPageMargin, measure::kPageMargin, 4 * measure::kPageMargin,
                               measure::kPageMargin);
    column->setSpacing(measure::kCardGap);
    column->addStretch(2);
    column->addWidget(make<IconLabel>(theme, u"models"_s, Role::accent, 40, this), 0, Qt::AlignHCenter);
    column->addWidget(words_);
    column->addStretch(3);
    hide();
}

void DropSign::announce(const QString& file)
{
    words_->setText(tr("Let go to load %1").arg(QFileInfo(file).fileName()));
    setGeometry(parentWidget()->rect());
    raise();
    show();
}

void DropSign::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor ground = theme_.color(Role::window);
    ground.setAlphaF(kCover);
    painter.fillRect(rect(), ground);
    painter.setPen(QPen(theme_.color(Role::accent), 2, Qt::DashLine));
    const int edge = measure::kCardGap;
    painter.drawRoundedRect(QRectF(rect()).adjusted(edge, edge, -edge, -edge), measure::kCardRadius,
                            measure::kCardRadius);
}

} // namespace constela::ui
