// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/markdown.h"

#include "ui/common/literals.h"
#include "ui/common/measures.h"

#include <QFontDatabase>
#include <QStringView>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextList>
#include <QVariant>
#include <algorithm>

namespace constela::ui {

namespace {

struct Fence {
    QChar mark;
    qsizetype length = 0;
    QStringView info;
};

/// The fence that a line opens; length 0: it opens none.
Fence fenceOf(QStringView line)
{
    qsizetype at = 0;
    while (at < line.size() && line[at] == u' ') {
        ++at;
    }
    if (at > 3 || at == line.size() || (line[at] != u'`' && line[at] != u'~')) {
        return {};
    }
    const QChar mark = line[at];
    const qsizetype begin = at;
    while (at < line.size() && line[at] == mark) {
        ++at;
    }
    const QStringView info = line.mid(at).trimmed();
    if (at - begin < 3 || (mark == u'`' && info.contains(u'`'))) {
        return {};
    }
    return {mark, at - begin, info};
}

bool closes(QStringView line, const Fence& open)
{
    const Fence fence = fenceOf(line);
    return fence.mark == open.mark && fence.length >= open.length && fence.info.isEmpty();
}

void addText(QList<MarkdownPart>& parts, const QString& text)
{
    if (!text.trimmed().isEmpty()) {
        parts += MarkdownPart{false, {}, text};
    }
}

/// Images would be looked up by the layout, even on disk: their places take the description instead.
void removeImages(QTextDocument& document)
{
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        for (auto part = block.begin(); !part.atEnd();) {
            const QTextFragment fragment = part.fragment();
            if (!fragment.charFormat().isImageFormat()) {
                ++part;
                continue;
            }
            const QTextImageFormat image = fragment.charFormat().toImageFormat();
            const QString told = image.property(QTextFormat::ImageAltText).toString();
            const QString shown = told.isEmpty() ? image.name() : told;
            QTextCursor cursor(&document);
            cursor.setPosition(fragment.position());
            cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
            cursor.insertText(u"["_s % shown % u"]"_s, QTextCharFormat());
            part = block.begin(); // the text has changed under the iterator
        }
    }
}

void dressBlock(QTextCursor& cursor, const QTextBlock& block, bool last)
{
    QTextBlockFormat format = block.blockFormat();
    const bool table = cursor.currentTable() != nullptr;
    const bool item = block.textList() != nullptr;
    const bool nextItem = item && block.next().isValid() && block.next().textList() != nullptr;
    format.setLineHeight(140, QTextBlockFormat::ProportionalHeight);
    format.setTopMargin(format.headingLevel() > 0 && block.blockNumber() > 0 ? measure::kGrid : 0);
    format.setBottomMargin(last || table ? 0 : nextItem ? measure::kHalfGrid : measure::kGrid + 2);
    cursor.setBlockFormat(format);
}

void dressFragment(QTextCursor& cursor, const QTextFragment& fragment, int heading, bool quote, const Theme& theme)
{
    QTextCharFormat format = fragment.charFormat();
    cursor.setPosition(fragment.position());
    cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
    if (heading > 0) {
        format.clearProperty(QTextFormat::FontSizeAdjustment);
        format.setProperty(QTextFormat::FontPixelSize, std::max(measure::kChatText, 20 - 2 * (heading - 1)));
        format.setFontWeight(QFont::DemiBold);
    }
    if (format.fontFixedPitch()) {
        format.setFontFamilies({QFontDatabase::systemFont(QFontDatabase::FixedFont).family()});
        format.setProperty(QTextFormat::FontPixelSize, measure::kBodyText);
        format.setBackground(theme.color(Role::raised));
    }
    if (quote) {
        format.setForeground(theme.color(Role::dim));
    }
    if (format.isAnchor()) {
        format.setForeground(theme.color(Role::accent));
        format.setToolTip(format.anchorHref());
    }
    cursor.setCharFormat(format);
}

void dress(QTextDocument& document, const Theme& theme)
{
    struct Piece {
        QTextFragment fragment;
        int heading = 0;
        bool quote = false;
    };
    QList<Piece> pieces;
    QTextCursor cursor(&document);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        cursor.setPosition(block.position());
        dressBlock(cursor, block, !block.next().isValid());
        for (auto part = block.begin(); !part.atEnd(); ++part) {
            pieces += Piece{part.fragment(), block.blockFormat().headingLevel(),
                            block.blockFormat().hasProperty(QTextFormat::BlockQuoteLevel)};
        }
    }
    for (const Piece& piece : pieces) {
        dressFragment(cursor, piece.fragment, piece.heading, piece.quote, theme);
    }
}

} // namespace

QList<MarkdownPart> splitMarkdown(const QString& markdown)
{
    QList<MarkdownPart> parts;
    QString text;
    Fence open;
    for (const QString& line : markdown.split(u'\n')) {
        if (open.length == 0) {
            const Fence fence = fenceOf(line);
            if (fence.length == 0) {
                text += line % u'\n';
                continue;
            }
            addText(parts, text);
            text.clear();
            parts += MarkdownPart{true, fence.info.toString().section(u' ', 0, 0), {}};
            open = Fence{fence.mark, fence.length, {}};
        } else if (closes(line, open)) {
            open = {};
        } else {
            QString& code = parts.last().text;
            code += code.isNull() ? QString(u""_s % line) : QString(u'\n' % line);
        }
    }
    addText(parts, text);
    return parts;
}

QVariant InertDocument::loadResource(int /*type*/, const QUrl& /*name*/)
{
    return {};
}

std::unique_ptr<QTextDocument> markdownDocument(const QString& text, const Theme& theme, const QFont& font)
{
    auto document = std::make_unique<InertDocument>();
    document->setDefaultFont(font);
    document->setDocumentMargin(0);
    document->setUndoRedoEnabled(false);
    document->setMarkdown(text, QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) |
                                    QTextDocument::MarkdownNoHTML);
    removeImages(*document);
    dress(*document, theme);
    return document;
}

} // namespace constela::ui
