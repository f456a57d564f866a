// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/answer_note.h"

#include "ui/common/literals.h"

#include <QLocale>

namespace constela::ui {

QString AnswerNote::speed(double tokensPerSecond)
{
    return tr("%1 t/s").arg(QLocale().toString(tokensPerSecond, 'f', tokensPerSecond < 100 ? 1 : 0));
}

QString AnswerNote::ending(MessageState state)
{
    switch (state) {
    case MessageState::stopped: return tr("stopped");
    case MessageState::lengthLimit: return tr("ended at the token limit");
    case MessageState::contextFull: return tr("ended because the context is full");
    case MessageState::failed: return tr("failed");
    case MessageState::interrupted: return tr("interrupted: the window was closed while it answered");
    case MessageState::done:
    case MessageState::answering: break;
    }
    return {};
}

QString AnswerNote::underWay(const AnswerProgress& progress)
{
    switch (progress.phase) {
    case AnswerProgress::Phase::queued: return tr("waiting for its turn");
    case AnswerProgress::Phase::prefill:
        if (progress.promptTokens == 0) {
            return tr("reading the conversation");
        }
        return tr("reading the conversation: %1 of %2 tokens")
            .arg(QLocale().toString(progress.promptDone), QLocale().toString(progress.promptTokens));
    case AnswerProgress::Phase::decoding: break;
    }
    const QString tokens = tr("%n token(s)", nullptr, progress.tokens);
    return progress.tokensPerSecond > 0 ? speed(progress.tokensPerSecond) % u"  ·  "_s % tokens : tokens;
}

QString AnswerNote::of(const ChatMessage& message, const std::optional<AnswerProgress>& progress)
{
    if (message.state == MessageState::answering) {
        return progress ? underWay(*progress) : tr("waiting for its turn");
    }
    QStringList parts;
    if (message.tokensPerSecond > 0) {
        parts += speed(message.tokensPerSecond);
    }
    if (message.firstTokenMs > 0) {
        parts += tr("first token %1 ms").arg(QLocale().toString(message.firstTokenMs, 'f', 0));
    }
    if (message.tokens > 0) {
        parts += tr("%n token(s)", nullptr, message.tokens);
    }
    if (!message.devices.isEmpty()) {
        parts += message.devices.join(u", "_s);
    }
    if (const QString end = ending(message.state); !end.isEmpty()) {
        parts += end;
    }
    return parts.join(u"  ·  "_s);
}

} // namespace constela::ui
