// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/answer_note.h"
#include "ui/chat/conversation_list_model.h"
#include "ui/chat/message_list_model.h"
#include "ui/chat/prompt.h"
#include "ui/common/literals.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace constela::ui; // NOLINT(google-build-using-namespace): a test of one file

namespace {

Conversation conversation(const QString& id, std::int64_t updated, const QString& title = {})
{
    Conversation made;
    made.id = id;
    made.title = title;
    made.updated = updated;
    return made;
}

ChatMessage message(Author author, const QString& text, MessageState state = MessageState::done)
{
    ChatMessage made;
    made.author = author;
    made.text = text;
    made.state = state;
    return made;
}

QStringList ids(const ConversationListModel& model)
{
    QStringList all;
    for (int row = 0; row < model.rowCount(); ++row) {
        all += model.index(row).data(ConversationListModel::IdRole).toString();
    }
    return all;
}

} // namespace

class ChatModelsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theListKeepsTheNewestOnTop()
    {
        ConversationListModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.put(conversation(u"b"_s, 20));
        model.put(conversation(u"a"_s, 10));
        model.put(conversation(u"c"_s, 30));
        QCOMPARE(ids(model), (QStringList{u"c"_s, u"b"_s, u"a"_s}));
        model.put(conversation(u"a"_s, 40));
        QCOMPARE(ids(model), (QStringList{u"a"_s, u"c"_s, u"b"_s}));
        model.put(conversation(u"a"_s, 5));
        QCOMPARE(ids(model), (QStringList{u"c"_s, u"b"_s, u"a"_s}));
        model.remove(u"b"_s);
        model.remove(u"no such"_s);
        QCOMPARE(ids(model), (QStringList{u"c"_s, u"a"_s}));
    }

    void aTitleIsGivenByThePerson()
    {
        ConversationListModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.put(conversation(u"a"_s, 10));
        const QSignalSpy renamed(&model, &ConversationListModel::renamed);
        QCOMPARE(model.index(0).data().toString(), u"New conversation"_s);
        QVERIFY(!model.setData(model.index(0), u"  "_s, Qt::EditRole));
        QVERIFY(model.setData(model.index(0), u"  My\n title "_s, Qt::EditRole));
        QCOMPARE(model.index(0).data().toString(), u"My title"_s);
        QVERIFY(model.find(u"a"_s)->titleChosen);
        QCOMPARE(renamed.count(), 1);
        model.setAnswering(u"a"_s, true);
        QVERIFY(model.index(0).data(ConversationListModel::AnsweringRole).toBool());
        QVERIFY(model.index(0).data(Qt::AccessibleTextRole).toString().contains(u"answering"_s));
    }

    void messagesGrow()
    {
        MessageListModel model(false);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY(!model.ready());
        model.fill({message(Author::person, u"Hi"_s)});
        QVERIFY(model.ready());
        model.append(message(Author::model, {}, MessageState::answering));
        const QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.appendText(1, u"He"_s);
        model.appendText(1, u"llo"_s);
        model.setProgress(1, AnswerProgress{});
        model.setProgress(1, AnswerProgress{});
        QCOMPARE(changed.count(), 3); // the second progress was the same
        QCOMPARE(model.index(1).data().toString(), u"Hello"_s);
    }

    void thePromptTakesTurns()
    {
        const QList<ChatMessage> messages{
            message(Author::person, u"one"_s), message(Author::model, {}, MessageState::failed),
            message(Author::person, u"two"_s), message(Author::model, u"an"_s, MessageState::stopped),
            message(Author::person, u"three"_s)};
        QStringList turns;
        for (const auto& turn : promptOf(messages)) {
            turns += QString::fromStdString(turn.role + ":" + turn.content);
        }
        QCOMPARE(turns, (QStringList{u"user:two"_s, u"assistant:an"_s, u"user:three"_s}));
    }

    void titlesAreShort()
    {
        QCOMPARE(titleFrom(u"  Hello there\nsecond line"_s), u"Hello there"_s);
        const QString title = titleFrom(u"word "_s.repeated(40));
        QVERIFY(title.size() <= 61);
        QVERIFY(title.endsWith(u"word…"_s));
        QCOMPARE(titleFrom(QString(200, u'x')).size(), 61);
    }

    void theNoteTellsOnlyWhatWasMeasured()
    {
        QLocale::setDefault(QLocale::c());
        ChatMessage answer = message(Author::model, u"text"_s);
        QCOMPARE(AnswerNote::of(answer, {}), QString());
        answer.tokensPerSecond = 41.24;
        answer.firstTokenMs = 183.7;
        answer.devices = {u"studio/cpu0"_s, u"nas/cuda0"_s};
        answer.state = MessageState::stopped;
        QCOMPARE(AnswerNote::of(answer, {}),
                 u"41.2 t/s  ·  first token 184 ms  ·  studio/cpu0, nas/cuda0  ·  stopped"_s);
        answer.state = MessageState::answering;
        QCOMPARE(AnswerNote::of(answer, AnswerProgress{AnswerProgress::Phase::prefill, 64, 96, 0, 0}),
                 u"reading the conversation: 64 of 96 tokens"_s);
    }
};

QTEST_MAIN(ChatModelsTest)
#include "chat_models_test.moc"
