// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/main_window.h"

#include "ui/chat/answer_note.h"
#include "ui/chat/chat_page.h"
#include "ui/common/errors.h"
#include "ui/common/icon.h"
#include "ui/common/make.h"
#include "ui/frame/drop_sign.h"
#include "ui/frame/finder.h"
#include "ui/frame/help_card.h"
#include "ui/frame/page_header.h"
#include "ui/frame/pending_page.h"
#include "ui/frame/rail.h"
#include "ui/frame/session.h"
#include "ui/frame/status_line.h"
#include "ui/settings/settings_page.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCloseEvent>
#include <QDropEvent>
#include <QLocale>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

namespace constela::ui {

namespace {

constexpr QSize kFirstSize{1180, 780};
constexpr QSize kSmallest{860, 560};

QFrame* line(QFrame::Shape shape, QWidget* parent)
{
    auto* frame = make<QFrame>(parent);
    frame->setProperty("kind", u"line"_s);
    if (shape == QFrame::HLine) {
        frame->setFixedHeight(1);
    } else {
        frame->setFixedWidth(1);
    }
    return frame;
}

/// The one file that is dragged; empty: it is something else.
QString droppedFile(const QDropEvent& event)
{
    const QList<QUrl> urls = event.mimeData()->urls();
    return urls.size() == 1 && urls.first().isLocalFile() ? urls.first().toLocalFile() : QString();
}

} // namespace

MainWindow::MainWindow(Session& session, QWidget* parent)
    : QMainWindow(parent), session_(session), rail_(make<Rail>(session.theme, this)),
      header_(make<PageHeader>(session.theme, this)), pages_(make<QStackedWidget>(this)),
      status_(make<StatusLine>(session.theme, this)),
      chat_(make<ChatPage>(session.theme, session.chat, session.models, this)),
      settings_(make<SettingsPage>(session.theme, session.settings, session.models, this)),
      finder_(make<Finder>(session.theme, this)), help_(make<HelpCard>(session.theme, this)),
      dropSign_(make<DropSign>(session.theme, this))
{
    setObjectName(u"mainWindow"_s);
    setAcceptDrops(true);
    setMinimumSize(kSmallest);
    setWindowIcon(icon(session.theme, u"constela"_s, Role::accent));
    session_.theme.dress(this);
    addPages();

    auto* right = make<QVBoxLayout>();
    right->setSpacing(0);
    right->addWidget(header_);
    right->addWidget(line(QFrame::HLine, this));
    right->addWidget(pages_, 1);
    right->addWidget(line(QFrame::HLine, this));
    right->addWidget(status_);
    auto* middle = make<QWidget>(this);
    auto* row = make<QHBoxLayout>(middle);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(rail_);
    row->addWidget(line(QFrame::VLine, this));
    row->addLayout(right, 1);
    setCentralWidget(middle);

    addShortcuts();
    connect(header_, &PageHeader::findAsked, this, &MainWindow::find);
    connect(rail_, &Rail::pageAsked, this, &MainWindow::showPage);
    connect(&session_.models, &ModelControl::changed, this, &MainWindow::refresh);
    connect(&session_.chat, &ChatController::stateChanged, this, &MainWindow::refresh);
    connect(&session_.chat, &ChatController::currentChanged, this, &MainWindow::refresh);
    connect(&session_.chat, &ChatController::storeFailed, this, [this](const Error& error) {
        notSaved_ = error;
        refresh();
    });
    connect(&session_.chat, &ChatController::storeRecovered, this, [this] {
        notSaved_.reset();
        refresh();
    });
    showPage(Page::chat);
    chat_->setFocus();
    place();
}

void MainWindow::addPages()
{
    for (int i = 0; i < kPages; ++i) {
        switch (const auto page = static_cast<Page>(i); page) {
        case Page::chat: pages_->addWidget(chat_); break;
        case Page::settings: pages_->addWidget(settings_); break;
        case Page::cluster:
        case Page::placement:
        case Page::monitor:
        case Page::models:
        case Page::advisor: pages_->addWidget(make<PendingPage>(session_.theme, page, this)); break;
        }
    }
}

void MainWindow::addShortcuts()
{
    for (int i = 0; i < kPages; ++i) {
        const auto* key = make<QShortcut>(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)), this);
        connect(key, &QShortcut::activated, this, [this, i] { showPage(static_cast<Page>(i)); });
    }
    const auto* fresh = make<QShortcut>(QKeySequence(Qt::CTRL | Qt::Key_N), this);
    connect(fresh, &QShortcut::activated, this, [this] {
        showPage(Page::chat);
        chat_->startNew();
    });
    const auto* find = make<QShortcut>(QKeySequence(Qt::CTRL | Qt::Key_K), this);
    connect(find, &QShortcut::activated, this, &MainWindow::find);
    const auto* help = make<QShortcut>(QKeySequence(Qt::Key_F1), this);
    connect(help, &QShortcut::activated, this, [this] {
        finder_->shut();
        help_->help(static_cast<Page>(pages_->currentIndex()));
    });
    const auto* quit = make<QShortcut>(QKeySequence(Qt::CTRL | Qt::Key_Q), this);
    connect(quit, &QShortcut::activated, this, &QWidget::close);
}

