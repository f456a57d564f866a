// SPDX-License-Identifier: GPL-3.0-or-later
//
// A run of neighbouring shards of a model on one backend, with the KV cache of their blocks: what a device holds of a
// model. Tokens go into the stage that has the embedding, rows of activations go from stage to stage, logits come out
// of the one that has the head. A stage can be rebuilt from its weights and what it was fed.
//
// What a token's rows are depends on the tokens of its own sequence alone: not on what else is in the step, on how the
// sequence was cut into steps, on the number of threads, or on where the model was cut into stages.
#pragma once

#include "engine/base/result.h"
#include "engine/device/backend.h"
#include "engine/model/model.h"
#include "engine/runtime/context_options.h"
#include "engine/runtime/kv_sequences.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace constela::runtime {

enum class Want : std::uint8_t { none, last, all };

/// Tokens to be appended to a sequence, and of which of them the logits are wanted.
struct Work {
    SequenceId sequence = 0;
    std::span<const std::int32_t> tokens;
    Want want = Want::last;
};

/// Called for each token whose logits were wanted, in order. The row is valid during the call.
using OnLogits = std::function<void(std::size_t work, std::size_t token, std::span<const float> logits)>;
/// Called with the rows that the next stage takes, where the host can read them; valid during the call.
using OnRows = std::function<void(device::Rows rows)>;

/// Told while weights are placed on the device, of how many bytes more; an error ends it.
using OnPlaced = std::function<Result<>(std::size_t bytes)>;

/// Threads: one, the one that owns the backend.
class Stage {
public:
    /// Places the shards on the backend's device. Fails where the type of the KV cache does not suit the model, where
    /// the file changed meanwhile, and with the error of `on_placed`. The backend must outlive the stage.
    [[nodiscard]] static Result<std::unique_ptr<Stage>> create(
        std::shared_ptr<const model::Model> model, device::Backend& backend, const ContextOptions& options,
        ShardRange shards, const OnPlaced& on_placed = [](std::size_t) { return Result<>(); });
    ~Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    [[nodiscard]] const model::Model& model() const { return *model_; }
    [[nodiscard]] const ContextOptions& options() const { return options_; }
    [[nodiscard]] ShardRange shards() const { return range_; }
    [[nodiscard]] bool takes_tokens() const { return range_.first == 0; }
    [[nodiscard]] bool gives_logits() const { return range_.end() == model_->shards().size(); }

    [[nodiscard]] KvSequences& sequences() { return sequences_; }
    [[nodiscard]] const KvSequences& sequences() const { return sequences_; }

    enum class Outcome : std::uint8_t { done, aborted };
    struct Sinks {
        OnRows on_rows;     ///< Of a stage without the head.
        OnLogits on_logits; ///< Of the one with it.
    };
    /// One step: all works' tokens at once, at most max_batch in sum, with pages that sequences().fits() has found, and
    /// within the context; a sequence at most once. `in`: a row for each token, in host memory; none for the stage with
    /// the embedding. When `abort` becomes true before anything was handed out, or while rows of a work that wants all
    /// logits are made, the step is thrown away and no sequence has changed.
    Outcome step(std::span<const Work> works, device::Rows in, const Sinks& sinks,
                 const std::atomic<bool>* abort = nullptr);

private:
    struct Batch; ///< What one step is made of.

    Stage(std::shared_ptr<const model::Model> model, std::vector<std::unique_ptr<model::Shard>> shards,
          device::Backend& backend, const ContextOptions& options, ShardRange range);
    [[nodiscard]] Batch gather(std::span<const Work> works) const;
    void reserve(std::span<const Growth> growths);
    [[nodiscard]] device::Rows forward(const Batch& batch, device::Rows in);
    Outcome run_head(const Batch& batch, device::Rows x, const OnLogits& on_logits, const std::atomic<bool>* abort);

    std::shared_ptr<const model::Model> model_;
    std::vector<std::unique_ptr<model::Shard>> shards_; ///< On the device, those of the range.
    device::Backend& backend_;
    ContextOptions options_;
    ShardRange range_;
    std::vector<std::unique_ptr<device::KvStore>> stores_; ///< By shard of the range; null where it keeps nothing.
    KvSequences sequences_;
};

} // namespace constela::runtime
