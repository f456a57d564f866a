// SPDX-License-Identifier: GPL-3.0-or-later
//
// Conversations in the real main window, with the scripted node behind it.
#include "tests/ui/support/window_test.h"
#include "ui/chat/store/chat_database.h"
#include "ui/chat/transcript_view.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>
#include <QTextEdit>

using namespace constela; // NOLINT(google-build-using-namespace): a test of one file
using test::operator""_s; // NOLINT(misc-unused-using-decls): the check does not see literal operators
using test::WindowFixture;
using Roles = ui::ConversationListModel;

namespace {

/// Begins to rename the open conversation; the editor that now holds `title`, or null if none opened.
QLineEdit* typeTitle(WindowFixture& f, const QString& title)
{
    f.click(u"renameCurrent"_s);
    auto* editor = f.find<QListView>(u"conversationList"_s)->findChild<QLineEdit*>();
    if (editor != nullptr) {
        editor->selectAll();
        QTest::keyClicks(editor, title);
    }
    return editor;
}

} // namespace

class WindowChatTest : public test::WindowTest {
    Q_OBJECT
private Q_SLOTS:
    void sendsStreamsAndTellsTheCost()
    {
        WindowFixture& f = *fixture_;
        f.loadModel();
        QVERIFY(!f.find<QAbstractButton>(u"send"_s)->isEnabled());
        f.type(u"one"_s);
        f.press(Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(f.node->asked().size(), std::size_t{0});
        const auto id = f.ask(u"two"_s);
        QCOMPARE(f.node->asked().size(), std::size_t{1});
        QCOMPARE(f.node->asked().front().second.messages.front().content, std::string("one\ntwo"));
        QCOMPARE(f.find<QTextEdit>(u"composerText"_s)->toPlainText(), QString());
        QCOMPARE(f.label(u"conversationTitle"_s), u"one"_s);
        f.node->piece(id, "Hello ");
        QTRY_COMPARE(f.answers(), QStringList{u"Hello"_s});
        f.node->piece(id, "**world**");
        QTRY_COMPARE(f.answers(), QStringList{u"Hello world"_s});
        QVERIFY(f.find<QAbstractButton>(u"stop"_s)->isVisible());

        runtime::GenerationStats stats;
        stats.generated_tokens = 7;
        f.node->report({id, node::AnswerSnapshot::State::decoding, stats, 0, 41.2});
        QTRY_COMPARE(f.label(u"headerSpeed"_s), u"41.2 t/s"_s);
        f.node->end(id);
        QTRY_COMPARE(f.notes(), QStringList{u"41.0 t/s  ·  first token 184 ms  ·  83 tokens  ·  studio/cpu0"_s});
        QVERIFY(!f.find<QAbstractButton>(u"stop"_s)->isVisible());
        QVERIFY(!f.find<QLabel>(u"headerSpeed"_s)->isVisible());
        f.click(u"copyAnswer"_s);
        QCOMPARE(QGuiApplication::clipboard()->text(), u"Hello **world**"_s);

        const auto next = f.ask(u"again"_s);
        QCOMPARE(f.node->asked().at(next - 1).second.messages.size(), std::size_t{3});
    }

    void escapeStops()
    {
        WindowFixture& f = *fixture_;
        f.loadModel();
        const auto id = f.ask(u"Tell me"_s);
        f.node->piece(id, "Once");
        QTRY_COMPARE(f.answers(), QStringList{u"Once"_s});
        f.press(Qt::Key_Escape);
        QTRY_COMPARE(f.node->cancelled(), std::vector<node::AnswerId>{id});
        QTRY_VERIFY(f.notes().value(0).endsWith(u"stopped"_s));
        QCOMPARE(f.answers(), QStringList{u"Once"_s});
        const auto second = f.ask(u"More"_s);
        f.click(u"stop"_s);
        QTRY_COMPARE(f.node->cancelled().back(), second);
    }

    void aSecondConversationWhileTheFirstStreams()
    {
        WindowFixture& f = *fixture_;
        f.loadModel();
        const auto first = f.ask(u"First"_s);
        f.node->piece(first, "alpha");
        QTRY_COMPARE(f.answers(), QStringList{u"alpha"_s});
        f.press(Qt::Key_N, Qt::ControlModifier);
        QTRY_COMPARE(f.answers(), QStringList{});
        const auto second = f.ask(u"Second"_s);
        f.node->piece(second, "beta");
        f.node->piece(first, " gamma");
        QTRY_COMPARE(f.answers(), QStringList{u"beta"_s});
        auto* list = f.find<QListView>(u"conversationList"_s);
        QCOMPARE(list->model()->rowCount(), 2);
        QVERIFY(list->model()->index(0, 0).data(Roles::AnsweringRole).toBool());
        QVERIFY(list->model()->index(1, 0).data(Roles::AnsweringRole).toBool());
        QCOMPARE(f.label(u"activity"_s), u"2 answers under way"_s);

        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(1, 0)).center());
        QTRY_COMPARE(f.answers(), QStringList{u"alpha gamma"_s});
        f.node->end(first);
        QTRY_VERIFY(!list->model()->index(1, 0).data(Roles::AnsweringRole).toBool());
        QVERIFY(list->model()->index(0, 0).data(Roles::AnsweringRole).toBool());
        f.node->end(second);
        QTRY_COMPARE(f.label(u"activity"_s), QString());
    }

    void quitWhileStreamingKeepsTheText()
    {
        WindowFixture& f = *fixture_;
        f.loadModel();
        const auto id = f.ask(u"A long one"_s);
        f.node->piece(id, "half of the ans");
        QTRY_COMPARE(f.answers(), QStringList{u"half of the ans"_s});
        f.type(u"unsent words"_s);
        f.quit();
        QCOMPARE(f.node->cancelled(), std::vector<node::AnswerId>{id});
        QCOMPARE(f.node->listeners(), std::size_t{0});

        QVERIFY(f.open());
        QTRY_COMPARE(f.answers(), QStringList{u"half of the ans"_s});
        QTRY_VERIFY(f.notes().value(0).contains(u"interrupted"_s));
        QCOMPARE(f.label(u"conversationTitle"_s), u"A long one"_s);
        QCOMPARE(f.find<QTextEdit>(u"composerText"_s)->toPlainText(), u"unsent words"_s);
    }

    void aStreamingAnswerReachesTheDiskMeanwhile()
    {
        WindowFixture& f = *fixture_;
        f.loadModel();
        const auto id = f.ask(u"Keep this"_s);
        f.node->piece(id, "already here");
        ui::ChatDatabase other; // as the next start would find it after a kill
        QTRY_VERIFY(other.open(f.folder() % u"/chats.sqlite"_s).has_value());
        const auto saved = [&f, &other] {
            const auto messages = other.messages(f.session->chat.currentId());
            return messages && !messages->isEmpty() ? messages->last().text : QString();
        };
        QTRY_COMPARE(saved(), u"already here"_s);
    }

    void aFailedAnswerSaysWhy()
    {
        WindowFixture& f = *fixture_;
        f.loadModel();
        const auto id = f.ask(u"Too long"_s);
        f.node->end(id, runtime::StopReason::failed,
                    Error{"The conversation needs {} tokens, the context holds {}.", {"9000", "8192"}, "detail 7"});
        QTRY_VERIFY(f.find<QWidget>(u"answerError"_s)->isVisible());
        auto* view = f.find<QWidget>(u"answerError"_s);
        QCOMPARE(view->findChild<QLabel*>(u"errorSentence"_s)->text(),
                 u"The conversation needs 9000 tokens, the context holds 8192."_s);
        QTest::mouseClick(view->findChild<QAbstractButton*>(u"errorDetailsFold"_s), Qt::LeftButton);
        QTest::mouseClick(view->findChild<QAbstractButton*>(u"errorDetailsCopy"_s), Qt::LeftButton);
        QVERIFY(QGuiApplication::clipboard()->text().endsWith(u"detail 7"_s));
    }

    void scrollingUpIsRespected()
    {
        WindowFixture& f = *fixture_;
        f.loadModel();
        const auto id = f.ask(u"Long"_s);
        const std::string paragraph = "A line of text that is not very short.\n\n";
        for (int i = 0; i < 60; ++i) {
            f.node->piece(id, paragraph);
        }
        auto* transcript = f.find<ui::TranscriptView>(u"transcript"_s);
        QScrollBar* bar = transcript->verticalScrollBar();
        QTRY_VERIFY(bar->maximum() > 1000 && bar->value() == bar->maximum());
        bar->setValue(bar->maximum() / 2);
        const int place = bar->value();
        const int before = bar->maximum();
        for (int i = 0; i < 20; ++i) {
            f.node->piece(id, paragraph);
        }
        QTRY_VERIFY(bar->maximum() > before);
        QCOMPARE(bar->value(), place);
        bar->setValue(bar->maximum());
        f.node->piece(id, paragraph + paragraph + paragraph);
        QTRY_VERIFY(bar->maximum() > before + 400);
        QTRY_COMPARE(bar->value(), bar->maximum());
        f.node->end(id);
        QTRY_VERIFY(!f.session->chat.answering());
    }

    void renameDeleteUndo()
    {
        WindowFixture& f = *fixture_;
        f.loadModel();
        f.node->end(f.ask(u"Old name"_s));
        QTRY_VERIFY(!f.session->chat.answering());
        QLineEdit* const editor = typeTitle(f, u"New name"_s);
        QVERIFY(editor != nullptr);
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(f.label(u"conversationTitle"_s), u"New name"_s);

        f.click(u"deleteCurrent"_s);
        QVERIFY(f.find<QWidget>(u"undoBar"_s)->isVisible());
        QCOMPARE(f.session->chat.conversations().rowCount(), 0);
        f.click(u"undoDelete"_s);
        QCOMPARE(f.session->chat.conversations().rowCount(), 1);
        QTRY_COMPARE(f.notes().size(), 1);

        f.click(u"deleteCurrent"_s);
        f.quit();
        QVERIFY(f.open());
        QTRY_VERIFY(f.find<QWidget>(u"noConversations"_s)->isVisible());
        ui::ChatDatabase other;
        QVERIFY(other.open(f.folder() % u"/chats.sqlite"_s));
        QCOMPARE(other.conversations()->size(), 0);
    }

    void aDeletedConversationStaysDeletedAndItsDraftComesBack()
    {
        WindowFixture& f = *fixture_;
        f.loadModel();
        f.node->end(f.ask(u"Old name"_s));
        QTRY_VERIFY(!f.session->chat.answering());
        f.type(u"half a thought"_s);
        f.click(u"deleteCurrent"_s);
        QCOMPARE(f.session->chat.conversations().rowCount(), 0);
        ui::ChatDatabase other; // as the next start would find it after a kill
        QVERIFY(other.open(f.folder() % u"/chats.sqlite"_s));
        QTRY_COMPARE(other.conversations()->size(), 0);
        other.close();
        f.click(u"undoDelete"_s);
        QCOMPARE(f.session->chat.conversations().rowCount(), 1);
        QCOMPARE(f.find<QTextEdit>(u"composerText"_s)->toPlainText(), u"half a thought"_s);
    }

    void closesBeforeTheConversationsAreThere()
    {
        WindowFixture& f = *fixture_;
        f.loadModel();
        f.node->end(f.ask(u"One"_s));
        QTRY_VERIFY(!f.session->chat.answering());
        f.quit();
        f.openUnseen();
        f.window->close(); // the list is on its way to the window now
        QCoreApplication::processEvents();
        QCOMPARE(f.session->chat.conversations().rowCount(), 0);
        f.quit();
        QVERIFY(f.open());
        QTRY_COMPARE(f.session->chat.conversations().rowCount(), 1);
    }

    void aTitleBeingTypedIsTakenOverAtTheEnd()
    {
        WindowFixture& f = *fixture_;
        f.loadModel();
        f.node->end(f.ask(u"Old name"_s));
        QTRY_VERIFY(!f.session->chat.answering());
        QVERIFY(typeTitle(f, u"New name"_s) != nullptr);
        f.quit();
        QVERIFY(f.open());
        QTRY_COMPARE(f.label(u"conversationTitle"_s), u"New name"_s);
    }

    void aDraftStaysWithItsConversation()
    {
        WindowFixture& f = *fixture_;
        f.loadModel();
        f.node->end(f.ask(u"One"_s));
        QTRY_VERIFY(!f.session->chat.answering());
        const QString first = f.session->chat.currentId();
        f.type(u"for the first"_s);
        f.click(u"newConversation"_s);
        auto* text = f.find<QTextEdit>(u"composerText"_s);
        QCOMPARE(text->toPlainText(), QString());
        f.type(u"for a new one"_s);
        f.session->chat.select(first);
        QCOMPARE(text->toPlainText(), u"for the first"_s);
        f.click(u"newConversation"_s);
        QCOMPARE(text->toPlainText(), u"for a new one"_s);
    }

    void whatCannotBeSavedIsSaidAndStaysOnScreen()
    {
        WindowFixture& f = *fixture_;
        f.quit();
        std::filesystem::remove(f.data.path() / "chats.sqlite");
        std::filesystem::create_directory(f.data.path() / "chats.sqlite");
        QVERIFY(f.open());
        QTRY_VERIFY(f.find<QWidget>(u"storeError"_s)->isVisible());
        QCOMPARE(f.label(u"alerts"_s), u"1 alert"_s);
        f.loadModel();
        const auto id = f.ask(u"Still works"_s);
        f.node->piece(id, "yes");
        f.node->end(id);
        QTRY_COMPARE(f.answers(), QStringList{u"yes"_s});
        f.window->close(); // would lose it, so it is asked about
        QVERIFY(f.window->isVisible());
        auto* question = f.find<QMessageBox>(u"closeQuestion"_s);
        QVERIFY(question != nullptr && question->isVisible());
        QTest::mouseClick(question->defaultButton(), Qt::LeftButton);
        QTRY_VERIFY(f.find<QMessageBox>(u"closeQuestion"_s) == nullptr);
        QVERIFY(f.window->isVisible());
        std::filesystem::remove(f.data.path() / "chats.sqlite");
        QTRY_VERIFY_WITH_TIMEOUT(!f.find<QWidget>(u"storeError"_s)->isVisible(), 20000);
        f.quit();
        QVERIFY(f.open());
        QTRY_COMPARE(f.answers(), QStringList{u"yes"_s});
    }
};

QTEST_MAIN(WindowChatTest)
#include "window_chat_test.moc"