void MainWindow::find()
{
    help_->shut();
    finder_->find(findable());
}

QList<FindEntry> MainWindow::findable()
{
    QList<FindEntry> all;
    for (int i = 0; i < kPages; ++i) {
        const auto page = static_cast<Page>(i);
        all += {PageWords::title(page), tr("page"), PageWords::iconName(page), [this, page] { showPage(page); }};
    }
    const auto addAction = [this, &all](const QString& title, const QString& icon, const auto& act) {
        all += {title, tr("action"), icon, [this, act] {
                    showPage(Page::chat);
                    act();
                }};
    };
    addAction(tr("New conversation"), u"plus"_s, [this] { chat_->startNew(); });
    addAction(tr("Choose a model file"), u"folder"_s, [this] { chat_->chooseModel(); });
    if (session_.chat.answering()) {
        addAction(tr("Stop the answer"), u"stop"_s, [this] { session_.chat.stop(); });
    }
    const ConversationListModel& conversations = session_.chat.conversations();
    for (int row = 0; row < conversations.rowCount(); ++row) {
        const QModelIndex index = conversations.index(row);
        const QString id = index.data(ConversationListModel::IdRole).toString();
        all += {index.data(Qt::DisplayRole).toString(), tr("conversation"), u"chat"_s, [this, id] {
                    showPage(Page::chat);
                    session_.chat.select(id);
                }};
    }
    for (const QString& name : settings_->names()) {
        all += {name, tr("setting"), u"settings"_s, [this, name] {
                    showPage(Page::settings);
                    settings_->reveal(name);
                }};
    }
    return all;
}

void MainWindow::showPage(Page page)
{
    pages_->setCurrentIndex(static_cast<int>(page));
    rail_->setPage(page);
    refresh();
}

QString MainWindow::speed() const
{
    double sum = 0;
    for (const node::AnswerSnapshot& answer : session_.bridge.snapshot().answers) {
        sum += answer.tokens_per_second;
    }
    return sum > 0 ? AnswerNote::speed(sum) : QString();
}

QString MainWindow::activity() const
{
    QStringList now;
    if (session_.models.model().state == node::ModelSnapshot::State::loading) {
        now += tr("loading a model: %1 %").arg(static_cast<int>(session_.models.model().progress * 100));
    }
    if (const auto answers = session_.chat.answersUnderWay(); answers > 0) {
        now += tr("%n answer(s) under way", nullptr, static_cast<int>(answers));
    }
    return now.join(u"  ·  "_s);
}

QStringList MainWindow::alerts() const
{
    QStringList alerts;
    if (const std::optional<Error> error = session_.models.error()) {
        alerts += translated(*error);
    }
    if (notSaved_) {
        alerts += translated(*notSaved_);
    }
    return alerts;
}

void MainWindow::refresh()
{
    const auto page = static_cast<Page>(pages_->currentIndex());
    const bool ready = session_.models.model().state == node::ModelSnapshot::State::ready;
    header_->setTitle(PageWords::title(page));
    header_->setModel(ready ? session_.models.name() : QString(), speed());
    status_->setActivity(activity());
    status_->setAlerts(alerts());
    const QString title = session_.chat.currentTitle();
    setWindowTitle(page == Page::chat && !title.isEmpty() ? tr("%1 - Constela").arg(title) : u"Constela"_s);
}

void MainWindow::place()
{
    resize(kFirstSize);
    restoreGeometry(session_.settings.geometry());
}

void MainWindow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        status_->retranslate();
        refresh();
    }
    QMainWindow::changeEvent(event);
}

void MainWindow::closeNow()
{
    sure_ = true;
    close();
}

/// What could not be saved would be lost with the window.
void MainWindow::askToLose()
{
    auto* question = make<QMessageBox>(this);
    question->setObjectName(u"closeQuestion"_s);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setIcon(QMessageBox::Warning);
    question->setText(tr("Close Constela and lose what is not saved?"));
    question->setInformativeText(translated(*notSaved_));
    const auto* lose = question->addButton(tr("Close and lose it"), QMessageBox::DestructiveRole);
    question->setDefaultButton(question->addButton(tr("Keep open"), QMessageBox::RejectRole));
    connect(lose, &QAbstractButton::clicked, this, &MainWindow::closeNow, Qt::QueuedConnection);
    question->open();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (QWidget* focus = QApplication::focusWidget(); focus != nullptr && isAncestorOf(focus)) {
        focus->clearFocus(); // takes over a title that is being typed
    }
    if (notSaved_ && !sure_) {
        event->ignore();
        askToLose();
        return;
    }
    session_.settings.setGeometry(saveGeometry());
    chat_->keepDraft();
    session_.shutDown();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QString file = droppedFile(*event);
    if (!file.isEmpty()) {
        event->acceptProposedAction();
        dropSign_->announce(file);
    }
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent* event)
{
    dropSign_->hide();
    QMainWindow::dragLeaveEvent(event);
}

void MainWindow::dropEvent(QDropEvent* event)
{
    dropSign_->hide();
    const QString file = droppedFile(*event);
    if (!file.isEmpty()) {
        event->acceptProposedAction();
        showPage(Page::chat);
        session_.models.load(file);
    }
}

} // namespace constela::ui
