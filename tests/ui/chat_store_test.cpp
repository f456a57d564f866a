// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/golden.h"
#include "ui/chat/store/chat_database.h"
#include "ui/chat/store/chat_store.h"
#include "ui/chat/store/schema.h"
#include "ui/common/literals.h"
#include "ui/common/paths.h"

#include <QDir>
#include <QSignalSpy>
#include <QSqlQuery>
#include <QTest>

using namespace constela::ui; // NOLINT(google-build-using-namespace): a test of one file

namespace {

Conversation conversation(const QString& id, std::int64_t updated)
{
    Conversation made;
    made.id = id;
    made.title = u"About "_s % id;
    made.created = 1;
    made.updated = updated;
    made.draft = u"half a thought"_s;
    return made;
}

ChatMessage answer(const QString& id, const QString& of, MessageState state)
{
    ChatMessage made;
    made.id = id;
    made.conversation = of;
    made.author = Author::model;
    made.text = u"Olá, “mundo” 🙂\nline two"_s;
    made.state = state;
    made.created = 2;
    made.model = u"SmolLM2"_s;
    made.tokensPerSecond = 41.25;
    made.firstTokenMs = 184;
    made.tokens = 83;
    made.devices = {u"studio/cpu0"_s, u"nas/cuda0"_s};
    made.error = constela::Error{"needs {}", {"5.1 GB"}, "details"};
    return made;
}

/// Runs one statement on a database file, past everything of ours.
QVariant sql(const QString& file, const QString& statement)
{
    QVariant value;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"aside"_s);
        database.setDatabaseName(file);
        if (!database.open()) {
            qFatal("cannot open %s", qPrintable(file));
        }
        QSqlQuery query(database);
        if (query.exec(statement) && query.next()) {
            value = query.value(0);
        }
    }
    QSqlDatabase::removeDatabase(u"aside"_s);
    return value;
}

} // namespace

class ChatStoreTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { folder_ = std::make_unique<constela::test::TempDir>(); }

    void keepsEverything()
    {
        const ChatMessage written = answer(u"m1"_s, u"a"_s, MessageState::failed);
        {
            ChatDatabase database;
            QVERIFY(database.open(file()));
            ChatChanges changes;
            changes.conversations = {{u"a"_s, conversation(u"a"_s, 10)}, {u"b"_s, conversation(u"b"_s, 20)}};
            changes.messages = {{written.id, written}};
            QVERIFY(database.write(changes));
        }
        ChatDatabase database;
        QVERIFY(database.open(file()));
        const auto conversations = database.conversations();
        QVERIFY(conversations);
        QCOMPARE(conversations->size(), 2);
        QCOMPARE(conversations->first().id, u"b"_s); // the newest first
        QCOMPARE(conversations->last().draft, u"half a thought"_s);
        const auto messages = database.messages(u"a"_s);
        QVERIFY(messages);
        QCOMPARE(messages->size(), 1);
        const ChatMessage& read = messages->first();
        QCOMPARE(read.text, written.text);
        QCOMPARE(read.state, written.state);
        QCOMPARE(read.author, written.author);
        QCOMPARE(read.tokensPerSecond, written.tokensPerSecond);
        QCOMPARE(read.firstTokenMs, written.firstTokenMs);
        QCOMPARE(read.tokens, written.tokens);
        QCOMPARE(read.devices, written.devices);
        QVERIFY(read.error.has_value());
        QCOMPARE(read.error->text(), written.error->text());
        QCOMPARE(read.error->details, written.error->details);
    }

    void marksWhatADeadProgramLeft()
    {
        {
            ChatDatabase database;
            QVERIFY(database.open(file()));
            ChatChanges changes;
            Conversation gone = conversation(u"gone"_s, 5);
            gone.deleted = true;
            changes.conversations = {{u"a"_s, conversation(u"a"_s, 10)}, {u"gone"_s, gone}};
            changes.messages = {{u"m"_s, answer(u"m"_s, u"a"_s, MessageState::answering)},
                                {u"n"_s, answer(u"n"_s, u"gone"_s, MessageState::done)}};
            QVERIFY(database.write(changes));
        }
        ChatDatabase database;
        QVERIFY(database.open(file()));
        QCOMPARE(database.messages(u"a"_s)->first().state, MessageState::interrupted);
        QCOMPARE(database.conversations()->size(), 1);
        QCOMPARE(database.messages(u"gone"_s)->size(), 0); // went with its conversation
    }

    void bringsEveryOlderSchemaUpToDate()
    {
        for (int version = 0; version < schemaVersion(); ++version) {
            const QString path = file() % QString::number(version);
            {
                QSqlDatabase old = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"old"_s);
                old.setDatabaseName(path);
                QVERIFY(old.open());
                QVERIFY(migrate(old, version));
                if (version >= 1) {
                    QSqlQuery query(old);
                    QVERIFY(query.exec(u"INSERT INTO conversation (id, title, title_chosen, created, updated) "
                                       "VALUES ('x', 'Old', 0, 1, 1)"_s));
                }
                old.close();
            }
            QSqlDatabase::removeDatabase(u"old"_s);
            ChatDatabase database;
            QVERIFY(database.open(path));
            QCOMPARE(database.conversations()->size(), version >= 1 ? 1 : 0);
            QCOMPARE(sql(path, u"PRAGMA user_version"_s).toInt(), schemaVersion());
        }
    }

    void refusesANewerSchemaAndLeavesItAlone()
    {
        sql(file(), u"CREATE TABLE future (x)"_s);
        sql(file(), u"PRAGMA user_version = 99"_s);
        ChatDatabase database;
        const auto done = database.open(file());
        QVERIFY(!done);
        QVERIFY(done.error().text().find("newer Constela (format 99") != std::string::npos);
        QVERIFY(!database.isOpen());
        QCOMPARE(sql(file(), u"PRAGMA user_version"_s).toInt(), 99);
        QCOMPARE(sql(file(), u"SELECT count(*) FROM sqlite_master WHERE name = 'conversation'"_s).toInt(), 0);
    }

    void refusesWhatIsNoDatabase()
    {
        QFile garbage(file());
        QVERIFY(garbage.open(QIODevice::WriteOnly));
        garbage.write(QByteArray(4096, 'x'));
        garbage.close();
        ChatDatabase database;
        const auto done = database.open(file());
        QVERIFY(!done);
        QVERIFY(done.error().text().find("cannot be read as a chat database") != std::string::npos);
    }

    void aFailedWriteChangesNothing()
    {
        ChatDatabase database;
        QVERIFY(database.open(file()));
        ChatChanges changes;
        changes.conversations = {{u"a"_s, conversation(u"a"_s, 10)}};
        changes.messages = {{u"m"_s, answer(u"m"_s, u"no such conversation"_s, MessageState::done)}};
        QVERIFY(!database.write(changes));
        QCOMPARE(database.conversations()->size(), 0);
    }

    void theThreadWritesAndReads()
    {
        {
            ChatStore store(file());
            store.save(conversation(u"a"_s, 10));
            store.save(answer(u"m"_s, u"a"_s, MessageState::done));
        } // the destructor waits for the disk
        ChatStore store(file());
        QSignalSpy opened(&store, &ChatStore::opened);
        QSignalSpy loaded(&store, &ChatStore::messagesLoaded);
        store.load(u"a"_s);
        QTRY_COMPARE(loaded.count(), 1);
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened.first().first().value<QList<Conversation>>().size(), 1);
        QCOMPARE(loaded.first().last().value<QList<ChatMessage>>().size(), 1);
    }

    void keepsWhatCannotBeWrittenAndTriesAgain()
    {
        const QString path = fromPath(folder_->path()) % u"/later/chats.sqlite"_s;
        ChatStore store(path); // its folder is not there
        QSignalSpy failed(&store, &ChatStore::failed);
        QSignalSpy recovered(&store, &ChatStore::recovered);
        QTRY_VERIFY(failed.count() > 0);
        store.save(conversation(u"a"_s, 10));
        store.save(answer(u"m"_s, u"a"_s, MessageState::done));
        QVERIFY(QDir().mkpath(fromPath(folder_->path()) % u"/later"_s));
        QTRY_COMPARE_WITH_TIMEOUT(recovered.count(), 1, 20000);
        store.close();
        ChatDatabase database;
        QVERIFY(database.open(path));
        QCOMPARE(database.messages(u"a"_s)->size(), 1);
    }

    void messagesThatCannotBeReadAreReadLater()
    {
        {
            ChatStore store(file());
            store.save(conversation(u"a"_s, 10));
            store.save(answer(u"m"_s, u"a"_s, MessageState::done));
        }
        ChatStore store(file());
        QSignalSpy opened(&store, &ChatStore::opened);
        QSignalSpy failed(&store, &ChatStore::failed);
        QSignalSpy loaded(&store, &ChatStore::messagesLoaded);
        QSignalSpy recovered(&store, &ChatStore::recovered);
        QTRY_COMPARE(opened.count(), 1);
        sql(file(), u"ALTER TABLE message RENAME TO away"_s);
        store.load(u"a"_s);
        QTRY_VERIFY(failed.count() > 0);
        QCOMPARE(loaded.count(), 0);
        sql(file(), u"ALTER TABLE away RENAME TO message"_s);
        QTRY_COMPARE_WITH_TIMEOUT(loaded.count(), 1, 20000);
        QCOMPARE(loaded.first().last().value<QList<ChatMessage>>().size(), 1);
        QTRY_COMPARE(recovered.count(), 1);
    }

    void whatComesAfterTheEndIsIgnored()
    {
        ChatStore store(file());
        store.close();
        store.save(conversation(u"a"_s, 10));
        store.save(answer(u"m"_s, u"a"_s, MessageState::done));
        store.load(u"a"_s);
        store.purge(u"a"_s);
        store.close();
        ChatDatabase database;
        QVERIFY(database.open(file()));
        QCOMPARE(database.conversations()->size(), 0);
    }

    void purgedIsGone()
    {
        {
            ChatStore store(file());
            store.save(conversation(u"a"_s, 10));
            store.save(answer(u"m"_s, u"a"_s, MessageState::done));
            store.purge(u"a"_s);
        }
        ChatDatabase database;
        QVERIFY(database.open(file()));
        QCOMPARE(database.conversations()->size(), 0);
        QCOMPARE(database.messages(u"a"_s)->size(), 0);
    }

private: // NOLINT(readability-redundant-access-specifiers): ends the slots, which Qt Test runs
    [[nodiscard]] QString file() const { return fromPath(folder_->path()) % u"/chats.sqlite"_s; }

    std::unique_ptr<constela::test::TempDir> folder_;
};

QTEST_MAIN(ChatStoreTest)
#include "chat_store_test.moc"
