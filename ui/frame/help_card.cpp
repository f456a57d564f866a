// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/help_card.h"

#include "ui/common/make.h"
#include "ui/common/measures.h"

#include <QFrame>
#include <QGridLayout>
#include <QKeyCombination>
#include <QKeySequence>
#include <QLabel>
#include <QLayoutItem>
#include <QPushButton>
#include <QVBoxLayout>
#include <memory>
#include <utility>

namespace constela::ui {

HelpCard::HelpCard(const Theme& theme, QWidget* window)
    : Overlay(theme, window), title_(make<QLabel>(card())), text_(make<QLabel>(card())),
      keysTitle_(make<QLabel>(card())), keys_(make<QGridLayout>()), close_(make<QPushButton>(card()))
{
    setObjectName(u"helpCard"_s);
    title_->setObjectName(u"helpTitle"_s);
    title_->setProperty("kind", u"title"_s);
    text_->setObjectName(u"helpText"_s);
    text_->setWordWrap(true);
    keysTitle_->setProperty("kind", u"heading"_s);
    close_->setObjectName(u"helpClose"_s);
    keys_->setHorizontalSpacing(measure::kPageMargin);
    keys_->setVerticalSpacing(measure::kGrid);
    keys_->setColumnStretch(1, 1);
    auto* foot = make<QHBoxLayout>();
    foot->addStretch();
    foot->addWidget(close_);
    auto* column = make<QVBoxLayout>(card());
    column->setContentsMargins(measure::kPageMargin, measure::kCardPadding, measure::kPageMargin,
                               measure::kCardPadding);
    column->setSpacing(measure::kGrid);
    column->addWidget(title_);
    column->addWidget(text_);
    column->addSpacing(measure::kGrid);
    column->addWidget(keysTitle_);
    column->addLayout(keys_);
    column->addSpacing(measure::kGrid);
    column->addLayout(foot);
    connect(close_, &QPushButton::clicked, this, &Overlay::shut);
}

void HelpCard::help(Page page)
{
    title_->setText(PageWords::title(page));
    text_->setText(PageWords::help(page));
    keysTitle_->setText(tr("Keys"));
    close_->setText(tr("Close"));
    fillKeys();
    open(close_);
}

void HelpCard::fillKeys()
{
    while (const std::unique_ptr<QLayoutItem> item{keys_->takeAt(0)}) {
        const std::unique_ptr<QWidget> gone(item->widget());
    }
    const auto name = [](QKeyCombination keys) { return QKeySequence(keys).toString(QKeySequence::NativeText); };
    const std::pair<QString, QString> lines[] = {
        {name(Qt::CTRL | Qt::Key_1) % u" … "_s % name(Qt::CTRL | Qt::Key_7), tr("the pages, in the order of the rail")},
        {name(Qt::CTRL | Qt::Key_K), tr("find a page, a conversation, a setting, something to do")},
        {name(Qt::CTRL | Qt::Key_N), tr("begin a new conversation")},
        {name(Qt::Key_F2), tr("rename the conversation")},
        {name(Qt::Key_Return), tr("send what is typed")},
        {name(Qt::SHIFT | Qt::Key_Return), tr("begin a new line")},
        {name(Qt::Key_Escape), tr("stop the answer, or close what lies over the page")},
        {name(Qt::Key_F1), tr("this help")},
        {name(Qt::CTRL | Qt::Key_Q), tr("close Constela; everything is kept")},
    };
    int row = 0;
    for (const auto& [keys, does] : lines) {
        auto* key = make<QLabel>(keys, card());
        key->setProperty("kind", u"dim"_s);
        auto* text = make<QLabel>(does, card());
        text->setWordWrap(true);
        keys_->addWidget(key, row, 0, Qt::AlignTop);
        keys_->addWidget(text, row, 1);
        ++row;
    }
}

} // namespace constela::ui
