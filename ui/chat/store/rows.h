// SPDX-License-Identifier: GPL-3.0-or-later
//
// How conversations and messages lie in their tables.
#pragma once

#include "ui/chat/conversation.h"

#include <QSqlQuery>

namespace constela::ui {

[[nodiscard]] QString conversationSelect(); ///< All that are not deleted, newest first.
[[nodiscard]] QString conversationUpsert();
[[nodiscard]] Conversation conversationOf(const QSqlQuery& row);
void bindConversation(QSqlQuery& query, const Conversation& conversation);

[[nodiscard]] QString messageSelect(); ///< Of the conversation bound to it, in order.
[[nodiscard]] QString messageUpsert();
[[nodiscard]] ChatMessage messageOf(const QSqlQuery& row);
void bindMessage(QSqlQuery& query, const ChatMessage& message);

} // namespace constela::ui
