// SPDX-License-Identifier: GPL-3.0-or-later
//
// A node that does what a test tells it: loads advance, pieces come and answers end when the test says so. It calls
// its listeners on a thread of its own, as a real node does.
#pragma once

#include "engine/node/node.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace constela::test {

class FakeNode : public node::Node {
public:
    FakeNode();
    ~FakeNode() override;

    // The window's side.
    [[nodiscard]] std::shared_ptr<const node::Snapshot> snapshot() const override;
    node::ListenerId add_listener(node::Listener listener) override;
    void remove_listener(node::ListenerId id) override;
    void load(node::LoadRequest request) override;
    void cancel_load() override;
    void unload() override;
    node::AnswerId ask(node::AskRequest request) override;
    void cancel(node::AnswerId id) override;

    // The test's side.
    [[nodiscard]] std::vector<node::LoadRequest> loads() const;
    [[nodiscard]] std::vector<std::pair<node::AnswerId, node::AskRequest>> asked() const;
    [[nodiscard]] std::vector<node::AnswerId> cancelled() const;
    [[nodiscard]] std::size_t listeners() const;
    void progress(double done);
    void finish_load(const std::string& name = "SmolLM2 135M Instruct");
    void fail_load(Error error);
    void set_template_notice(Error error);
    /// An answer under way: what the snapshot shows of it.
    void report(node::AnswerSnapshot answer);
    void piece(node::AnswerId id, const std::string& text);
    void end(node::AnswerId id, runtime::StopReason reason = runtime::StopReason::end_token,
             std::optional<Error> error = std::nullopt);

private:
    void change(const std::function<void(node::Snapshot&)>& edit);
    void deliver(std::function<void(const node::Listener&)> call);
    void run();

    mutable std::mutex state_;
    std::shared_ptr<const node::Snapshot> snapshot_;
    std::vector<node::LoadRequest> loads_;
    std::vector<std::pair<node::AnswerId, node::AskRequest>> asked_;
    std::vector<node::AnswerId> cancelled_;

    mutable std::mutex calling_; ///< Held while listeners run: remove_listener() waits for it.
    std::map<node::ListenerId, node::Listener> listeners_;
    node::ListenerId next_listener_ = 1;

    std::mutex queue_lock_;
    std::condition_variable queued_;
    std::deque<std::function<void(const node::Listener&)>> queue_;
    bool ending_ = false;
    std::thread thread_;
};

} // namespace constela::test
