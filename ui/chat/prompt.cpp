// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/prompt.h"

#include "ui/common/literals.h"

namespace constela::ui {

namespace {

constexpr qsizetype kTitleLength = 60;

} // namespace

std::vector<node::Message> promptOf(const QList<ChatMessage>& messages)
{
    std::vector<node::Message> prompt;
    for (qsizetype i = 0; i < messages.size(); ++i) {
        const ChatMessage& message = messages.at(i);
        const bool unanswered = i + 1 < messages.size() && messages.at(i + 1).author == Author::model &&
                                messages.at(i + 1).text.isEmpty() && i + 2 < messages.size();
        if (message.text.isEmpty() || (message.author == Author::person && unanswered)) {
            continue;
        }
        prompt.push_back({message.author == Author::person ? "user" : "assistant", message.text.toStdString()});
    }
    return prompt;
}

QString titleFrom(const QString& text)
{
    QString line = text.trimmed().section(u'\n', 0, 0).simplified();
    if (line.size() <= kTitleLength) {
        return line;
    }
    const qsizetype space = line.lastIndexOf(u' ', kTitleLength);
    return line.left(space > kTitleLength / 2 ? space : kTitleLength).trimmed() % u"…"_s;
}

} // namespace constela::ui
