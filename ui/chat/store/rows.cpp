// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/store/rows.h"

#include "ui/common/literals.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QVariant>
#include <array>
#include <utility>

namespace constela::ui {

namespace {

// Names on disk: never changed, only added to.
constexpr std::array<std::pair<MessageState, QStringView>, 7> kStates{{
    {MessageState::done, u"done"},
    {MessageState::answering, u"answering"},
    {MessageState::stopped, u"stopped"},
    {MessageState::lengthLimit, u"length_limit"},
    {MessageState::contextFull, u"context_full"},
    {MessageState::failed, u"failed"},
    {MessageState::interrupted, u"interrupted"},
}};

QString stateName(MessageState state)
{
    for (const auto& [value, name] : kStates) {
        if (value == state) {
            return name.toString();
        }
    }
    return {};
}

MessageState stateFrom(const QString& text)
{
    for (const auto& [value, name] : kStates) {
        if (name == text) {
            return value;
        }
    }
    return MessageState::done;
}

QString text(const QJsonDocument& json)
{
    return QString::fromUtf8(json.toJson(QJsonDocument::Compact));
}

QVariant errorText(const std::optional<Error>& error)
{
    if (!error) {
        return QVariant(QMetaType::fromType<QString>()); // NULL
    }
    QJsonArray args;
    for (const std::string& arg : error->args) {
        args.append(QString::fromStdString(arg));
    }
    return text(QJsonDocument(QJsonObject{{u"pattern"_s, QString::fromStdString(error->pattern)},
                                          {u"args"_s, args},
                                          {u"details"_s, QString::fromStdString(error->details)}}));
}

std::optional<Error> errorFrom(const QString& text)
{
    const QJsonObject json = QJsonDocument::fromJson(text.toUtf8()).object();
    if (json.isEmpty()) {
        return std::nullopt;
    }
    Error error{json[u"pattern"_s].toString().toStdString(), {}, json[u"details"_s].toString().toStdString()};
    const QJsonArray args = json[u"args"_s].toArray();
    for (const auto& arg : args) {
        error.args.push_back(arg.toString().toStdString());
    }
    return error;
}

/// SQLite keeps NULL and "" apart; a null QString must become "".
QString notNull(const QString& text)
{
    return text.isNull() ? u""_s : text;
}

} // namespace

QString conversationSelect()
{
    return u"SELECT id, title, title_chosen, created, updated, draft FROM conversation WHERE deleted = 0 "
           "ORDER BY updated DESC"_s;
}

QString conversationUpsert()
{
    return u"INSERT INTO conversation (id, title, title_chosen, created, updated, draft, deleted) "
           "VALUES (?, ?, ?, ?, ?, ?, ?) "
           "ON CONFLICT (id) DO UPDATE SET title = excluded.title, title_chosen = excluded.title_chosen, "
           "updated = excluded.updated, draft = excluded.draft, deleted = excluded.deleted"_s;
}

Conversation conversationOf(const QSqlQuery& row)
{
    return {row.value(0).toString(),
            row.value(1).toString(),
            row.value(2).toBool(),
            row.value(3).toLongLong(),
            row.value(4).toLongLong(),
            row.value(5).toString(),
            false};
}

void bindConversation(QSqlQuery& query, const Conversation& conversation)
{
    query.addBindValue(conversation.id);
    query.addBindValue(notNull(conversation.title));
    query.addBindValue(conversation.titleChosen ? 1 : 0);
    query.addBindValue(static_cast<qint64>(conversation.created));
    query.addBindValue(static_cast<qint64>(conversation.updated));
    query.addBindValue(notNull(conversation.draft));
    query.addBindValue(conversation.deleted ? 1 : 0);
}

QString messageSelect()
{
    return u"SELECT id, conversation, position, author, text, state, created, model, tokens_per_second, "
           "first_token_ms, tokens, devices, error FROM message WHERE conversation = ? ORDER BY position"_s;
}

QString messageUpsert()
{
    return u"INSERT INTO message (id, conversation, position, author, text, state, created, model, "
           "tokens_per_second, first_token_ms, tokens, devices, error) "
           "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
           "ON CONFLICT (id) DO UPDATE SET position = excluded.position, text = excluded.text, "
           "state = excluded.state, model = excluded.model, tokens_per_second = excluded.tokens_per_second, "
           "first_token_ms = excluded.first_token_ms, tokens = excluded.tokens, devices = excluded.devices, "
           "error = excluded.error"_s;
}

ChatMessage messageOf(const QSqlQuery& row)
{
    ChatMessage message;
    message.id = row.value(0).toString();
    message.conversation = row.value(1).toString();
    message.position = row.value(2).toInt();
    message.author = row.value(3).toString() == u"model"_s ? Author::model : Author::person;
    message.text = row.value(4).toString();
    message.state = stateFrom(row.value(5).toString());
    message.created = row.value(6).toLongLong();
    message.model = row.value(7).toString();
    message.tokensPerSecond = row.value(8).toDouble();
    message.firstTokenMs = row.value(9).toDouble();
    message.tokens = row.value(10).toInt();
    const QJsonArray devices = QJsonDocument::fromJson(row.value(11).toString().toUtf8()).array();
    for (const auto& device : devices) {
        message.devices += device.toString();
    }
    message.error = errorFrom(row.value(12).toString());
    return message;
}

void bindMessage(QSqlQuery& query, const ChatMessage& message)
{
    query.addBindValue(message.id);
    query.addBindValue(message.conversation);
    query.addBindValue(message.position);
    query.addBindValue(message.author == Author::model ? u"model"_s : u"person"_s);
    query.addBindValue(notNull(message.text));
    query.addBindValue(stateName(message.state));
    query.addBindValue(static_cast<qint64>(message.created));
    query.addBindValue(notNull(message.model));
    query.addBindValue(message.tokensPerSecond);
    query.addBindValue(message.firstTokenMs);
    query.addBindValue(message.tokens);
    query.addBindValue(text(QJsonDocument(QJsonArray::fromStringList(message.devices))));
    query.addBindValue(errorText(message.error));
}

} // namespace constela::ui
