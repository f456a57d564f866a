// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/fake_node.h"

#include <algorithm>

namespace constela::test {

using State = node::ModelSnapshot::State;

FakeNode::FakeNode()
{
    node::Snapshot first;
    first.node_id = "fake";
    first.node_name = "studio";
    first.version = "0";
    first.devices.push_back({"studio/cpu0", "A processor", "cpu", "avx2", 2, 16'000'000'000, {}, {}, {}});
    snapshot_ = std::make_shared<const node::Snapshot>(std::move(first));
    thread_ = std::thread([this] { run(); });
}

FakeNode::~FakeNode()
{
    {
        const std::lock_guard lock(queue_lock_);
        ending_ = true;
    }
    queued_.notify_one();
    thread_.join();
}

void FakeNode::run()
{
    for (;;) {
        std::function<void(const node::Listener&)> call;
        {
            std::unique_lock lock(queue_lock_);
            queued_.wait(lock, [this] { return ending_ || !queue_.empty(); });
            if (ending_) {
                return;
            }
            call = std::move(queue_.front());
            queue_.pop_front();
        }
        const std::lock_guard lock(calling_);
        for (const auto& [id, listener] : listeners_) {
            call(listener);
        }
    }
}

void FakeNode::deliver(std::function<void(const node::Listener&)> call)
{
    {
        const std::lock_guard lock(queue_lock_);
        queue_.push_back(std::move(call));
    }
    queued_.notify_one();
}

void FakeNode::change(const std::function<void(node::Snapshot&)>& edit)
{
    std::shared_ptr<const node::Snapshot> now;
    {
        const std::lock_guard lock(state_);
        node::Snapshot next = *snapshot_;
        edit(next);
        ++next.revision;
        snapshot_ = now = std::make_shared<const node::Snapshot>(std::move(next));
    }
    deliver([now](const node::Listener& listener) {
        if (listener.on_snapshot) {
            listener.on_snapshot(now);
        }
    });
}

std::shared_ptr<const node::Snapshot> FakeNode::snapshot() const
{
    const std::lock_guard lock(state_);
    return snapshot_;
}

node::ListenerId FakeNode::add_listener(node::Listener listener)
{
    const std::lock_guard lock(calling_);
    listeners_.emplace(next_listener_, std::move(listener));
    return next_listener_++;
}

void FakeNode::remove_listener(node::ListenerId id)
{
    const std::lock_guard lock(calling_);
    listeners_.erase(id);
}

void FakeNode::load(node::LoadRequest request)
{
    change([&request](node::Snapshot& next) {
        next.model = {};
        next.model.state = State::loading;
        next.model.path = request.path;
    });
    const std::lock_guard lock(state_);
    loads_.push_back(std::move(request));
}

void FakeNode::cancel_load()
{
    change([](node::Snapshot& next) { next.model = {}; });
}

void FakeNode::unload()
{
    change([](node::Snapshot& next) { next.model = {}; });
}

node::AnswerId FakeNode::ask(node::AskRequest request)
{
    node::AnswerId id = 0;
    {
        const std::lock_guard lock(state_);
        id = asked_.size() + 1;
        asked_.emplace_back(id, std::move(request));
    }
    report({id, node::AnswerSnapshot::State::queued, {}, 0, 0});
    return id;
}

void FakeNode::cancel(node::AnswerId id)
{
    {
        const std::lock_guard lock(state_);
        cancelled_.push_back(id);
    }
    end(id, runtime::StopReason::cancelled);
}

std::vector<node::LoadRequest> FakeNode::loads() const
{
    const std::lock_guard lock(state_);
    return loads_;
}

std::vector<std::pair<node::AnswerId, node::AskRequest>> FakeNode::asked() const
{
    const std::lock_guard lock(state_);
    return asked_;
}

std::vector<node::AnswerId> FakeNode::cancelled() const
{
    const std::lock_guard lock(state_);
    return cancelled_;
}

std::size_t FakeNode::listeners() const
{
    const std::lock_guard lock(calling_);
    return listeners_.size();
}

void FakeNode::progress(double done)
{
    change([done](node::Snapshot& next) { next.model.progress = done; });
}

void FakeNode::finish_load(const std::string& name)
{
    change([&name](node::Snapshot& next) {
        next.model.state = State::ready;
        next.model.name = name;
        next.model.architecture = "llama";
        next.model.quantization = "Q4_1";
        next.model.parameters = 134'515'008;
        next.model.context_length = 8192;
        next.model.memory_bytes = 312'000'000;
        next.model.progress = 1;
    });
}

void FakeNode::fail_load(Error error)
{
    change([&error](node::Snapshot& next) {
        next.model.state = State::failed;
        next.model.error = std::move(error);
    });
}

void FakeNode::set_template_notice(Error error)
{
    change([&error](node::Snapshot& next) { next.model.template_notice = std::move(error); });
}

void FakeNode::report(node::AnswerSnapshot answer)
{
    change([&answer](node::Snapshot& next) {
        const auto same = [&answer](const node::AnswerSnapshot& other) { return other.id == answer.id; };
        const auto found = std::find_if(next.answers.begin(), next.answers.end(), same);
        if (found == next.answers.end()) {
            next.answers.push_back(answer);
        } else {
            *found = answer;
        }
    });
}

void FakeNode::piece(node::AnswerId id, const std::string& text)
{
    deliver([id, text](const node::Listener& listener) {
        if (listener.on_piece) {
            listener.on_piece({id, text});
        }
    });
}

void FakeNode::end(node::AnswerId id, runtime::StopReason reason, std::optional<Error> error)
{
    change([id](node::Snapshot& next) {
        next.answers.erase(std::remove_if(next.answers.begin(), next.answers.end(),
                                          [id](const node::AnswerSnapshot& answer) { return answer.id == id; }),
                           next.answers.end());
    });
    node::AnswerEnd end;
    end.id = id;
    end.reason = reason;
    end.error = std::move(error);
    end.stats.prompt_tokens = 30;
    end.stats.generated_tokens = 83;
    end.stats.time_to_first_token_ms = 184;
    end.stats.decode_ms = 2000;
    end.devices = {"studio/cpu0"};
    deliver([end](const node::Listener& listener) {
        if (listener.on_end) {
            listener.on_end(end);
        }
    });
}

} // namespace constela::test
