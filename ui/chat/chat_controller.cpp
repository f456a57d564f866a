// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/chat_controller.h"

#include "ui/chat/prompt.h"
#include "ui/common/literals.h"
#include "ui/common/make.h"

#include <QDateTime>
#include <QUuid>
#include <algorithm>
#include <utility>

namespace constela::ui {

namespace {

constexpr std::chrono::milliseconds kSaveEvery{800};

QString newId()
{
    return QUuid::createUuid().toString(QUuid::WithoutBraces);
}

MessageState stateOf(runtime::StopReason reason)
{
    switch (reason) {
    case runtime::StopReason::end_token:
    case runtime::StopReason::stop_string: return MessageState::done;
    case runtime::StopReason::max_tokens: return MessageState::lengthLimit;
    case runtime::StopReason::context_full: return MessageState::contextFull;
    case runtime::StopReason::cancelled: return MessageState::stopped;
    case runtime::StopReason::failed: break;
    }
    return MessageState::failed;
}

AnswerProgress progressOf(const node::AnswerSnapshot& answer)
{
    AnswerProgress progress;
    switch (answer.state) {
    case node::AnswerSnapshot::State::queued: progress.phase = AnswerProgress::Phase::queued; break;
    case node::AnswerSnapshot::State::prefill: progress.phase = AnswerProgress::Phase::prefill; break;
    case node::AnswerSnapshot::State::decoding: progress.phase = AnswerProgress::Phase::decoding; break;
    }
    progress.promptDone = static_cast<int>(answer.prompt_done);
    progress.promptTokens = static_cast<int>(answer.stats.prompt_tokens);
    progress.tokens = static_cast<int>(answer.stats.generated_tokens);
    progress.tokensPerSecond = answer.tokens_per_second;
    return progress;
}

} // namespace

ChatController::ChatController(NodeBridge& node, ChatStore& store, QObject* parent)
    : QObject(parent), node_(node), store_(store)
{
    saving_.setInterval(kSaveEvery);
    connect(&saving_, &QTimer::timeout, this, &ChatController::saveLive);
    connect(&node_, &NodeBridge::pieceArrived, this, &ChatController::onPiece);
    connect(&node_, &NodeBridge::answerEnded, this, &ChatController::onEnd);
    connect(&node_, &NodeBridge::snapshotChanged, this, &ChatController::onSnapshot);
    connect(&store_, &ChatStore::opened, this, &ChatController::onOpened);
    connect(&store_, &ChatStore::messagesLoaded, this, [this](const QString& id, const QList<ChatMessage>& messages) {
        if (MessageListModel* model = models_.value(id); model != nullptr && !model->ready()) {
            model->fill(messages);
            Q_EMIT stateChanged();
        }
    });
    connect(&store_, &ChatStore::failed, this, &ChatController::storeFailed);
    connect(&store_, &ChatStore::recovered, this, &ChatController::storeRecovered);
    connect(&conversations_, &ConversationListModel::renamed, this, [this](const QString& id) {
        store_.save(*conversations_.find(id));
        Q_EMIT stateChanged();
    });
}

QString ChatController::currentTitle() const
{
    const Conversation* conversation = conversations_.find(currentId_);
    return conversation == nullptr ? QString() : conversation->title;
}

bool ChatController::answering(const QString& conversation) const
{
    return !conversation.isEmpty() && std::any_of(live_.cbegin(), live_.cend(), [&conversation](const Live& live) {
        return live.conversation == conversation;
    });
}

bool ChatController::canSend() const
{
    return node_.model().state == node::ModelSnapshot::State::ready && !answering() && current_->ready();
}

void ChatController::onOpened(const QList<Conversation>& conversations)
{
    const bool untouched = currentId_.isEmpty() && freshDraft_.isEmpty();
    for (const Conversation& conversation : conversations) {
        if (conversations_.find(conversation.id) == nullptr) {
            conversations_.put(conversation);
        }
    }
    if (untouched && !conversations.isEmpty()) {
        select(conversations.first().id);
    }
}

void ChatController::show(const QString& id, MessageListModel* messages)
{
    currentId_ = id;
    current_ = messages;
    Q_EMIT currentChanged();
    Q_EMIT stateChanged();
}

void ChatController::startNew()
{
    show({}, &fresh_);
}

MessageListModel* ChatController::modelOf(const QString& conversation)
{
    MessageListModel*& model = models_[conversation];
    if (model == nullptr) {
        model = make<MessageListModel>(false, this);
        store_.load(conversation);
    }
    return model;
}

void ChatController::select(const QString& conversation)
{
    if (conversation != currentId_ && conversations_.find(conversation) != nullptr) {
        show(conversation, modelOf(conversation));
    }
}

void ChatController::put(const Conversation& conversation)
{
    conversations_.put(conversation);
    store_.save(conversation);
}

bool ChatController::send(const QString& text)
{
    if (!canSend() || text.trimmed().isEmpty()) {
        return false;
    }
    const std::int64_t now = QDateTime::currentMSecsSinceEpoch();
    Conversation conversation;
    if (const Conversation* known = conversations_.find(currentId_)) {
        conversation = *known;
    } else {
        conversation.id = newId();
        conversation.created = now;
        models_.insert(conversation.id, make<MessageListModel>(true, this));
        freshDraft_.clear();
    }
    MessageListModel* messages = models_.value(conversation.id);
    conversation.updated = now;
    conversation.draft.clear();
    if (!conversation.titleChosen && conversation.title.isEmpty()) {
        conversation.title = titleFrom(text);
    }
    put(conversation);

    ChatMessage question;
    question.id = newId();
    question.conversation = conversation.id;
    question.position = messages->rowCount();
    question.text = text.trimmed();
    question.created = now;
    messages->append(question);
    store_.save(question);

    node::AskRequest request;
    request.messages = promptOf(messages->messages());
    ChatMessage answer;
    answer.id = newId();
    answer.conversation = conversation.id;
    answer.position = messages->rowCount();
    answer.author = Author::model;
    answer.state = MessageState::answering;
    answer.created = now;
    answer.model = QString::fromStdString(node_.model().name);
    messages->append(answer);
    store_.save(answer);

    live_.insert(node_.ask(std::move(request)), Live{conversation.id, answer.position, false});
    conversations_.setAnswering(conversation.id, true);
    saving_.start();
    if (currentId_ != conversation.id) {
        show(conversation.id, messages);
    } else {
        Q_EMIT stateChanged();
    }
    return true;
}

void ChatController::stop()
{
    for (auto live = live_.cbegin(); live != live_.cend(); ++live) {
        if (live->conversation == currentId_) {
            node_.cancel(live.key());
        }
    }
}

void ChatController::onPiece(const node::AnswerPiece& piece)
{
    const auto live = live_.find(piece.id);
    if (live != live_.end()) {
        live->unsaved = true;
        models_.value(live->conversation)->appendText(live->row, QString::fromStdString(piece.text));
    }
}

void ChatController::onEnd(const node::AnswerEnd& end)
{
    if (!live_.contains(end.id)) {
        return; // of a conversation that is gone
    }
    const Live live = live_.take(end.id);
    MessageListModel* messages = models_.value(live.conversation);
    ChatMessage answer = messages->at(live.row);
    answer.state = stateOf(end.reason);
    answer.tokensPerSecond = end.stats.tokens_per_second();
    answer.firstTokenMs = end.stats.time_to_first_token_ms;
    answer.tokens = static_cast<int>(end.stats.generated_tokens);
    for (const std::string& device : end.devices) {
        answer.devices += QString::fromStdString(device);
    }
    answer.error = end.error;
    messages->setProgress(live.row, std::nullopt);
    messages->replace(live.row, answer);
    store_.save(answer);
    conversations_.setAnswering(live.conversation, false);
    if (live_.isEmpty()) {
        saving_.stop();
    }
    Q_EMIT stateChanged();
}

void ChatController::onSnapshot()
{
    for (const node::AnswerSnapshot& answer : node_.snapshot().answers) {
        const auto live = live_.constFind(answer.id);
        if (live != live_.cend()) {
            models_.value(live->conversation)->setProgress(live->row, progressOf(answer));
        }
    }
    Q_EMIT stateChanged();
}

void ChatController::saveLive()
{
    for (Live& live : live_) {
        if (std::exchange(live.unsaved, false)) {
            store_.save(models_.value(live.conversation)->at(live.row));
        }
    }
}

void ChatController::rename(const QString& conversation, const QString& title)
{
    conversations_.setData(conversations_.index(conversations_.rowOf(conversation)), title, Qt::EditRole);
}

void ChatController::remove(const QString& conversation)
{
    const int row = conversations_.rowOf(conversation);
    if (row < 0) {
        return;
    }
    forgetRemoved(); // one at a time can be had back
    for (auto live = live_.cbegin(); live != live_.cend(); ++live) {
        if (live->conversation == conversation) {
            node_.cancel(live.key());
        }
    }
    removed_ = *conversations_.find(conversation);
    removed_->deleted = true;
    store_.save(*removed_);
    const QString title = conversations_.data(conversations_.index(row), Qt::DisplayRole).toString();
    if (conversation == currentId_) {
        startNew();
    }
    conversations_.remove(conversation);
    Q_EMIT removed(title);
}

void ChatController::undoRemove()
{
    if (removed_) {
        Conversation conversation = *std::exchange(removed_, std::nullopt);
        conversation.deleted = false;
        put(conversation);
        select(conversation.id);
        Q_EMIT removalSettled();
    }
}

void ChatController::forgetRemoved()
{
    if (!removed_) {
        return;
    }
    const QString id = std::exchange(removed_, std::nullopt)->id;
    live_.removeIf([&id](const auto& entry) { return entry->conversation == id; });
    if (MessageListModel* model = models_.take(id)) {
        model->deleteLater();
    }
    store_.purge(id);
    Q_EMIT removalSettled();
}

QString ChatController::draft() const
{
    const Conversation* conversation = conversations_.find(currentId_);
    return conversation == nullptr ? freshDraft_ : conversation->draft;
}

void ChatController::setDraft(const QString& conversation, const QString& text)
{
    const Conversation* known = conversations_.find(conversation);
    if (conversation.isEmpty()) {
        freshDraft_ = text;
    } else if (removed_ && removed_->id == conversation) {
        removed_->draft = text; // for when it is had back; saving it now would bring it back
    } else if (known != nullptr && known->draft != text) {
        Conversation changed = *known;
        changed.draft = text;
        put(changed);
    }
}

void ChatController::shutDown()
{
    saving_.stop();
    for (auto live = live_.cbegin(); live != live_.cend(); ++live) {
        MessageListModel* messages = models_.value(live->conversation);
        ChatMessage answer = messages->at(live->row);
        answer.state = MessageState::interrupted;
        messages->replace(live->row, answer);
        store_.save(answer);
        conversations_.setAnswering(live->conversation, false);
        node_.cancel(live.key());
    }
    live_.clear();
    forgetRemoved();
    store_.disconnect(this); // what it still has to tell comes too late
    store_.close();
}

} // namespace constela::ui
