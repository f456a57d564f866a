// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/store/chat_database.h"

#include "ui/chat/store/rows.h"
#include "ui/chat/store/schema.h"
#include "ui/common/literals.h"

#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>
#include <QVariant>
#include <utility>

namespace constela::ui {

namespace {

tl::unexpected<Error> cannotRead(const QSqlDatabase& database, const QSqlError& error)
{
    return failure("Conversations cannot be read from {}: {}.", database.databaseName().toStdString(),
                   error.databaseText().toStdString());
}

tl::unexpected<Error> cannotSave(const QSqlDatabase& database, const QSqlError& error)
{
    return failure("Conversations cannot be saved to {}: {}. Nothing is lost while this window stays open; make room "
                   "or make the folder writable, and saving goes on by itself.",
                   database.databaseName().toStdString(), error.databaseText().toStdString());
}

} // namespace

ChatDatabase::~ChatDatabase()
{
    close();
}

void ChatDatabase::close()
{
    if (!connection_.isEmpty()) {
        database_.close();
        database_ = QSqlDatabase();
        QSqlDatabase::removeDatabase(connection_);
        connection_.clear();
    }
}

Result<> ChatDatabase::open(const QString& file)
{
    close();
    connection_ = u"chat-"_s % QUuid::createUuid().toString(QUuid::WithoutBraces);
    database_ = QSqlDatabase::addDatabase(u"QSQLITE"_s, connection_);
    database_.setDatabaseName(file);
    database_.setConnectOptions(u"QSQLITE_BUSY_TIMEOUT=5000"_s);
    Result<> done = failure("The chat database {} cannot be opened: {}. Check that its folder exists and is writable.",
                            file.toStdString(), std::string());
    if (!database_.open()) {
        done.error().args[1] = database_.lastError().databaseText().toStdString();
    } else {
        done = prepare();
    }
    if (!done) {
        close();
    }
    return done;
}

Result<> ChatDatabase::prepare()
{
    CONSTELA_TRY(migrate(database_, schemaVersion()));
    // Deleted text is overwritten, not only unlinked: it may be private.
    for (const QString& statement :
         {u"PRAGMA journal_mode = WAL"_s, u"PRAGMA synchronous = NORMAL"_s, u"PRAGMA foreign_keys = ON"_s,
          u"PRAGMA secure_delete = ON"_s, u"UPDATE message SET state = 'interrupted' WHERE state = 'answering'"_s,
          u"DELETE FROM conversation WHERE deleted <> 0"_s}) {
        QSqlQuery query(database_);
        if (!query.exec(statement)) {
            return cannotSave(database_, query.lastError());
        }
    }
    return {};
}

Result<QList<Conversation>> ChatDatabase::conversations()
{
    QSqlQuery query(database_);
    query.setForwardOnly(true);
    if (!query.exec(conversationSelect())) {
        return cannotRead(database_, query.lastError());
    }
    QList<Conversation> all;
    while (query.next()) {
        all += conversationOf(query);
    }
    if (query.lastError().isValid()) {
        return cannotRead(database_, query.lastError());
    }
    return all;
}

Result<QList<ChatMessage>> ChatDatabase::messages(const QString& conversation)
{
    QSqlQuery query(database_);
    query.setForwardOnly(true);
    query.prepare(messageSelect());
    query.addBindValue(conversation);
    if (!query.exec()) {
        return cannotRead(database_, query.lastError());
    }
    QList<ChatMessage> all;
    while (query.next()) {
        all += messageOf(query);
    }
    if (query.lastError().isValid()) {
        return cannotRead(database_, query.lastError());
    }
    return all;
}

Result<> ChatDatabase::write(const ChatChanges& changes)
{
    if (!database_.transaction()) {
        return cannotSave(database_, database_.lastError());
    }
    QSqlQuery query(database_);
    const auto run = [&query](auto bind, const QString& statement, const auto& entries) {
        if (entries.isEmpty()) {
            return true;
        }
        bool good = query.prepare(statement);
        for (auto entry = entries.cbegin(); good && entry != entries.cend(); ++entry) {
            bind(query, *entry);
            good = query.exec();
        }
        return good;
    };
    const auto bindId = [](QSqlQuery& to, const QString& id) { to.addBindValue(id); };
    const bool good = run(bindConversation, conversationUpsert(), changes.conversations) &&
                      run(bindMessage, messageUpsert(), changes.messages) &&
                      run(bindId, u"DELETE FROM conversation WHERE id = ?"_s, changes.purged);
    if (!good) {
        const QSqlError error = query.lastError();
        query.finish();
        database_.rollback();
        return cannotSave(database_, error);
    }
    query.finish();
    if (!database_.commit()) {
        const QSqlError error = database_.lastError();
        database_.rollback();
        return cannotSave(database_, error);
    }
    return {};
}

} // namespace constela::ui
