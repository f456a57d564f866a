// SPDX-License-Identifier: GPL-3.0-or-later
//
// What of a conversation the model gets to read.
#pragma once

#include "engine/node/node.h"
#include "ui/chat/conversation.h"

#include <QList>

namespace constela::ui {

/// The messages with text, in order. A question that got no answer at all is left out with its empty answer, since
/// many templates want the two sides to take turns; the last question always stays.
[[nodiscard]] std::vector<node::Message> promptOf(const QList<ChatMessage>& messages);

/// A title from the first message: its first line, shortened at a word.
[[nodiscard]] QString titleFrom(const QString& text);

} // namespace constela::ui
