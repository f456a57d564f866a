// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a chat is made of, as it is kept on disk and shown.
#pragma once

#include "engine/base/result.h"

#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>

namespace constela::ui {

struct Conversation {
    QString id;
    QString title;            ///< Empty until the first message or the person gives one.
    bool titleChosen = false; ///< By the person: no message changes it any more.
    std::int64_t created = 0; ///< Milliseconds since 1970, UTC.
    std::int64_t updated = 0; ///< Of the last message; the list's order.
    QString draft;            ///< Typed and not yet sent.
    bool deleted = false;     ///< Hidden; gone for good once it can no longer be undone.
};

enum class Author { person, model };

enum class MessageState {
    done,
    answering,   ///< Still being written.
    stopped,     ///< By the person, or because the model was put away.
    lengthLimit, ///< The asked number of tokens was reached.
    contextFull,
    failed,      ///< `error` says why.
    interrupted, ///< The program ended meanwhile.
};

struct ChatMessage {
    QString id;
    QString conversation;
    int position = 0; ///< In its conversation, from 0.
    Author author = Author::person;
    QString text; ///< What was typed, or Markdown from the model.
    MessageState state = MessageState::done;
    std::int64_t created = 0; ///< Milliseconds since 1970, UTC.

    // Of answers only. A 0 means: not measured.
    QString model;
    double tokensPerSecond = 0;
    double firstTokenMs = 0;
    int tokens = 0;
    QStringList devices;
    std::optional<Error> error;
};

/// How far an answer under way is, as the node reports it.
struct AnswerProgress {
    enum class Phase { queued, prefill, decoding };
    Phase phase = Phase::queued;
    int promptDone = 0;
    int promptTokens = 0;
    int tokens = 0;
    double tokensPerSecond = 0; ///< 0: not yet known.

    bool operator==(const AnswerProgress&) const = default;
};

} // namespace constela::ui
