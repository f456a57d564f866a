// SPDX-License-Identifier: GPL-3.0-or-later
//
// Models, pages and settings in the real main window, with the scripted node behind it.
#include "tests/ui/support/window_test.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QProgressBar>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTest>

using namespace constela; // NOLINT(google-build-using-namespace): a test of one file
using test::operator""_s; // NOLINT(misc-unused-using-decls): the check does not see literal operators
using test::WindowFixture;

class WindowModelTest : public test::WindowTest {
    Q_OBJECT
private Q_SLOTS:
    void aDroppedFileLoadsWithProgress()
    {
        WindowFixture& f = *fixture_;
        QVERIFY(f.find<QAbstractButton>(u"emptyChooseModel"_s)->isVisible());
        QVERIFY(!f.find<QAbstractButton>(u"loadDemoModel"_s)->isVisible());
        QVERIFY(f.drop(u"/models/modelo é bom.gguf"_s));
        QCOMPARE(f.node->loads().size(), std::size_t{1});
        QCOMPARE(ui::fromPath(f.node->loads().front().path), u"/models/modelo é bom.gguf"_s);
        f.node->progress(0.43);
        auto* bar = f.find<QProgressBar>(u"loadProgress"_s);
        QTRY_COMPARE(bar->value(), 430);
        QVERIFY(bar->isVisible());
        QCOMPARE(f.label(u"modelName"_s), u"Loading modelo é bom.gguf"_s);
        QCOMPARE(f.label(u"activity"_s), u"loading a model: 43 %"_s);
        f.node->finish_load();
        QTRY_COMPARE(f.label(u"modelName"_s), u"SmolLM2 135M Instruct"_s);
        QVERIFY(!bar->isVisible());
        QTRY_COMPARE(f.session->settings.lastModel(), u"/models/modelo é bom.gguf"_s);
        f.click(u"unloadModel"_s);
        QTRY_COMPARE(f.label(u"headerModel"_s), u"no model"_s);
    }

    void aLoadCanBeCancelled()
    {
        WindowFixture& f = *fixture_;
        QVERIFY(f.drop(u"/models/a.gguf"_s));
        QTRY_VERIFY(f.find<QAbstractButton>(u"cancelLoad"_s)->isVisible());
        f.click(u"cancelLoad"_s);
        QTRY_COMPARE(f.label(u"modelName"_s), u"No model is loaded"_s);
        QVERIFY(f.drop(u"/models/a.gguf"_s));
        QTRY_VERIFY(f.find<QAbstractButton>(u"cancelLoad"_s)->isVisible());
        f.press(Qt::Key_Escape);
        QTRY_COMPARE(f.label(u"modelName"_s), u"No model is loaded"_s);
    }

    void aFailedLoadSaysWhatToDo()
    {
        WindowFixture& f = *fixture_;
        QVERIFY(f.drop(u"/models/a.gguf"_s));
        f.node->fail_load({"The model needs {}, {} are free.", {"5.1 GB", "3.2 GB"}, "weights 4.9 GB"});
        auto* error = f.find<QWidget>(u"modelError"_s);
        QTRY_VERIFY(error->isVisible());
        QCOMPARE(error->findChild<QLabel*>(u"errorSentence"_s)->text(), u"The model needs 5.1 GB, 3.2 GB are free."_s);
        QCOMPARE(f.label(u"alerts"_s), u"1 alert"_s);
        f.click(u"loadAgain"_s);
        QTRY_VERIFY(!error->isVisible());
        QCOMPARE(f.node->loads().size(), std::size_t{2});
        QCOMPARE(f.label(u"alerts"_s), u"no alerts"_s);
    }

    void whatIsNoModelIsRefusedInWords()
    {
        WindowFixture& f = *fixture_;
        QVERIFY(f.drop(u"/pictures/cat.png"_s));
        auto* error = f.find<QWidget>(u"modelError"_s);
        QVERIFY(error->isVisible());
        QVERIFY(error->findChild<QLabel*>(u"errorSentence"_s)->text().startsWith(u"cat.png is not a model file"_s));
        QCOMPARE(f.node->loads().size(), std::size_t{0});
    }

