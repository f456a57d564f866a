// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/store/schema.h"

#include "ui/common/literals.h"

#include <QSqlError>
#include <QSqlQuery>
#include <QStringList>
#include <QVariant>

namespace constela::ui {

namespace {

QList<QStringList> steps()
{
    return {
        {
            u"CREATE TABLE conversation ("
            "  id TEXT PRIMARY KEY NOT NULL,"
            "  title TEXT NOT NULL,"
            "  title_chosen INTEGER NOT NULL,"
            "  created INTEGER NOT NULL," // milliseconds since 1970, UTC
            "  updated INTEGER NOT NULL,"
            "  deleted INTEGER NOT NULL DEFAULT 0"
            ") STRICT"_s,
            u"CREATE TABLE message ("
            "  id TEXT PRIMARY KEY NOT NULL,"
            "  conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,"
            "  position INTEGER NOT NULL,"
            "  author TEXT NOT NULL CHECK (author IN ('person', 'model')),"
            "  text TEXT NOT NULL,"
            "  state TEXT NOT NULL,"
            "  created INTEGER NOT NULL,"
            "  model TEXT NOT NULL,"
            "  tokens_per_second REAL NOT NULL,"
            "  first_token_ms REAL NOT NULL,"
            "  tokens INTEGER NOT NULL,"
            "  devices TEXT NOT NULL," // a JSON array of device ids
            "  error TEXT"             // a JSON object {pattern, args, details}
            ") STRICT"_s,
            u"CREATE INDEX message_by_conversation ON message (conversation, position)"_s,
        },
        {
            u"ALTER TABLE conversation ADD COLUMN draft TEXT NOT NULL DEFAULT ''"_s,
        },
    };
}

} // namespace

int schemaVersion()
{
    return static_cast<int>(steps().size());
}

Result<> migrate(QSqlDatabase& database, int target)
{
    QSqlQuery query(database);
    if (!query.exec(u"PRAGMA user_version"_s) || !query.next()) {
        return failure("The file {} cannot be read as a chat database: {}. Move it away to start with an empty one.",
                       database.databaseName().toStdString(), query.lastError().databaseText().toStdString());
    }
    const int found = query.value(0).toInt();
    query.finish();
    if (found > schemaVersion()) {
        return failure("The conversations in {} were written by a newer Constela (format {}, this one knows {}). "
                       "They are left untouched; use the newer program to open them.",
                       database.databaseName().toStdString(), found, schemaVersion());
    }
    const QList<QStringList> all = steps();
    for (int step = found; step < target; ++step) {
        QStringList statements = all.at(step);
        statements += u"PRAGMA user_version = %1"_s.arg(step + 1);
        bool good = database.transaction();
        for (const QString& statement : statements) {
            good = good && query.exec(statement);
        }
        if (!good || !database.commit()) {
            const QString reason = good ? database.lastError().databaseText() : query.lastError().databaseText();
            database.rollback();
            return failure("The chat database {} cannot be brought from format {} to {}: {}.",
                           database.databaseName().toStdString(), step, step + 1, reason.toStdString());
        }
    }
    return {};
}

} // namespace constela::ui
