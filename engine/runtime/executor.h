// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who carries out the steps that a scheduler plans: one device, or a pipeline of several. Several steps may be under
// way at once where there are several stages; they are carried out, and their outcomes come, in the order in which they
// were submitted.
#pragma once

#include "engine/base/result.h"
#include "engine/runtime/sampler.h"
#include "engine/runtime/stage.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace constela::runtime {

/// Tokens to be appended to a sequence; with `choose` the token after them is chosen.
struct PlannedWork {
    SequenceId sequence = 0;
    std::span<const std::int32_t> tokens;
    const SampleRequest* choose = nullptr;
};

/// Threads: one.
class Executor {
public:
    virtual ~Executor() = default;
    Executor() = default;
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    [[nodiscard]] virtual const model::Config& config() const = 0;
    [[nodiscard]] virtual const ContextOptions& options() const = 0;

    // As Context has them; a sequence's length counts what was submitted.
    [[nodiscard]] virtual SequenceId open() = 0;
    virtual void close(SequenceId sequence) = 0;
    [[nodiscard]] virtual std::size_t length(SequenceId sequence) const = 0;
    [[nodiscard]] virtual bool can_continue_at(SequenceId sequence, std::size_t length) const = 0;
    [[nodiscard]] virtual SequenceId fork(SequenceId from, std::size_t length) = 0;
    [[nodiscard]] virtual bool fits(std::span<const PlannedWork> works) const = 0;

    /// How many devices the work passes through.
    [[nodiscard]] virtual std::size_t stages() const = 0;
    /// How many steps may be under way at once.
    [[nodiscard]] virtual std::size_t depth() const = 0;
    /// Tokens of a prompt that a step should take at most, so that all stages have work; `length` is the prompt's.
    [[nodiscard]] virtual std::size_t piece(std::size_t length) const = 0;
    /// Begins a step, for which fits() has found room. The requests are copied.
    virtual void submit(std::span<const PlannedWork> works) = 0;

    struct Chosen {
        std::size_t work = 0; ///< Of the step's works.
        Choice choice;
    };
    struct Outcome {
        enum class State : std::uint8_t {
            done,    ///< The oldest step is.
            aborted, ///< The oldest step was thrown away: nothing has changed.
            pending, ///< `abort` was set, but the oldest step goes on; ask again.
        };
        State state = State::done;
        std::vector<Chosen> chosen;
    };
    /// Waits for the oldest step. An error ends everything: no step after it will be done.
    [[nodiscard]] virtual Result<Outcome> collect(const std::atomic<bool>* abort) = 0;
};

} // namespace constela::runtime
