// SPDX-License-Identifier: GPL-3.0-or-later
//
// The whole model on one device of this process: steps are computed by the thread that asks for them.
#pragma once

#include "engine/runtime/context.h"
#include "engine/runtime/executor.h"

#include <vector>

namespace constela::runtime {

/// Threads: the context's.
class LocalExecutor final : public Executor {
public:
    /// The context must outlive it.
    explicit LocalExecutor(Context& context) : context_(context) {}

    [[nodiscard]] const model::Config& config() const override { return context_.model().config(); }
    [[nodiscard]] const ContextOptions& options() const override { return context_.options(); }
    [[nodiscard]] SequenceId open() override { return context_.open(); }
    void close(SequenceId sequence) override { context_.close(sequence); }
    [[nodiscard]] std::size_t length(SequenceId sequence) const override { return context_.length(sequence); }
    [[nodiscard]] bool can_continue_at(SequenceId sequence, std::size_t length) const override
    {
        return context_.can_continue_at(sequence, length);
    }
    [[nodiscard]] SequenceId fork(SequenceId from, std::size_t length) override { return context_.fork(from, length); }
    [[nodiscard]] bool fits(std::span<const PlannedWork> works) const override;

    [[nodiscard]] std::size_t stages() const override { return 1; }
    [[nodiscard]] std::size_t depth() const override { return 1; }
    [[nodiscard]] std::size_t piece(std::size_t /*length*/) const override { return options().max_batch; }
    void submit(std::span<const PlannedWork> works) override;
    [[nodiscard]] Result<Outcome> collect(const std::atomic<bool>* abort) override;

private:
    Context& context_;
    std::vector<Work> works_;
    std::vector<SampleRequest> requests_; ///< By work; of those that want none, empty ones.
};

} // namespace constela::runtime
