// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/constelactl/node_session.h"
#include "app/constelactl/platform.h"
#include "app/constelactl/terminal.h"
#include "engine/gguf/printable.h"
#include "engine/node/local_node.h"

#include <chrono>

namespace constela::ctl {

namespace {

using State = node::ModelSnapshot::State;

/// A signal handler cannot wake a condition variable, so whoever waits looks up this often.
constexpr std::chrono::milliseconds kLookUp{20};

} // namespace

NodeSession::NodeSession() : node_(node::make_local_node())
{
    node::Listener listener;
    listener.on_snapshot = [this](const std::shared_ptr<const node::Snapshot>&) { changed_.notify_all(); };
    listener.on_piece = [this](const node::AnswerPiece& piece) {
        const std::lock_guard lock(mutex_);
        pieces_.push_back(piece);
        changed_.notify_all();
    };
    listener.on_end = [this](const node::AnswerEnd& end) {
        const std::lock_guard lock(mutex_);
        ends_.push_back(end);
        changed_.notify_all();
    };
    listener_ = node_->add_listener(std::move(listener));
}

NodeSession::~NodeSession()
{
    node_->remove_listener(listener_);
}

void NodeSession::wait(std::unique_lock<std::mutex>& lock)
{
    changed_.wait_for(lock, kLookUp);
}

Result<> NodeSession::load(const EngineOptions& options)
{
    node::LoadRequest request;
    request.path = options.model;
    request.context_length = static_cast<std::uint32_t>(options.context);
    request.kv_type = options.kv_type;
    request.threads = static_cast<std::uint32_t>(options.threads);
    request.kernels = options.kernels;
    request.max_batch = static_cast<std::uint32_t>(options.batch);
    warn_of_many_threads(options.threads);
    const std::uint64_t before = node_->snapshot()->revision;
    node_->load(std::move(request));

    Progress progress("Loading " + gguf::display_name(options.model));
    bool seen = false;
    bool cancelled = false;
    for (;;) {
        const auto now = node_->snapshot();
        const State state = now->model.state;
        seen = seen || (now->revision != before && state == State::loading);
        if (state == State::ready) {
            progress.clear();
            warn_of_long_context(options.context, now->model.trained_context);
            return {};
        }
        if (state == State::failed && now->revision != before) {
            return tl::unexpected<Error>(
                now->model.error.value_or(Error{"The model could not be loaded, and nobody said why.", {}, {}}));
        }
        if (state == State::none && (seen || cancelled)) {
            return failure("Loading was cancelled.");
        }
        if (interrupted() && !cancelled) {
            node_->cancel_load();
            cancelled = true;
        }
        progress.show(now->model.progress);
        std::unique_lock lock(mutex_);
        wait(lock);
    }
}

Result<node::AnswerEnd> NodeSession::ask(node::AskRequest request, const OnText& on_text)
{
    const node::AnswerId id = node_->ask(std::move(request));
    Result<> told;
    bool cancelled = false;
    std::unique_lock lock(mutex_);
    for (;;) {
        // The end comes last, so all pieces are there once it is.
        const bool ended = !ends_.empty();
        while (!pieces_.empty()) {
            const node::AnswerPiece piece = std::move(pieces_.front());
            pieces_.pop_front();
            if (piece.id == id && told) {
                lock.unlock();
                told = on_text(piece.text);
                lock.lock();
            }
        }
        if (ended) {
            node::AnswerEnd end = std::move(ends_.front());
            ends_.pop_front();
            if (end.id != id) {
                continue;
            }
            CONSTELA_TRY(told);
            if (end.reason == runtime::StopReason::failed) {
                return tl::unexpected<Error>(
                    end.error.value_or(Error{"The answer failed, and nobody said why.", {}, {}}));
            }
            return end;
        }
        if ((interrupted() || !told) && !cancelled) {
            cancelled = true;
            lock.unlock();
            node_->cancel(id);
            lock.lock();
            continue;
        }
        wait(lock);
    }
}

} // namespace constela::ctl
