// SPDX-License-Identifier: GPL-3.0-or-later
//
// A node as a program without an event loop uses it: what its listeners hear is brought to the thread that waits.
// Ctrl-C cancels what is being waited for.
#pragma once

#include "app/constelactl/options.h"
#include "engine/node/node.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace constela::ctl {

/// Threads: one.
class NodeSession {
public:
    NodeSession();
    ~NodeSession();
    NodeSession(const NodeSession&) = delete;
    NodeSession& operator=(const NodeSession&) = delete;

    /// Waits until the model is ready, with progress on stderr.
    [[nodiscard]] Result<> load(const EngineOptions& options);

    /// Takes a piece of the answer; when it fails, the answer is cancelled and ask() fails likewise.
    using OnText = std::function<Result<>(const std::string&)>;
    /// Waits for the end of the answer. One that was cancelled is no failure.
    [[nodiscard]] Result<node::AnswerEnd> ask(node::AskRequest request, const OnText& on_text);

    [[nodiscard]] std::shared_ptr<const node::Snapshot> snapshot() const { return node_->snapshot(); }

private:
    void wait(std::unique_lock<std::mutex>& lock);

    std::mutex mutex_; ///< Guards what follows.
    std::condition_variable changed_;
    std::deque<node::AnswerPiece> pieces_;
    std::deque<node::AnswerEnd> ends_;

    std::unique_ptr<node::Node> node_;
    node::ListenerId listener_ = 0;
};

} // namespace constela::ctl
