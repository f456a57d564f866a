// SPDX-License-Identifier: GPL-3.0-or-later
//
// The dim line under an answer: only what was measured, and how it ended if not by itself.
#pragma once

#include "ui/chat/conversation.h"

#include <QCoreApplication>

namespace constela::ui {

class AnswerNote {
    Q_DECLARE_TR_FUNCTIONS(AnswerNote)
public:
    /// "41.2 t/s · first token 180 ms · studio/cpu0 · stopped"
    [[nodiscard]] static QString of(const ChatMessage& message, const std::optional<AnswerProgress>& progress);
    /// "41.2 t/s"
    [[nodiscard]] static QString speed(double tokensPerSecond);

private:
    [[nodiscard]] static QString ending(MessageState state);
    [[nodiscard]] static QString underWay(const AnswerProgress& progress);
};

} // namespace constela::ui
