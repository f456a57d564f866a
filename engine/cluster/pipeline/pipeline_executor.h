// SPDX-License-Identifier: GPL-3.0-or-later
//
// Carries out a scheduler's steps over the stages of a placement: each step goes to the first stage, from stage to
// stage, and comes back from the last one as tokens. Steps follow each other closely, so that all stages work at once.
#pragma once

#include "engine/cluster/messages.h"
#include "engine/cluster/pipeline/data_messages.h"
#include "engine/cluster/pipeline/data_socket.h"
#include "engine/runtime/executor.h"
#include "engine/runtime/kv_sequences.h"

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace constela::cluster {

/// A placement whose stages are all ready.
struct ReadyPipeline {
    Epoch epoch = 0;
    std::vector<RouteStage> stages; ///< In the order of the token's way.
    std::uint16_t results_port = 0; ///< Where the outcomes are to come in; 0: a free one.
};

/// Threads: one, but for fail().
class PipelineExecutor final : public runtime::Executor {
public:
    /// Tells all stages where the next one is. What `plane` refers to must outlive it.
    [[nodiscard]] static Result<std::unique_ptr<PipelineExecutor>> create(const DataPlane& plane,
                                                                          std::shared_ptr<const model::Model> model,
                                                                          const runtime::ContextOptions& options,
                                                                          const ReadyPipeline& pipeline);
    ~PipelineExecutor() override = default;

    /// From any thread: nothing will come any more, for this reason. collect() fails soon.
    void fail(Error error);

    [[nodiscard]] const model::Config& config() const override { return model_->config(); }
    [[nodiscard]] const runtime::ContextOptions& options() const override { return options_; }
    [[nodiscard]] runtime::SequenceId open() override;
    void close(runtime::SequenceId sequence) override;
    [[nodiscard]] std::size_t length(runtime::SequenceId sequence) const override;
    [[nodiscard]] bool can_continue_at(runtime::SequenceId sequence, std::size_t length) const override;
    [[nodiscard]] runtime::SequenceId fork(runtime::SequenceId from, std::size_t length) override;
    [[nodiscard]] bool fits(std::span<const runtime::PlannedWork> works) const override;
    [[nodiscard]] std::size_t stages() const override { return stages_; }
    [[nodiscard]] std::size_t depth() const override;
    [[nodiscard]] std::size_t piece(std::size_t length) const override;
    void submit(std::span<const runtime::PlannedWork> works) override;
    [[nodiscard]] Result<Outcome> collect(const std::atomic<bool>* abort) override;

private:
    PipelineExecutor(std::shared_ptr<const model::Model> model, const runtime::ContextOptions& options, Epoch epoch,
                     std::size_t stages, const NodeId& last, DataInlet results);
    [[nodiscard]] Result<> send(DataOutlet& outlet, std::uint32_t stage, const DataPacket& packet);
    [[nodiscard]] std::optional<Error> failed() const;
    [[nodiscard]] std::optional<Outcome> receive();
    void note_broken(Error error);
    void look_at_connections();

    std::shared_ptr<const model::Model> model_;
    runtime::ContextOptions options_;
    Epoch epoch_;
    std::size_t stages_;
    NodeId last_; ///< Who holds the last stage.
    DataInlet results_;
    std::vector<DataOutlet> routes_; ///< To each stage, the last one first.
    runtime::KvSequences sequences_; ///< As those of the stages will be when all that was submitted is done.
    runtime::SequenceId next_sequence_ = 1;
    std::vector<SequenceOp> ops_; ///< Since the last step.
    std::uint64_t next_step_ = 0;
    std::deque<std::size_t> under_way_; ///< The number of works of each step; oldest first.
    std::uint64_t next_outcome_ = 0;
    std::atomic<bool> cancelled_{false};
    std::optional<Error> broken_; ///< A connection is, since the next.
    std::chrono::steady_clock::time_point broken_at_;

    mutable std::mutex mutex_; ///< Of the next.
    std::optional<Error> error_;
};

} // namespace constela::cluster
