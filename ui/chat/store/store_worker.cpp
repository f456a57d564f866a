// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/store/store_worker.h"

#include <chrono>
#include <utility>

namespace constela::ui {

namespace {

constexpr std::chrono::seconds kRetry{3};

} // namespace

StoreWorker::StoreWorker(QString file) : file_(std::move(file))
{
    flush_.setSingleShot(true);
    flush_.setInterval(0); // what arrives together is written together
    retry_.setSingleShot(true);
    retry_.setInterval(kRetry);
    connect(&flush_, &QTimer::timeout, this, &StoreWorker::flush);
    connect(&retry_, &QTimer::timeout, this, &StoreWorker::open);
}

void StoreWorker::open()
{
    if (!database_.isOpen()) {
        if (const Result<> done = database_.open(file_); !done) {
            report(done.error());
            return;
        }
        const Result<QList<Conversation>> all = database_.conversations();
        if (!all) {
            database_.close(); // the list is still to be told: the next try begins here again
            report(all.error());
            return;
        }
        Q_EMIT opened(*all);
    }
    while (!unread_.isEmpty()) {
        if (!read(unread_.takeFirst())) {
            return; // it stands in the list again
        }
    }
    flush();
}

void StoreWorker::save(const Conversation& conversation)
{
    waiting_.conversations.insert(conversation.id, conversation);
    flushSoon();
}

void StoreWorker::save(const ChatMessage& message)
{
    waiting_.messages.insert(message.id, message);
    flushSoon();
}

void StoreWorker::purge(const QString& conversation)
{
    waiting_.conversations.remove(conversation);
    waiting_.messages.removeIf([&conversation](const auto& entry) { return entry->conversation == conversation; });
    waiting_.purged += conversation;
    flushSoon();
}

void StoreWorker::load(const QString& conversation)
{
    flush();
    read(conversation);
}

bool StoreWorker::read(const QString& conversation)
{
    const Result<QList<ChatMessage>> messages = database_.messages(conversation);
    if (!messages) {
        unread_ += conversation;
        report(messages.error());
        return false;
    }
    Q_EMIT messagesLoaded(conversation, *messages);
    return true;
}

void StoreWorker::close()
{
    flush();
    flush_.stop();
    retry_.stop();
    database_.close();
}

void StoreWorker::flushSoon()
{
    if (!retry_.isActive()) {
        flush_.start();
    }
}

void StoreWorker::flush()
{
    flush_.stop();
    if (!database_.isOpen() || (waiting_.empty() && !failing_)) {
        return;
    }
    if (const Result<> done = database_.write(waiting_); !done) {
        report(done.error());
        return;
    }
    waiting_ = {};
    if (failing_) {
        failing_ = false;
        Q_EMIT recovered();
    }
}

void StoreWorker::report(const Error& error)
{
    failing_ = true;
    retry_.start();
    Q_EMIT failed(error);
}

} // namespace constela::ui
