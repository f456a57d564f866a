// SPDX-License-Identifier: GPL-3.0-or-later
//
// A whole model on one backend with its KV cache: sequences are opened, fed tokens and read logits from.
#pragma once

#include "engine/runtime/stage.h"

#include <atomic>
#include <memory>
#include <span>

namespace constela::runtime {

/// Threads: one, the one that owns the backend.
class Context {
public:
    /// As Stage::create(), with all shards.
    [[nodiscard]] static Result<std::unique_ptr<Context>> create(
        std::shared_ptr<const model::Model> model, device::Backend& backend, const ContextOptions& options,
        const OnPlaced& on_placed = [](std::size_t) { return Result<>(); });

    [[nodiscard]] const model::Model& model() const { return stage_->model(); }
    [[nodiscard]] const ContextOptions& options() const { return stage_->options(); }

    [[nodiscard]] SequenceId open();
    /// Gives the sequence's pages back.
    void close(SequenceId sequence) { stage_->sequences().close(sequence); }
    /// Tokens that the sequence holds.
    [[nodiscard]] std::size_t length(SequenceId sequence) const { return stage_->sequences().length(sequence); }

    /// Whether the sequence can be cut to, or forked at, `length` positions: false once a window has moved on too far.
    [[nodiscard]] bool can_continue_at(SequenceId sequence, std::size_t length) const
    {
        return stage_->sequences().can_continue_at(sequence, length);
    }
    void truncate(SequenceId sequence, std::size_t length) { stage_->sequences().truncate(sequence, length); }
    /// A new sequence that shares the first `length` positions; can_continue_at(from, length) must hold.
    [[nodiscard]] SequenceId fork(SequenceId from, std::size_t length);

    /// Whether there are pages for all of `works` in one step.
    [[nodiscard]] bool fits(std::span<const Work> works) const;

    using Outcome = Stage::Outcome;
    /// One step, as Stage::step().
    Outcome step(std::span<const Work> works, const OnLogits& on_logits, const std::atomic<bool>* abort = nullptr);

    /// Feeds any number of tokens to one sequence, in steps of at most max_batch; on_logits' token counts from the
    /// first. Fails when the context or the pages do not suffice.
    Result<> feed(SequenceId sequence, std::span<const std::int32_t> tokens, Want want, const OnLogits& on_logits);

private:
    explicit Context(std::unique_ptr<Stage> stage) : stage_(std::move(stage)) {}

    std::unique_ptr<Stage> stage_;
    SequenceId next_ = 1;
};

} // namespace constela::runtime
