// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/error_view.h"

#include "ui/common/icon.h"
#include "ui/common/make.h"
#include "ui/common/measures.h"

#include <QClipboard>
#include <QEvent>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>

namespace constela::ui {

ErrorView::ErrorView(const Theme& theme, Kind kind, QWidget* parent)
    : QFrame(parent), theme_(theme), heading_(make<QLabel>(this)), sentence_(make<QLabel>(this)),
      fold_(make<QToolButton>(this)), copy_(make<QToolButton>(this)), details_(make<QPlainTextEdit>(this)),
      actions_(make<QHBoxLayout>())
{
    const bool error = kind == Kind::error;
    setProperty("kind", error ? u"error"_s : u"notice"_s);
    heading_->setProperty("kind", u"heading"_s);
    heading_->setObjectName(u"errorHeading"_s);
    heading_->setWordWrap(true);
    sentence_->setObjectName(u"errorSentence"_s);
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setWordWrap(true);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);

    fold_->setObjectName(u"errorDetailsFold"_s);
    fold_->setProperty("kind", u"fold"_s);
    fold_->setCheckable(true);
    fold_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    fold_->setIconSize(QSize(measure::kSmallIcon, measure::kSmallIcon));
    copy_->setObjectName(u"errorDetailsCopy"_s);
    copy_->setProperty("kind", u"small"_s);
    copy_->setIcon(icon(theme, u"copy"_s, Role::dim));
    copy_->setIconSize(QSize(measure::kSmallIcon, measure::kSmallIcon));
    copy_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    details_->setObjectName(u"errorDetails"_s);
    details_->setReadOnly(true);
    details_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    details_->setFixedHeight(96);
    details_->setTabChangesFocus(true);

    auto* foldRow = make<QHBoxLayout>();
    foldRow->setSpacing(measure::kGrid);
    foldRow->addWidget(fold_);
    foldRow->addWidget(copy_);
    foldRow->addStretch();
    actions_->setSpacing(measure::kGrid);
    actions_->addStretch();

    auto* text = make<QVBoxLayout>();
    text->setSpacing(measure::kHalfGrid);
    text->addWidget(heading_);
    text->addWidget(sentence_);
    text->addLayout(foldRow);
    text->addWidget(details_);
    text->addLayout(actions_);

    auto* row = make<QHBoxLayout>(this);
    row->setContentsMargins(measure::kCardPadding, measure::kGrid + measure::kHalfGrid, measure::kCardPadding,
                            measure::kGrid + measure::kHalfGrid);
    row->setSpacing(measure::kGrid + measure::kHalfGrid);
    row->addWidget(
        make<IconLabel>(theme, error ? u"warning"_s : u"info"_s, error ? Role::bad : Role::dim, measure::kIcon, this),
        0, Qt::AlignTop);
    row->addLayout(text, 1);

    connect(fold_, &QToolButton::toggled, this, &ErrorView::unfold);
    connect(copy_, &QToolButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(details_->toPlainText()); });
    unfold(false);
    retranslate();
}

void ErrorView::display(const QString& heading, const QString& sentence, const QString& details)
{
    heading_->setText(heading);
    sentence_->setText(sentence);
    setAccessibleName(heading);
    setAccessibleDescription(sentence);
    if (details_->toPlainText() != details) {
        details_->setPlainText(details);
    }
    fold_->setVisible(!details.isEmpty());
    if (details.isEmpty()) {
        fold_->setChecked(false);
    }
}

QPushButton* ErrorView::addAction(const QString& objectName)
{
    auto* button = make<QPushButton>(this);
    button->setObjectName(objectName);
    actions_->insertWidget(actions_->count() - 1, button);
    actions_->setContentsMargins(0, measure::kGrid, 0, 0);
    return button;
}

QString ErrorView::sentence() const
{
    return sentence_->text();
}

void ErrorView::unfold(bool open)
{
    fold_->setIcon(icon(theme_, open ? u"chevron-down"_s : u"chevron-right"_s, Role::dim));
    details_->setVisible(open);
    copy_->setVisible(open);
}

void ErrorView::retranslate()
{
    fold_->setText(tr("Details"));
    fold_->setAccessibleName(tr("Show technical details"));
    copy_->setText(tr("Copy"));
    copy_->setAccessibleName(tr("Copy the technical details"));
    details_->setAccessibleName(tr("Technical details"));
}

void ErrorView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
    QFrame::changeEvent(event);
}

} // namespace constela::ui
