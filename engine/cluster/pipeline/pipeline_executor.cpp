// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/pipeline/pipeline_executor.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace constela::cluster {

namespace {

using runtime::Growth;
using runtime::PlannedWork;
using runtime::SequenceId;

constexpr auto kLookTime = std::chrono::milliseconds(10);
/// Pieces of a prompt: enough of them that the stages overlap, but none so small that a stage reads its weights for few
/// tokens.
constexpr std::size_t kLeastPieces = 8;
constexpr std::size_t kSmallestPiece = 64;
constexpr std::size_t kLargestPiece = 128;

std::vector<Growth> growths_of(std::span<const PlannedWork> works)
{
    std::vector<Growth> growths;
    growths.reserve(works.size());
    for (const PlannedWork& work : works) {
        growths.push_back({work.sequence, work.tokens.size()});
    }
    return growths;
}

} // namespace

PipelineExecutor::PipelineExecutor(std::shared_ptr<const model::Model> model, const runtime::ContextOptions& options,
                                   Epoch epoch, std::size_t stages, const NodeId& last, DataInlet results)
    : model_(std::move(model)), options_(options), epoch_(epoch), stages_(stages), last_(last),
      results_(std::move(results)), sequences_(model_->config(), options_)
{
}

Result<std::unique_ptr<PipelineExecutor>> PipelineExecutor::create(const DataPlane& plane,
                                                                   std::shared_ptr<const model::Model> model,
                                                                   const runtime::ContextOptions& options,
                                                                   const ReadyPipeline& pipeline)
{
    CONSTELA_ASSIGN(auto results,
                    DataInlet::open(plane, fmt::format("results/{}", pipeline.epoch), pipeline.results_port));
    DataRoute route{pipeline.stages, results.port()};
    std::unique_ptr<PipelineExecutor> executor(new PipelineExecutor(std::move(model), options, pipeline.epoch,
                                                                    pipeline.stages.size(), pipeline.stages.back().node,
                                                                    std::move(results)));
    // Backwards, so that each knows its way on before anything comes in.
    for (std::size_t i = pipeline.stages.size(); i > 0; --i) {
        const RouteStage& stage = pipeline.stages[i - 1];
        CONSTELA_ASSIGN(auto outlet, DataOutlet::open(plane, stage.node, stage.device, stage.port));
        CONSTELA_TRY(executor->send(outlet, static_cast<std::uint32_t>(i - 1), {pipeline.epoch, route}));
        executor->routes_.push_back(std::move(outlet));
    }
    return executor;
}

Result<> PipelineExecutor::send(DataOutlet& outlet, std::uint32_t stage, const DataPacket& packet)
{
    const auto bytes = encode(packet);
    std::vector<zmq::message_t> frames;
    frames.push_back(stage_frame(stage));
    frames.push_back(bytes_frame(bytes));
    return outlet.send(std::move(frames), cancelled_);
}

void PipelineExecutor::fail(Error error)
{
    const std::lock_guard lock(mutex_);
    if (!error_) {
        error_ = std::move(error);
    }
    cancelled_ = true;
}

std::optional<Error> PipelineExecutor::failed() const
{
    const std::lock_guard lock(mutex_);
    return error_;
}

SequenceId PipelineExecutor::open()
{
    const SequenceId id = next_sequence_++;
    sequences_.open(id);
    ops_.push_back({SequenceOp::Kind::open, id, 0, 0});
    return id;
}

void PipelineExecutor::close(SequenceId sequence)
{
    sequences_.close(sequence);
    ops_.push_back({SequenceOp::Kind::close, sequence, 0, 0});
}

std::size_t PipelineExecutor::length(SequenceId sequence) const
{
    return sequences_.length(sequence);
}

bool PipelineExecutor::can_continue_at(SequenceId sequence, std::size_t length) const
{
    return sequences_.can_continue_at(sequence, length);
}

