// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/store/chat_store.h"

#include "ui/chat/store/store_worker.h"
#include "ui/common/literals.h"
#include "ui/common/make.h"

#include <utility>

namespace constela::ui {

template <class Task>
void ChatStore::post(Task task)
{
    if (worker_ != nullptr) {
        QMetaObject::invokeMethod(worker_, [worker = worker_, task = std::move(task)] { task(*worker); });
    }
}

ChatStore::ChatStore(const QString& file, QObject* parent) : QObject(parent), worker_(make<StoreWorker>(file))
{
    thread_.setObjectName(u"chat store"_s);
    worker_->moveToThread(&thread_);
    connect(&thread_, &QThread::finished, worker_, &QObject::deleteLater);
    connect(worker_, &StoreWorker::opened, this, &ChatStore::opened);
    connect(worker_, &StoreWorker::messagesLoaded, this, &ChatStore::messagesLoaded);
    connect(worker_, &StoreWorker::failed, this, &ChatStore::failed);
    connect(worker_, &StoreWorker::recovered, this, &ChatStore::recovered);
    thread_.start();
    post([](StoreWorker& worker) { worker.open(); });
}

ChatStore::~ChatStore()
{
    close();
}

void ChatStore::save(const Conversation& conversation)
{
    post([conversation](StoreWorker& worker) { worker.save(conversation); });
}

void ChatStore::save(const ChatMessage& message)
{
    post([message](StoreWorker& worker) { worker.save(message); });
}

void ChatStore::purge(const QString& conversation)
{
    post([conversation](StoreWorker& worker) { worker.purge(conversation); });
}

void ChatStore::load(const QString& conversation)
{
    post([conversation](StoreWorker& worker) { worker.load(conversation); });
}

void ChatStore::close()
{
    post([](StoreWorker& worker) {
        worker.close();
        worker.thread()->quit();
    });
    worker_ = nullptr;
    thread_.wait();
}

} // namespace constela::ui