    void aTemplateThatCannotBeUsedIsSaid()
    {
        WindowFixture& f = *fixture_;
        f.loadModel();
        QVERIFY(!f.find<QWidget>(u"templateNotice"_s)->isVisible());
        f.node->set_template_notice({"The template uses {}; the plain format is used.", {"a macro"}, ""});
        QTRY_VERIFY(f.find<QWidget>(u"templateNotice"_s)->isVisible());
    }

    void theDemoModelIsOffered()
    {
        WindowFixture& f = *fixture_;
        QVERIFY(QDir().mkpath(f.folder() % u"/models"_s));
        QFile file(f.folder() % u"/models/SmolLM2-135M-Instruct.Q4_1.gguf"_s);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(f.drop(u"/models/a.gguf"_s));
        QTRY_VERIFY(f.find<QAbstractButton>(u"cancelLoad"_s)->isVisible());
        f.click(u"cancelLoad"_s);
        QTRY_VERIFY(f.find<QAbstractButton>(u"loadDemoModel"_s)->isVisible());
        f.click(u"loadDemoModel"_s);
        QCOMPARE(ui::fromPath(f.node->loads().back().path), file.fileName());
    }

    void theFirstModelIsTheLastUsed()
    {
        WindowFixture& f = *fixture_;
        f.session->loadFirst({});
        QCOMPARE(f.node->loads().size(), std::size_t{0}); // there is none yet
        QFile file(f.folder() % u"/mine.gguf"_s);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(f.drop(file.fileName()));
        f.node->finish_load();
        QTRY_COMPARE(f.session->settings.lastModel(), file.fileName());
        f.quit();
        QVERIFY(f.open());
        f.session->loadFirst({});
        QCOMPARE(ui::fromPath(f.node->loads().back().path), file.fileName());
    }

    void settingsReachTheNextLoad()
    {
        WindowFixture& f = *fixture_;
        f.press(Qt::Key_7, Qt::ControlModifier);
        QCOMPARE(f.label(u"pageTitle"_s), u"Settings"_s);
        f.find<QSpinBox>(u"threads"_s)->setValue(3);
        f.find<QSpinBox>(u"contextLength"_s)->setValue(4096);
        auto* kv = f.find<QComboBox>(u"kvType"_s);
        kv->setFocus();
        QTest::keyClick(kv, Qt::Key_Down);
        f.quit();
        QVERIFY(f.open());
        f.loadModel();
        const node::LoadRequest request = f.node->loads().back();
        QCOMPARE(request.threads, 3U);
        QCOMPARE(request.context_length, 4096U);
        QCOMPARE(request.kv_type, kernels::KvType::q8_0);
    }

    void settingsAreFound()
    {
        WindowFixture& f = *fixture_;
        f.window->showPage(ui::Page::settings);
        QTest::keyClicks(f.find<QLineEdit>(u"settingsSearch"_s), u"cache"_s);
        QVERIFY(f.find<QWidget>(u"kvType"_s)->isVisible());
        QVERIFY(!f.find<QWidget>(u"languageChoice"_s)->isVisible());
    }

    void everyPageHasItsKeyAndItsWord()
    {
        WindowFixture& f = *fixture_;
        for (int i = 0; i < ui::kPages; ++i) {
            const auto page = static_cast<ui::Page>(i);
            f.press(static_cast<Qt::Key>(Qt::Key_1 + i), Qt::ControlModifier);
            QCOMPARE(f.label(u"pageTitle"_s), ui::PageWords::title(page));
            QVERIFY(f.find<QAbstractButton>(u"rail-"_s % ui::PageWords::iconName(page))->isChecked());
            auto* pending = f.find<QWidget>(u"pending-"_s % ui::PageWords::iconName(page));
            QCOMPARE(pending != nullptr, !ui::PageWords::promise(page).isEmpty());
            if (pending != nullptr) {
                QVERIFY(pending->isVisible());
            }
        }
        QCOMPARE(f.label(u"perimeter"_s), u"perimeter: this machine only, nothing leaves it"_s);
    }
};

QTEST_MAIN(WindowModelTest)
#include "window_model_test.moc"
