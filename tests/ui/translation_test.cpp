// SPDX-License-Identifier: GPL-3.0-or-later
//
// Brazilian Portuguese is whole: nothing English is left in the window, and every sentence of the engine has its entry.
#include "tests/ui/support/window_fixture.h"
#include "ui/settings/settings.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTest>
#include <QTextEdit>
#include <QXmlStreamReader>

using namespace constela; // NOLINT(google-build-using-namespace): a test of one file
using test::operator""_s; // NOLINT(misc-unused-using-decls): the check does not see literal operators
using test::WindowFixture;

namespace {

using Texts = QMap<QString, QString>; ///< By the place in the window.

/// Everything that a person can read or hear in the window now.
Texts textsOf(const QWidget& root)
{
    Texts texts;
    int number = 0;
    for (const QWidget* widget : root.findChildren<QWidget*>()) {
        const QString place = QString::number(++number) % u' ' %
                              QString::fromLatin1(widget->metaObject()->className()) % u' ' % widget->objectName();
        const auto add = [&texts, &place](const QString& kind, const QString& text) {
            if (!text.isEmpty()) {
                texts.insert(place % u' ' % kind, text);
            }
        };
        if (!widget->isVisible()) {
            continue;
        }
        add(u"tooltip"_s, widget->toolTip());
        add(u"accessible"_s, widget->accessibleName());
        add(u"description"_s, widget->accessibleDescription());
        if (const auto* label = qobject_cast<const QLabel*>(widget)) {
            add(u"text"_s, label->text());
        } else if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
            add(u"text"_s, button->text());
        } else if (const auto* line = qobject_cast<const QLineEdit*>(widget)) {
            add(u"text"_s, line->text());
            add(u"placeholder"_s, line->placeholderText());
        } else if (const auto* edit = qobject_cast<const QTextEdit*>(widget)) {
            add(u"placeholder"_s, edit->placeholderText());
        } else if (const auto* box = qobject_cast<const QComboBox*>(widget)) {
            for (int i = 0; i < box->count(); ++i) {
                add(u"choice %1"_s.arg(i), box->itemText(i));
            }
        }
    }
    return texts;
}

/// Words that are the same in both languages, and what is nobody's language: names, numbers, units.
bool sameInBoth(const QString& text)
{
    static const QStringList same{u"Cluster"_s,     u"Monitor"_s,       u"Threads"_s,
                                  u"English"_s,     u"f16 (usual)"_s,   u"Português (Brasil)"_s,
                                  u"studio/cpu0"_s, u"Title of mine"_s, u"SmolLM2 135M Instruct"_s};
    static const QRegularExpression wordless(u"^[^\\p{L}]*$|^[\\d.,]+ t/s$|^(Cluster|Monitor) \\(Ctrl|"
                                             u"^((Ctrl|Shift)\\+)?(Return|Esc|[A-Z]?\\d*)( … Ctrl\\+7)?$"_s);
    return same.contains(text) || wordless.match(text).hasMatch() || text.startsWith(u"some.gguf"_s);
}

QString readAll(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// A C++ literal's text, joined from its neighbouring pieces.
QString unescape(QString text)
{
    static const QRegularExpression joint(u"\"\\s*\""_s);
    return text.remove(joint).replace(u"\\\""_s, u"\""_s).replace(u"\\n"_s, u"\n"_s).replace(u"\\\\"_s, u"\\"_s);
}

struct Pattern {
    QString text;
    QString file;
};

/// Every literal that is handed to failure() or makes an Error in the program's own code.
QList<Pattern> patternsInCode()
{
    static const QRegularExpression call(
        u"(?:failure\\(|\\bfail\\(|\\bError\\s*\\{)\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*)+)"_s);
    QList<Pattern> patterns;
    for (const QString& part : {u"engine"_s, u"kernels"_s, u"ui"_s}) {
        QDirIterator files(QStringLiteral(CONSTELA_SOURCE_DIR) % u"/"_s % part, {u"*.cpp"_s, u"*.h"_s}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = files.next();
            if (path.endsWith(u"engine/base/result.h"_s)) {
                continue; // describes failure() itself
            }
            const QString code = readAll(path);
            auto found = call.globalMatch(code);
            while (found.hasNext()) {
                const QString literal = found.next().captured(1).trimmed();
                patterns += Pattern{unescape(literal.mid(1, literal.size() - 2)), path};
            }
        }
    }
    return patterns;
}

struct Entry {
    QString source;
    QString translation;
    bool finished = true;
};

QList<Entry> entriesOf(const QString& name)
{
    QFile file(QStringLiteral(CONSTELA_SOURCE_DIR) % u"/resources/translations/"_s % name);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    QXmlStreamReader xml(&file);
    QList<Entry> entries;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        if (xml.name() == u"source") {
            entries += Entry{xml.readElementText(), {}, true};
        } else if (xml.name() == u"translation") {
            entries.last().finished = xml.attributes().value(u"type"_s).isEmpty();
            entries.last().translation = xml.readElementText(QXmlStreamReader::IncludeChildElements);
        }
    }
    return entries;
}

} // namespace

class TranslationTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingEnglishIsLeft()
    {
        WindowFixture f;
        QVERIFY(f.open());
        Texts english;
        Texts portuguese;
        walk(f, english, u"en"_s);
        f.session->settings.setLanguage(u"pt_BR"_s);
        walk(f, portuguese, u"pt_BR"_s);
        QVERIFY(english.size() > 150);
        QVERIFY(portuguese.size() > 150);
        const QStringList all = english.values();
        const QSet<QString> said(all.cbegin(), all.cend());
        for (auto text = portuguese.cbegin(); text != portuguese.cend(); ++text) {
            QVERIFY2(!said.contains(text.value()) || sameInBoth(text.value()),
                     qPrintable(u"not translated: %1: “%2”"_s.arg(text.key(), text.value())));
        }
        f.quit();
    }

    void everyTextOfTheWindowIsTranslated()
    {
        const QList<Entry> entries = entriesOf(u"constela_pt_BR.ts"_s);
        QVERIFY(entries.size() > 100);
        for (const Entry& entry : entries) {
            QVERIFY2(entry.finished && !entry.translation.trimmed().isEmpty(), qPrintable(entry.source));
            for (const QString& place : {u"%1"_s, u"%2"_s, u"%3"_s}) {
                QVERIFY2(entry.source.contains(place) == entry.translation.contains(place), qPrintable(entry.source));
            }
        }
    }

    void everySentenceOfTheEngineIsTranslated()
    {
        QMap<QString, QString> known;
        for (const Entry& entry : entriesOf(u"engine_pt_BR.ts"_s)) {
            QVERIFY2(entry.finished && !entry.translation.isEmpty(), qPrintable(entry.source));
            QVERIFY2(!known.contains(entry.source), qPrintable(u"twice: "_s % entry.source));
            known.insert(entry.source, entry.translation);
        }
        const QList<Pattern> patterns = patternsInCode();
        QVERIFY(patterns.size() > 5);
        QStringList missing;
        for (const Pattern& pattern : patterns) {
            if (!known.contains(pattern.text) && !missing.contains(pattern.text)) {
                missing += pattern.text;
                qWarning("%s: no entry in engine_pt_BR.ts for: %s", qPrintable(pattern.file), qPrintable(pattern.text));
            }
        }
        QCOMPARE(missing.size(), 0);
    }

    void translatedSentencesTakeTheSameArguments()
    {
        static const QRegularExpression place(u"\\{(\\d*)(:[^}]*)?\\}"_s);
        for (const Entry& entry : entriesOf(u"engine_pt_BR.ts"_s)) {
            QVERIFY2(entry.source.count(place) == entry.translation.count(place), qPrintable(entry.source));
            const Error error{entry.translation.toStdString(),
                              std::vector<std::string>(static_cast<std::size_t>(entry.source.count(place)), "x"), ""};
            QVERIFY2(!error.text().empty(), qPrintable(entry.source));
        }
    }

private: // NOLINT(readability-redundant-access-specifiers): ends the slots, which Qt Test runs
    /// Goes through the window's states and pages, collecting what stands there.
    static void walk(WindowFixture& f, Texts& texts, const QString& name)
    {
        f.session->language.choose(name);
        const auto collect = [&f, &texts](const QString& state) {
            QTest::qWait(0);
            const Texts now = textsOf(*f.window);
            for (auto text = now.cbegin(); text != now.cend(); ++text) {
                texts.insert(state % u": "_s % text.key(), text.value());
            }
        };
        f.session->models.unload();
        f.session->chat.startNew();
        QTRY_COMPARE(f.session->models.model().state, node::ModelSnapshot::State::none);
        collect(u"empty"_s);
        f.session->models.load(u"/models/some.gguf"_s);
        QTRY_COMPARE(f.session->models.model().state, node::ModelSnapshot::State::loading);
        collect(u"loading"_s);
        f.node->finish_load();
        QTRY_COMPARE(f.session->models.model().state, node::ModelSnapshot::State::ready);
        collect(u"ready"_s);
        QVERIFY(f.session->chat.send(u"Title of mine"_s));
        collect(u"answering"_s);
        f.node->end(f.node->asked().size(), runtime::StopReason::context_full);
        QTRY_VERIFY(!f.session->chat.answering());
        QTRY_VERIFY(!f.notes().isEmpty() && f.notes().first().contains(u"83"_s));
        collect(u"ended"_s);
        f.session->chat.remove(f.session->chat.currentId());
        collect(u"deleted"_s);
        f.session->chat.forgetRemoved();
        for (int page = 1; page < ui::kPages; ++page) {
            f.window->showPage(static_cast<ui::Page>(page));
            collect(u"page %1"_s.arg(page));
        }
        f.window->showPage(ui::Page::chat);
        f.press(Qt::Key_K, Qt::ControlModifier);
        collect(u"find"_s);
        f.press(Qt::Key_Escape);
        f.press(Qt::Key_F1);
        collect(u"help"_s);
        f.press(Qt::Key_Escape);
    }
};

QTEST_MAIN(TranslationTest)
#include "translation_test.moc"
