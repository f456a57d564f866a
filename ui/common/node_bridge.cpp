// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/node_bridge.h"

#include <utility>

namespace constela::ui {

NodeBridge::NodeBridge(std::shared_ptr<node::Node> node, QObject* parent)
    : QObject(parent), node_(std::move(node)), snapshot_(node_->snapshot())
{
    // The node promises that no listener runs once remove_listener() returned, so `this` outlives every call;
    // what is still queued then dies with the object.
    const auto post = [this](auto deliver) {
        QMetaObject::invokeMethod(this, std::move(deliver), Qt::QueuedConnection);
    };
    node::Listener listener;
    listener.on_snapshot = [this, post](std::shared_ptr<const node::Snapshot> snapshot) {
        post([this, snapshot = std::move(snapshot)] { take(snapshot); });
    };
    listener.on_piece = [this, post](const node::AnswerPiece& piece) {
        post([this, piece] { Q_EMIT pieceArrived(piece); });
    };
    listener.on_end = [this, post](const node::AnswerEnd& end) { post([this, end] { Q_EMIT answerEnded(end); }); };
    listener_ = node_->add_listener(std::move(listener));
    snapshot_ = node_->snapshot(); // what changed before the listener stood
}

NodeBridge::~NodeBridge()
{
    node_->remove_listener(listener_);
}

void NodeBridge::take(std::shared_ptr<const node::Snapshot> snapshot)
{
    if (snapshot->revision >= snapshot_->revision) {
        snapshot_ = std::move(snapshot);
        Q_EMIT snapshotChanged();
    }
}

void NodeBridge::load(node::LoadRequest request)
{
    node_->load(std::move(request));
}

void NodeBridge::cancelLoad()
{
    node_->cancel_load();
}

void NodeBridge::unload()
{
    node_->unload();
}

node::AnswerId NodeBridge::ask(node::AskRequest request)
{
    return node_->ask(std::move(request));
}

void NodeBridge::cancel(node::AnswerId id)
{
    node_->cancel(id);
}

} // namespace constela::ui
