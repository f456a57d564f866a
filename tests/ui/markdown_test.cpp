// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/golden.h"
#include "ui/chat/markdown.h"
#include "ui/common/literals.h"
#include "ui/common/paths.h"

#include <QImage>
#include <QTest>
#include <QTextBlock>

using namespace constela::ui; // NOLINT(google-build-using-namespace): a test of one file

namespace {

bool hasImage(const QTextDocument& document)
{
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        for (auto part = block.begin(); !part.atEnd(); ++part) {
            if (part.fragment().charFormat().isImageFormat()) {
                return true;
            }
        }
    }
    return false;
}

} // namespace

class MarkdownTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void codeIsCutOut()
    {
        const QList<MarkdownPart> parts =
            splitMarkdown(u"Look:\n```python title\nx = 1\n\n~~~\n``\n```\n\n~~~~\ny\n~~~\n~~~~~\nand `this`."_s);
        QCOMPARE(parts.size(), 4);
        QCOMPARE(parts.at(0), (MarkdownPart{false, {}, u"Look:\n"_s}));
        QCOMPARE(parts.at(1), (MarkdownPart{true, u"python"_s, u"x = 1\n\n~~~\n``"_s}));
        QCOMPARE(parts.at(2), (MarkdownPart{true, {}, u"y\n~~~"_s}));
        QCOMPARE(parts.at(3), (MarkdownPart{false, {}, u"and `this`.\n"_s}));
    }

    void anOpenFenceReachesToTheEnd()
    {
        const QList<MarkdownPart> parts = splitMarkdown(u"a\n\n```\nfirst\nsecond"_s);
        QCOMPARE(parts.size(), 2);
        QCOMPARE(parts.at(1), (MarkdownPart{true, {}, u"first\nsecond"_s}));
        QCOMPARE(splitMarkdown(u"```"_s).size(), 1);
        QCOMPARE(splitMarkdown(u"``` not `a` fence"_s).first().code, false);
        QCOMPARE(splitMarkdown({}).size(), 0);
    }

    void htmlStaysText()
    {
        const auto document = show(u"a <b>bold</b> <script>x()</script>\n\n<img src=\"file:///etc/hostname\">"_s);
        const QString text = document->toPlainText();
        QVERIFY(text.contains(u"<b>bold</b>"_s));
        QVERIFY(text.contains(u"<script>"_s));
        QVERIFY(text.contains(u"<img"_s));
        QVERIFY(!hasImage(*document));
    }

    void imagesBecomeTheirDescription()
    {
        const constela::test::TempDir folder;
        const QString file = fromPath(folder.path()) % u"/x.png"_s;
        QImage image(8, 8, QImage::Format_RGB32);
        image.fill(Qt::red);
        QVERIFY(image.save(file));
        const auto document = show(u"![a cat](%1) and ![](https://example.org/y.png) end"_s.arg(file));
        QVERIFY(!hasImage(*document));
        QVERIFY(document->toPlainText().contains(u"[a cat]"_s));
        QVERIFY(document->toPlainText().contains(u"end"_s));
    }

    void anInertDocumentLoadsNothing()
    {
        InertDocument document;
        QVERIFY(!document.resource(QTextDocument::ImageResource, QUrl(u"qrc:/icons/chat.svg"_s)).isValid());
        QVERIFY(!document.resource(QTextDocument::StyleSheetResource, QUrl(u"file:///etc/hostname"_s)).isValid());
    }

    void plainMarkdownIsDressed()
    {
        const auto document = show(u"# Title\n\ntext **bold** `code`\n\n- one\n- two"_s);
        QCOMPARE(document->begin().blockFormat().headingLevel(), 1);
        QCOMPARE(document->toPlainText(), u"Title\ntext bold code\none\ntwo"_s);
    }

private: // NOLINT(readability-redundant-access-specifiers): ends the slots, which Qt Test runs
    [[nodiscard]] std::unique_ptr<QTextDocument> show(const QString& markdown) const
    {
        return markdownDocument(markdown, theme_, QFont());
    }

    Theme theme_{ThemeChoice::dark};
};

QTEST_MAIN(MarkdownTest)
#include "markdown_test.moc"
