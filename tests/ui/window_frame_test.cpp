// SPDX-License-Identifier: GPL-3.0-or-later
//
// What lies over the pages: finding, help, the sign under a dragged file.
#include "tests/ui/support/window_test.h"
#include "ui/frame/find_list.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDragEnterEvent>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QTest>
#include <QTextEdit>
#include <QUrl>

using namespace constela; // NOLINT(google-build-using-namespace): a test of one file
using test::operator""_s; // NOLINT(misc-unused-using-decls): the check does not see literal operators
using test::WindowFixture;

class WindowFrameTest : public test::WindowTest {
    Q_OBJECT
private Q_SLOTS:
    void findsAPage()
    {
        WindowFixture& f = *fixture_;
        find(u"monit"_s);
        QCOMPARE(found().value(0), u"Monitor"_s);
        f.press(Qt::Key_Return);
        QVERIFY(!f.find<QWidget>(u"finder"_s)->isVisible());
        QCOMPARE(f.label(u"pageTitle"_s), u"Monitor"_s);
    }

    void findsAConversation()
    {
        WindowFixture& f = *fixture_;
        f.loadModel();
        QVERIFY(f.session->chat.send(u"Ação e reação"_s)); // Qt Test types ASCII only
        f.node->end(f.node->asked().size());
        QTRY_VERIFY(!f.session->chat.answering());
        const QString first = f.session->chat.currentId();
        f.press(Qt::Key_N, Qt::ControlModifier);
        f.node->end(f.ask(u"Another"_s));
        QTRY_VERIFY(!f.session->chat.answering());
        f.window->showPage(ui::Page::settings);
        find(u"acao conv"_s); // no accents, and what it is
        QCOMPARE(found(), QStringList{u"Ação e reação"_s});
        f.press(Qt::Key_Return);
        QCOMPARE(f.session->chat.currentId(), first);
        QCOMPARE(f.label(u"pageTitle"_s), u"Chat"_s);
    }

    void findsASettingAndPutsTheKeyboardThere()
    {
        WindowFixture& f = *fixture_;
        find(u"theme"_s);
        f.press(Qt::Key_Return);
        QCOMPARE(f.label(u"pageTitle"_s), u"Settings"_s);
        QCOMPARE(QApplication::focusWidget(), f.find<QWidget>(u"themeChoice"_s));
    }

    void theArrowsChoose()
    {
        WindowFixture& f = *fixture_;
        f.click(u"headerFind"_s);
        QVERIFY(found().size() > ui::kPages);
        f.press(Qt::Key_Up);
        f.press(Qt::Key_Down);
        f.press(Qt::Key_Down);
        f.press(Qt::Key_Return);
        QCOMPARE(f.label(u"pageTitle"_s), u"Placement"_s);
    }

    void whatIsNotThereIsSaid()
    {
        WindowFixture& f = *fixture_;
        find(u"zzz"_s);
        QCOMPARE(found(), QStringList());
        QVERIFY(f.find<QWidget>(u"finderNothing"_s)->isVisible());
        f.press(Qt::Key_Return);
        QVERIFY(f.label(u"pageTitle"_s) == u"Chat"_s);
    }

    void escapeClosesTheFinderAndStopsNothing()
    {
        WindowFixture& f = *fixture_;
        f.loadModel();
        const auto id = f.ask(u"Tell me"_s);
        f.node->piece(id, "Once");
        QTRY_COMPARE(f.answers(), QStringList{u"Once"_s});
        find(u"stop"_s);
        f.press(Qt::Key_Escape);
        QVERIFY(!f.find<QWidget>(u"finder"_s)->isVisible());
        QCOMPARE(f.node->cancelled().size(), std::size_t{0});
        QCOMPARE(QApplication::focusWidget(), f.find<QTextEdit>(u"composerText"_s));
        find(u"stop"_s);
        QCOMPARE(found().value(0), u"Stop the answer"_s);
        f.press(Qt::Key_Return);
        QTRY_COMPARE(f.node->cancelled(), std::vector<node::AnswerId>{id});
    }

    void helpIsOfThePageInView()
    {
        WindowFixture& f = *fixture_;
        for (int i = 0; i < ui::kPages; ++i) {
            const auto page = static_cast<ui::Page>(i);
            f.window->showPage(page);
            f.press(Qt::Key_F1);
            QVERIFY(f.find<QWidget>(u"helpCard"_s)->isVisible());
            QCOMPARE(f.label(u"helpTitle"_s), ui::PageWords::title(page));
            QVERIFY(f.label(u"helpText"_s).size() > 40);
            f.press(Qt::Key_Escape);
            QVERIFY(!f.find<QWidget>(u"helpCard"_s)->isVisible());
        }
        f.press(Qt::Key_F1);
        f.press(Qt::Key_K, Qt::ControlModifier);
        QVERIFY(!f.find<QWidget>(u"helpCard"_s)->isVisible());
        QVERIFY(f.find<QWidget>(u"finder"_s)->isVisible());
        QTest::mouseClick(f.find<QWidget>(u"finder"_s), Qt::LeftButton, {}, QPoint(4, 4));
        QVERIFY(!f.find<QWidget>(u"finder"_s)->isVisible());
    }

    void tabStaysOnTheCard()
    {
        WindowFixture& f = *fixture_;
        for (const Qt::Key key : {Qt::Key_F1, Qt::Key_K}) {
            f.press(key, key == Qt::Key_K ? Qt::ControlModifier : Qt::NoModifier);
            const auto* card = f.find<QWidget>(key == Qt::Key_K ? u"finder"_s : u"helpCard"_s);
            for (int i = 0; i < 5; ++i) {
                for (const Qt::Key tab : {Qt::Key_Tab, Qt::Key_Backtab}) {
                    f.press(tab);
                    QVERIFY(card->isAncestorOf(QApplication::focusWidget()));
                }
            }
            f.press(Qt::Key_Escape);
        }
    }

    void aDraggedFileIsAnnounced()
    {
        WindowFixture& f = *fixture_;
        QMimeData dragged;
        dragged.setUrls({QUrl::fromLocalFile(u"/models/Some model.gguf"_s)});
        QDragEnterEvent enter(f.window->rect().center(), Qt::CopyAction, &dragged, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(f.window.get(), &enter);
        QVERIFY(f.find<QWidget>(u"dropSign"_s)->isVisible());
        QCOMPARE(f.label(u"dropWords"_s), u"Let go to load Some model.gguf"_s);
        QDragLeaveEvent leave;
        QApplication::sendEvent(f.window.get(), &leave);
        QVERIFY(!f.find<QWidget>(u"dropSign"_s)->isVisible());
    }

private: // NOLINT(readability-redundant-access-specifiers): ends the slots, which Qt Test runs
    void find(const QString& words)
    {
        fixture_->press(Qt::Key_K, Qt::ControlModifier);
        auto* line = fixture_->find<QLineEdit>(u"finderWords"_s);
        QVERIFY(line->isVisible());
        QCOMPARE(line->text(), QString());
        QTest::keyClicks(line, words);
    }
    [[nodiscard]] QStringList found() const
    {
        const auto* model = fixture_->find<QListView>(u"finderList"_s)->model();
        QStringList titles;
        for (int row = 0; row < model->rowCount(); ++row) {
            titles += model->index(row, 0).data().toString();
        }
        return titles;
    }
};

QTEST_MAIN(WindowFrameTest)
#include "window_frame_test.moc"