SequenceId PipelineExecutor::fork(SequenceId from, std::size_t length)
{
    const SequenceId id = next_sequence_++;
    sequences_.fork(id, from, length);
    ops_.push_back({SequenceOp::Kind::fork, id, from, length});
    return id;
}

bool PipelineExecutor::fits(std::span<const PlannedWork> works) const
{
    return sequences_.fits(growths_of(works));
}

std::size_t PipelineExecutor::depth() const
{
    return stages_ + 1; // one more than stages, so that the first has work while an outcome is on its way back
}

std::size_t PipelineExecutor::piece(std::size_t length) const
{
    const std::size_t most = options_.max_batch;
    return stages_ == 1 ? most : std::min(most, std::clamp(length / kLeastPieces, kSmallestPiece, kLargestPiece));
}

void PipelineExecutor::submit(std::span<const PlannedWork> works)
{
    DataStep step;
    step.ops = std::exchange(ops_, {});
    for (const PlannedWork& work : works) {
        StepWork one{work.sequence, sequences_.length(work.sequence), static_cast<std::uint32_t>(work.tokens.size()),
                     std::nullopt};
        if (work.choose != nullptr) {
            one.choose = *work.choose;
        }
        step.tokens.insert(step.tokens.end(), work.tokens.begin(), work.tokens.end());
        step.works.push_back(std::move(one));
    }
    const std::vector<Growth> growths = growths_of(works);
    static_cast<void>(sequences_.reserve(growths)); // the pages themselves are the stages' affair
    sequences_.advance(growths);
    step.number = next_step_++;
    under_way_.push_back(works.size());
    if (auto sent = send(routes_.back(), 0, {epoch_, std::move(step)}); !sent) {
        note_broken(std::move(sent).error());
    }
}

std::optional<runtime::Executor::Outcome> PipelineExecutor::receive()
{
    while (auto message = results_.receive()) {
        if (message->from != last_ || message->frames.size() < 2) {
            continue;
        }
        auto packet = decode_packet(bytes_of(message->frames[1]));
        if (!packet || packet->epoch != epoch_) {
            continue;
        }
        const auto* outcome = std::get_if<DataOutcome>(&packet->body);
        if (outcome == nullptr) {
            continue;
        }
        const bool fits = outcome->number == next_outcome_ &&
                          std::all_of(outcome->choices.begin(), outcome->choices.end(), [&](const Chosen& chosen) {
                              return chosen.work < under_way_.front() && chosen.choice.token >= 0 &&
                                     static_cast<std::size_t>(chosen.choice.token) < config().vocabulary;
                          });
        if (!fits) {
            fail(failure("The last stage answered something that was not asked. Load the model again.").value());
            return std::nullopt;
        }
        ++next_outcome_;
        under_way_.pop_front();
        return Outcome{Outcome::State::done, outcome->choices};
    }
    return std::nullopt;
}

void PipelineExecutor::note_broken(Error error)
{
    if (!broken_) {
        broken_ = std::move(error);
        broken_at_ = std::chrono::steady_clock::now();
    }
}

void PipelineExecutor::look_at_connections()
{
    for (DataOutlet& outlet : routes_) {
        if (outlet.broken()) {
            note_broken(failure("The connection that carries the model's activations broke.").value());
        }
    }
    if (broken_ && std::chrono::steady_clock::now() > broken_at_ + kVerdictTime) {
        fail(*broken_);
    }
}

Result<runtime::Executor::Outcome> PipelineExecutor::collect(const std::atomic<bool>* abort)
{
    for (;;) {
        if (auto outcome = receive()) {
            return *std::move(outcome);
        }
        if (auto error = failed()) {
            return tl::unexpected<Error>(*std::move(error));
        }
        if (abort != nullptr && abort->load()) {
            return Outcome{Outcome::State::pending, {}};
        }
        look_at_connections();
        auto items = results_.poll_items();
        zmq::poll(items.data(), items.size(), kLookTime);
    }
}

} // namespace constela::cluster
