// SPDX-License-Identifier: GPL-3.0-or-later
//
// A node as the window sees it: what its listeners hear on threads of their own arrives here as signals on the thread
// that made the bridge. After the destructor nothing arrives any more. Commands return at once, as the node's do.
#pragma once

#include "engine/node/node.h"

#include <QObject>
#include <memory>

namespace constela::ui {

class NodeBridge : public QObject {
    Q_OBJECT
public:
    explicit NodeBridge(std::shared_ptr<node::Node> node, QObject* parent = nullptr);
    ~NodeBridge() override;

    /// The newest that was announced by snapshotChanged().
    [[nodiscard]] const node::Snapshot& snapshot() const { return *snapshot_; }
    [[nodiscard]] const node::ModelSnapshot& model() const { return snapshot_->model; }

    void load(node::LoadRequest request);
    void cancelLoad();
    void unload();
    /// Pieces and end of the answer arrive only after this returned.
    [[nodiscard]] node::AnswerId ask(node::AskRequest request);
    void cancel(node::AnswerId id);

Q_SIGNALS:
    void snapshotChanged();
    void pieceArrived(const constela::node::AnswerPiece& piece);
    void answerEnded(const constela::node::AnswerEnd& end);

private:
    void take(std::shared_ptr<const node::Snapshot> snapshot);

    std::shared_ptr<node::Node> node_;
    std::shared_ptr<const node::Snapshot> snapshot_;
    node::ListenerId listener_ = 0;
};

} // namespace constela::ui
