// SPDX-License-Identifier: GPL-3.0-or-later
//
// A model on a backend with its KV cache: sequences are opened, fed tokens and read logits from. Everything above
// (batching, sampling) is built on this.
//
// What a token's logits are depends on the tokens of its own sequence alone: not on what else is in the step, on how
// the sequence was cut into steps, or on the number of threads.
#pragma once

#include "engine/base/result.h"
#include "engine/device/backend.h"
#include "engine/model/model.h"
#include "engine/runtime/page_table.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace constela::runtime {

struct ContextOptions {
    std::size_t context = 0;   ///< Positions that one sequence may have.
    std::size_t positions = 0; ///< Positions of all sequences together; at least `context`. 0: `context`.
    std::size_t sequences = 1; ///< How many sequences are expected at once; sizes what windows keep.
    kernels::KvType kv_type = kernels::KvType::f16;
    std::size_t max_batch = 512; ///< Tokens of a step.
    std::size_t page_positions = 64;
};

/// Bytes that a context of these options takes beside the weights.
struct ContextMemory {
    std::size_t kv = 0;
    std::size_t workspace = 0;
};
[[nodiscard]] ContextMemory context_memory(const model::Model& model, const ContextOptions& options);

using SequenceId = std::uint32_t;

enum class Want : std::uint8_t { none, last, all };

/// Tokens to be appended to a sequence, and of which of them the logits are wanted.
struct Work {
    SequenceId sequence = 0;
    std::span<const std::int32_t> tokens;
    Want want = Want::last;
};

/// Called for each token whose logits were wanted, in order. The row is valid during the call.
using OnLogits = std::function<void(std::size_t work, std::size_t token, std::span<const float> logits)>;

/// Threads: one, the one that owns the backend.
class Context {
public:
    /// Told while weights are placed on the device, of how many bytes more; an error ends it.
    using OnPlaced = std::function<Result<>(std::size_t bytes)>;

    /// Places the model on the backend's device. Fails where the type of the KV cache does not suit the model, where
    /// the file changed meanwhile, and with the error of `on_placed`.
    [[nodiscard]] static Result<std::unique_ptr<Context>> create(
        std::shared_ptr<const model::Model> model, device::Backend& backend, const ContextOptions& options,
        const OnPlaced& on_placed = [](std::size_t) { return Result<>(); });
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    [[nodiscard]] const model::Model& model() const { return *model_; }
    [[nodiscard]] const ContextOptions& options() const { return options_; }

    [[nodiscard]] SequenceId open();
    /// Gives the sequence's pages back.
    void close(SequenceId sequence);
    /// Tokens that the sequence holds.
    [[nodiscard]] std::size_t length(SequenceId sequence) const;

    /// Whether the sequence can be cut to, or forked at, `length` positions: false once a window has moved on too far.
    [[nodiscard]] bool can_continue_at(SequenceId sequence, std::size_t length) const;
    void truncate(SequenceId sequence, std::size_t length);
    /// A new sequence that shares the first `length` positions; can_continue_at(from, length) must hold.
    [[nodiscard]] SequenceId fork(SequenceId from, std::size_t length);

    /// Whether there are pages for all of `works` in one step.
    [[nodiscard]] bool fits(std::span<const Work> works) const;

    enum class Outcome : std::uint8_t { done, aborted };
    /// One step: all works' tokens at once, at most max_batch in sum, with pages that fits() has found, and within the
    /// context; a sequence at most once. When `abort` becomes true before any logits were handed out, or while rows of
    /// a work that wants all of them are made, the step is thrown away and no sequence has changed.
    Outcome step(std::span<const Work> works, const OnLogits& on_logits, const std::atomic<bool>* abort = nullptr);

    /// Feeds any number of tokens to one sequence, in steps of at most max_batch; on_logits' token counts from the
    /// first. Fails when the context or the pages do not suffice.
    Result<> feed(SequenceId sequence, std::span<const std::int32_t> tokens, Want want, const OnLogits& on_logits);

private:
    struct Sequence {
        std::size_t length = 0;
        std::array<PageTable, model::kReaches> tables;
    };
    struct Batch; ///< What one step is made of.

    Context(std::shared_ptr<const model::Model> model, std::vector<std::unique_ptr<model::Shard>> shards,
            device::Backend& backend, const ContextOptions& options);
    void reserve(std::span<const Work> works);
    Outcome run_head(const Batch& batch, device::Rows x, const OnLogits& on_logits, const std::atomic<bool>* abort);

    std::shared_ptr<const model::Model> model_;
    std::vector<std::unique_ptr<model::Shard>> shards_; ///< On the device.
    device::Backend& backend_;
    ContextOptions options_;
    std::array<PagePool, model::kReaches> pools_;
    std::vector<std::unique_ptr<device::KvStore>> stores_; ///< By shard; null where it keeps nothing.
    std::map<SequenceId, Sequence> sequences_;
    SequenceId next_ = 1;
};

} // namespace constela::runtime
