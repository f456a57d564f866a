// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings_page.h"

#include "ui/common/icon.h"
#include "ui/common/make.h"
#include "ui/common/measures.h"
#include "ui/models/model_control.h"
#include "ui/settings/settings.h"

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QWheelEvent>

namespace constela::ui {

namespace {

constexpr int kControlWidth = 220;

/// A wheel that passes over a control on its way down the page must not change it.
template <class Base>
class CalmControl : public Base {
public:
    explicit CalmControl(QWidget* parent) : Base(parent) { this->setFocusPolicy(Qt::StrongFocus); }

protected:
    void wheelEvent(QWheelEvent* event) override
    {
        if (this->hasFocus()) {
            Base::wheelEvent(event);
        } else {
            event->ignore();
        }
    }
};

} // namespace

SettingsPage::SettingsPage(const Theme& theme, Settings& settings, ModelControl& models, QWidget* parent)
    : QWidget(parent), settings_(settings), models_(models), search_(make<QLineEdit>(this)),
      nothing_(make<QLabel>(this)), scroll_(make<QScrollArea>(this)), language_(make<CalmControl<QComboBox>>(this)),
      theme_(make<CalmControl<QComboBox>>(this)), threads_(make<CalmControl<QSpinBox>>(this)),
      context_(make<CalmControl<QSpinBox>>(this)), kvType_(make<CalmControl<QComboBox>>(this)),
      reload_(make<QPushButton>(this))
{
    setObjectName(u"settingsPage"_s);
    search_->setObjectName(u"settingsSearch"_s);
    search_->setClearButtonEnabled(true);
    search_->addAction(icon(theme, u"search"_s, Role::dim), QLineEdit::LeadingPosition);
    language_->setObjectName(u"languageChoice"_s);
    theme_->setObjectName(u"themeChoice"_s);
    threads_->setObjectName(u"threads"_s);
    threads_->setRange(0, 256);
    context_->setObjectName(u"contextLength"_s);
    context_->setRange(0, 1048576);
    context_->setSingleStep(1024);
    context_->setGroupSeparatorShown(true);
    kvType_->setObjectName(u"kvType"_s);
    reload_->setObjectName(u"loadAgainNow"_s);
    nothing_->setProperty("kind", u"dim"_s);

    auto* page = make<QWidget>();
    page->setProperty("kind", u"page"_s);
    auto* middle = make<QWidget>(page);
    middle->setMaximumWidth(measure::kTextColumn);
    auto* column = make<QVBoxLayout>(middle);
    column->setContentsMargins(0, measure::kPageMargin, 0, measure::kPageMargin);
    column->setSpacing(measure::kCardGap);
    column->addWidget(search_);
    windowSection_ = addSection(column);
    addEntry(column, language_);
    addEntry(column, theme_);
    modelSection_ = addSection(column);
    addEntry(column, threads_);
    addEntry(column, context_);
    addEntry(column, kvType_);
    addEntry(column, reload_);
    column->addWidget(nothing_);
    column->addStretch();
    auto* row = make<QHBoxLayout>(page);
    row->setContentsMargins(measure::kPageMargin, 0, measure::kPageMargin, 0);
    row->addStretch(1);
    row->addWidget(middle, 1000);
    row->addStretch(1);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setWidget(page);
    auto* all = make<QVBoxLayout>(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(scroll_);

    retranslate();
    connect(search_, &QLineEdit::textChanged, this, &SettingsPage::filter);
    connect(language_, &QComboBox::activated, this,
            [this] { settings_.setLanguage(language_->currentData().toString()); });
    connect(theme_, &QComboBox::activated, this,
            [this] { settings_.setTheme(themeFromName(theme_->currentData().toString())); });
    connect(threads_, &QSpinBox::valueChanged, this,
            [this](int value) { settings_.setThreads(static_cast<std::uint32_t>(value)); });
    connect(context_, &QSpinBox::valueChanged, this,
            [this](int value) { settings_.setContextLength(static_cast<std::uint32_t>(value)); });
    connect(kvType_, &QComboBox::activated, this,
            [this] { settings_.setKvType(static_cast<kernels::KvType>(kvType_->currentData().toInt())); });
    connect(reload_, &QPushButton::clicked, &models_, &ModelControl::loadAgain);
    connect(&models_, &ModelControl::changed, this, &SettingsPage::refresh);
}

QLabel* SettingsPage::addSection(QVBoxLayout* column)
{
    auto* label = make<QLabel>();
    label->setProperty("kind", u"heading"_s);
    label->setContentsMargins(0, measure::kGrid, 0, 0);
    column->addWidget(label);
    return label;
}

void SettingsPage::addEntry(QVBoxLayout* column, QWidget* control)
{
    auto* row = make<QFrame>();
    row->setProperty("kind", u"card"_s);
    auto* name = make<QLabel>(row);
    auto* about = make<QLabel>(row);
    about->setProperty("kind", u"note"_s);
    about->setWordWrap(true);
    name->setBuddy(control);
    control->setMinimumWidth(kControlWidth);
    control->setMinimumHeight(measure::kControlHeight);
    auto* words = make<QVBoxLayout>();
    words->setSpacing(measure::kHalfGrid);
    words->addWidget(name);
    words->addWidget(about);
    auto* line = make<QHBoxLayout>(row);
    line->setContentsMargins(measure::kCardPadding, measure::kGrid + measure::kHalfGrid, measure::kCardPadding,
                             measure::kGrid + measure::kHalfGrid);
    line->setSpacing(measure::kPageMargin);
    line->addLayout(words, 1);
    line->addWidget(control, 0, Qt::AlignVCenter);
    column->addWidget(row);
    entries_ += Entry{row, name, about, control};
}

void SettingsPage::fillChoices()
{
    const auto fill = [](QComboBox* box, const QList<std::pair<QString, QVariant>>& choices, const QVariant& chosen) {
        const QSignalBlocker quiet(box);
        box->clear();
        for (const auto& [text, value] : choices) {
            box->addItem(text, value);
        }
        box->setCurrentIndex(box->findData(chosen));
    };
    const auto kv = [](kernels::KvType type) { return static_cast<int>(type); };
    // Languages stand under their own names, so that who cannot read this page finds theirs.
    fill(language_,
         {{tr("As the system"), u"system"_s}, {u"English"_s, u"en"_s}, {u"Português (Brasil)"_s, u"pt_BR"_s}},
         settings_.language());
    fill(theme_, {{tr("As the system"), u"system"_s}, {tr("Dark"), u"dark"_s}, {tr("Light"), u"light"_s}},
         themeName(settings_.theme()));
    fill(kvType_,
         {{tr("f16 (usual)"), kv(kernels::KvType::f16)},
          {tr("q8_0 (half the memory)"), kv(kernels::KvType::q8_0)},
          {tr("f32 (twice the memory)"), kv(kernels::KvType::f32)}},
         kv(settings_.kvType()));
    const QSignalBlocker quietThreads(threads_);
    const QSignalBlocker quietContext(context_);
    threads_->setSpecialValueText(tr("Automatic"));
    threads_->setValue(static_cast<int>(settings_.threads()));
    context_->setSpecialValueText(tr("Automatic"));
    context_->setSuffix(tr(" tokens"));
    context_->setValue(static_cast<int>(settings_.contextLength()));
}

void SettingsPage::retranslate()
{
    fillChoices();
    search_->setPlaceholderText(tr("Search the settings"));
    search_->setAccessibleName(search_->placeholderText());
    windowSection_->setText(tr("Window"));
    modelSection_->setText(tr("Model"));
    nothing_->setText(tr("No setting has these words."));
    reload_->setText(tr("Load the model again"));
    const std::pair<QString, QString> words[] = {
        {tr("Language"), tr("The language of the window. It does not change what language a model answers in.")},
        {tr("Theme"), tr("Dark or light colours.")},
        {tr("Threads"), tr("How many processor threads compute. Automatic takes one per core. "
                           "Used the next time a model is loaded.")},
        {tr("Context length"), tr("How many tokens of a conversation the model keeps in view. Longer takes more "
                                  "memory. Automatic takes the model's own, at most 8192 and what memory allows. "
                                  "Used the next time a model is loaded.")},
        {tr("KV cache type"), tr("How exactly the conversation's keys and values are kept in memory. "
                                 "Used the next time a model is loaded.")},
        {tr("Apply to the loaded model"), tr("Loads the model again with the settings above. Answers under way stop.")},
    };
    for (qsizetype i = 0; i < entries_.size(); ++i) {
        entries_.at(i).name->setText(words[i].first);
        entries_.at(i).about->setText(words[i].second);
        entries_.at(i).control->setAccessibleName(words[i].first);
        entries_.at(i).control->setAccessibleDescription(words[i].second);
    }
    refresh();
    filter(search_->text());
}

QStringList SettingsPage::names() const
{
    QStringList names;
    for (const Entry& entry : entries_) {
        names += entry.name->text();
    }
    return names;
}

void SettingsPage::reveal(const QString& name)
{
    search_->clear();
    for (const Entry& entry : entries_) {
        if (entry.name->text() == name) {
            scroll_->ensureWidgetVisible(entry.row);
            (entry.control->isEnabled() ? entry.control : search_)->setFocus(Qt::OtherFocusReason);
        }
    }
}

void SettingsPage::refresh()
{
    reload_->setEnabled(models_.model().state == node::ModelSnapshot::State::ready);
}

void SettingsPage::filter(const QString& text)
{
    const QString wanted = text.trimmed();
    bool window = false;
    bool model = false;
    for (qsizetype i = 0; i < entries_.size(); ++i) {
        const Entry& entry = entries_.at(i);
        const bool fits = wanted.isEmpty() || entry.name->text().contains(wanted, Qt::CaseInsensitive) ||
                          entry.about->text().contains(wanted, Qt::CaseInsensitive);
        entry.row->setVisible(fits);
        (i < 2 ? window : model) |= fits;
    }
    windowSection_->setVisible(window);
    modelSection_->setVisible(model);
    nothing_->setVisible(!window && !model);
}

void SettingsPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
    QWidget::changeEvent(event);
}

} // namespace constela::ui
