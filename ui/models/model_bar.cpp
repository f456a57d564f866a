// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/model_bar.h"

#include "ui/common/elided_label.h"
#include "ui/common/error_view.h"
#include "ui/common/errors.h"
#include "ui/common/icon.h"
#include "ui/common/make.h"
#include "ui/common/measures.h"
#include "ui/models/model_control.h"

#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <cmath>

namespace constela::ui {

using State = node::ModelSnapshot::State;

ModelBar::ModelBar(const Theme& theme, ModelControl& models, QWidget* parent)
    : QWidget(parent), models_(models), notices_(make<QWidget>(this)),
      error_(make<ErrorView>(theme, ErrorView::Kind::error, notices_)),
      notice_(make<ErrorView>(theme, ErrorView::Kind::notice, notices_)), row_(make<QWidget>(this)),
      name_(make<ElidedLabel>(row_)), facts_(make<ElidedLabel>(row_)), progress_(make<QProgressBar>(row_)),
      cancel_(make<QPushButton>(row_)), choose_(make<QPushButton>(row_)), unload_(make<QPushButton>(row_)),
      again_(error_->addAction(u"loadAgain"_s)), other_(error_->addAction(u"chooseOther"_s))
{
    setObjectName(u"modelBar"_s);
    error_->setObjectName(u"modelError"_s);
    notice_->setObjectName(u"templateNotice"_s);
    name_->setObjectName(u"modelName"_s);
    facts_->setObjectName(u"modelFacts"_s);
    facts_->setProperty("kind", u"note"_s);
    progress_->setObjectName(u"loadProgress"_s);
    progress_->setRange(0, 1000);
    progress_->setTextVisible(false);
    cancel_->setObjectName(u"cancelLoad"_s);
    choose_->setObjectName(u"chooseModel"_s);
    unload_->setObjectName(u"unloadModel"_s);
    for (QPushButton* button : {cancel_, choose_, unload_}) {
        button->setProperty("kind", u"link"_s);
    }

    auto* row = make<QHBoxLayout>(row_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(measure::kGrid);
    row->addWidget(name_);
    row->addWidget(facts_, 1);
    row->addWidget(progress_, 3);
    row->addWidget(cancel_);
    row->addWidget(unload_);
    row->addWidget(choose_);
    auto* column = make<QVBoxLayout>(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(notices_);
    column->addWidget(row_);

    auto* above = make<QVBoxLayout>(notices_);
    above->setContentsMargins(0, 0, 0, 0);
    above->setSpacing(measure::kGrid);
    above->addWidget(error_);
    above->addWidget(notice_);

    connect(choose_, &QPushButton::clicked, this, &ModelBar::choose);
    connect(other_, &QPushButton::clicked, this, &ModelBar::choose);
    connect(again_, &QPushButton::clicked, &models_, &ModelControl::loadAgain);
    connect(cancel_, &QPushButton::clicked, &models_, &ModelControl::cancel);
    connect(unload_, &QPushButton::clicked, &models_, &ModelControl::unload);
    connect(&models_, &ModelControl::changed, this, &ModelBar::refresh);
    retranslate();
}

void ModelBar::choose()
{
    const QString path = QFileDialog::getOpenFileName(window(), tr("Choose a model"), models_.folder(),
                                                      tr("Models in GGUF format (*.gguf);;All files (*)"));
    if (!path.isEmpty()) {
        models_.load(path);
    }
}

QString ModelBar::facts() const
{
    const node::ModelSnapshot& model = models_.model();
    const QLocale locale;
    QStringList facts;
    if (model.parameters > 0) {
        const double millions = static_cast<double>(model.parameters) / 1e6;
        facts += millions < 1000 ? tr("%1 M").arg(locale.toString(millions, 'f', 0))
                                 : tr("%1 B").arg(locale.toString(millions / 1000, 'f', 1));
    }
    if (!model.quantization.empty()) {
        facts += QString::fromStdString(model.quantization);
    }
    if (model.context_length > 0) {
        facts += tr("context %1").arg(locale.toString(model.context_length));
    }
    if (model.memory_bytes > 0) {
        facts += locale.formattedDataSize(static_cast<qint64>(model.memory_bytes), 1, QLocale::DataSizeSIFormat);
    }
    return facts.join(u"  ·  "_s);
}

void ModelBar::showError()
{
    const std::optional<Error> error = models_.error();
    error_->setVisible(error.has_value());
    if (error) {
        error_->display(tr("The model could not be opened"), translated(*error), technical(*error));
        again_->setVisible(models_.model().state == State::failed);
    }
    const auto& notice = models_.model().template_notice;
    notice_->setVisible(notice.has_value() && models_.model().state == State::ready);
    if (notice) {
        notice_->display(tr("This model's own chat format is not used"), translated(*notice), technical(*notice));
    }
}

void ModelBar::refresh()
{
    const node::ModelSnapshot& model = models_.model();
    const bool loading = model.state == State::loading;
    const bool ready = model.state == State::ready;
    showError();
    notices_->setVisible(!error_->isHidden() || !notice_->isHidden());
    row_->setVisible(error_->isHidden());
    progress_->setVisible(loading);
    cancel_->setVisible(loading);
    facts_->setVisible(ready || loading);
    unload_->setVisible(ready);
    choose_->setVisible(!loading);
    choose_->setText(ready ? tr("Change model…") : tr("Choose a model…"));
    if (loading) {
        const int permille = static_cast<int>(std::lround(model.progress * 1000));
        progress_->setValue(permille);
        name_->setText(tr("Loading %1").arg(models_.name()));
        facts_->setText(tr("%1 %").arg(permille / 10));
        progress_->setAccessibleName(name_->text());
    } else if (ready) {
        name_->setText(models_.name());
        facts_->setText(facts());
    } else {
        name_->setText(tr("No model is loaded"));
    }
}

void ModelBar::retranslate()
{
    cancel_->setText(tr("Cancel"));
    unload_->setText(tr("Unload"));
    unload_->setToolTip(tr("Put the model away and free its memory"));
    again_->setText(tr("Try again"));
    other_->setText(tr("Choose another model…"));
    refresh();
}

void ModelBar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
    QWidget::changeEvent(event);
}

} // namespace constela::ui
