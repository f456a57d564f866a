// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/rail.h"

#include "ui/common/icon.h"
#include "ui/common/make.h"
#include "ui/common/measures.h"

#include <QButtonGroup>
#include <QEvent>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace constela::ui {

Rail::Rail(const Theme& theme, QWidget* parent) : QWidget(parent)
{
    setObjectName(u"rail"_s);
    setProperty("kind", u"side"_s);
    setAttribute(Qt::WA_StyledBackground);
    auto* group = make<QButtonGroup>(this);
    auto* column = make<QVBoxLayout>(this);
    column->setContentsMargins(measure::kGrid, measure::kCardPadding, measure::kGrid, measure::kGrid);
    column->setSpacing(measure::kHalfGrid);
    column->addWidget(make<IconLabel>(theme, u"constela"_s, Role::accent, 28, this), 0, Qt::AlignHCenter);
    column->addSpacing(measure::kGrid);
    for (int i = 0; i < kPages; ++i) {
        const auto page = static_cast<Page>(i);
        auto* button = make<QToolButton>(this);
        button->setObjectName(u"rail-"_s % PageWords::iconName(page));
        button->setProperty("kind", u"rail"_s);
        button->setCheckable(true);
        button->setIcon(icon(theme, PageWords::iconName(page), Role::dim, Role::accent));
        button->setIconSize(QSize(measure::kIcon, measure::kIcon));
        button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        button->setFocusPolicy(Qt::StrongFocus);
        group->addButton(button, i);
        buttons_.at(static_cast<std::size_t>(i)) = button;
        if (page == Page::settings) {
            column->addStretch();
        }
        column->addWidget(button);
    }
    connect(group, &QButtonGroup::idClicked, this, [this](int id) { Q_EMIT pageAsked(static_cast<Page>(id)); });
    retranslate();
}

void Rail::setPage(Page page)
{
    buttons_.at(static_cast<std::size_t>(page))->setChecked(true);
}

void Rail::retranslate()
{
    int width = 72;
    for (int i = 0; i < kPages; ++i) {
        QToolButton* button = buttons_.at(static_cast<std::size_t>(i));
        button->setText(PageWords::title(static_cast<Page>(i)));
        button->setToolTip(tr("%1 (Ctrl+%2)").arg(button->text()).arg(i + 1));
        button->setAccessibleName(button->text());
        button->setMinimumWidth(0);
        width = std::max(width, button->sizeHint().width());
    }
    for (QToolButton* button : buttons_) {
        button->setMinimumWidth(width);
    }
}

void Rail::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
    QWidget::changeEvent(event);
}

} // namespace constela::ui
