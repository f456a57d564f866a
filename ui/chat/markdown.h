// SPDX-License-Identifier: GPL-3.0-or-later
//
// A model's Markdown as something to show. What a model writes is not trusted: HTML stays text, and no image or other
// resource is ever loaded, from the network or from disk.
#pragma once

#include "ui/common/theme.h"

#include <QFont>
#include <QList>
#include <QString>
#include <QTextDocument>
#include <memory>

namespace constela::ui {

/// Running text, or a fenced block of code (CommonMark 0.30, section 4.5).
struct MarkdownPart {
    bool code = false;
    QString language; ///< Of code, as the fence names it; may be empty.
    QString text;

    bool operator==(const MarkdownPart&) const = default;
};

/// Cuts an answer into text and fenced code. A fence that is still open (the answer is under way) reaches to the end.
[[nodiscard]] QList<MarkdownPart> splitMarkdown(const QString& markdown);

/// A document that loads nothing.
class InertDocument : public QTextDocument {
    Q_OBJECT
public:
    using QTextDocument::QTextDocument;

protected:
    QVariant loadResource(int type, const QUrl& name) override;
};

/// Running text laid out with the theme's colours; images have become their description.
[[nodiscard]] std::unique_ptr<QTextDocument> markdownDocument(const QString& text, const Theme& theme,
                                                              const QFont& font);

} // namespace constela::ui
