// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/store/chat_store.h"

#include "ui/chat/store/store_worker.h"
#include "ui/common/literals.h"
#include "ui/common/make.h"

#include <utility>

namespace constela::ui {

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
    QMetaObject::invokeMethod(worker_, [worker = worker_] { worker->open(); });
}

ChatStore::~ChatStore()
{
    close();
}

void ChatStore::save(const Conversation& conversation)
{
    QMetaObject::invokeMethod(worker_, [worker = worker_, conversation] { worker->save(conversation); });
}

void ChatStore::save(const ChatMessage& message)
{
    QMetaObject::invokeMethod(worker_, [worker = worker_, message] { worker->save(message); });
}

void ChatStore::purge(const QString& conversation)
{
    QMetaObject::invokeMethod(worker_, [worker = worker_, conversation] { worker->purge(conversation); });
}

void ChatStore::load(const QString& conversation)
{
    QMetaObject::invokeMethod(worker_, [worker = worker_, conversation] { worker->load(conversation); });
}

void ChatStore::close()
{
    if (thread_.isRunning()) {
        QMetaObject::invokeMethod(worker_, [worker = worker_] {
            worker->close();
            worker->thread()->quit();
        });
        thread_.wait();
    }
}

} // namespace constela::ui
