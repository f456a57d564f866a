// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several answers at once over one model (continuous batching: Yu et al. 2022, Orca). Each step takes one token of
// every answer that is being decoded and fills up with pieces of prompts; answers come and go between steps.
//
// When the pages do not suffice, first the kept prefixes go, then the youngest answers wait: their tokens stay, their
// keys and values are computed again later. That changes no token.
#pragma once

#include "engine/base/result.h"
#include "engine/runtime/answer.h"
#include "engine/runtime/executor.h"
#include "engine/runtime/prefix_cache.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

namespace constela::runtime {

struct AnswerProgress {
    enum class State : std::uint8_t { queued, prefill, decoding };
    AnswerId id = 0;
    State state = State::queued;
    std::size_t prompt_done = 0;
    GenerationStats stats;
    double tokens_per_second = 0;
};

/// Called during step() and cancel(), on their thread.
struct SchedulerEvents {
    std::function<void(const Answer& answer, const std::string& text)> on_text; ///< Whole characters.
    std::function<void(const Answer& answer, StopReason reason)> on_end;
    /// Before tokens are chosen from what a step has computed; may throw, and then nobody is told of any. May be empty.
    std::function<void()> before_tokens{};
};

/// Threads: one, the executor's.
class Scheduler {
public:
    /// executor and tokenizer must outlive the scheduler. `step_time`: how long a step over prompts should take at
    /// most; pieces of prompts become as small as the measured speed asks for, which changes no token. 0: as much as
    /// fits.
    Scheduler(Executor& executor, const text::Tokenizer& tokenizer, SchedulerEvents events,
              std::chrono::milliseconds step_time = {});
    ~Scheduler();
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;

    /// Queues an answer. Fails, with the numbers, when the prompt does not fit into the context.
    /// `asked`: when the person did, from which the time to the first token counts.
    Result<> add(AnswerId id, std::vector<std::int32_t> prompt, const GenerationOptions& options,
                 Clock::time_point asked = Clock::now());
    /// Ends an answer as cancelled; nothing happens when there is none of this id.
    void cancel(AnswerId id);
    /// Ends all of them, for this reason.
    void end_all(StopReason reason);

    [[nodiscard]] bool idle() const { return answers_.empty(); }
    /// Begins as many steps as may be under way, each for as many answers as have room, and waits for the oldest. When
    /// `abort` becomes true it returns soon; the next call does again, or waits for, what was not finished. An error
    /// means that the executor is of no use any more.
    Result<> step(const std::atomic<bool>* abort = nullptr);

    [[nodiscard]] std::vector<AnswerProgress> progress() const;

private:
    struct Running {
        Answer answer;
        std::optional<SequenceId> sequence; ///< None while it waits.
    };
    using Iterator = std::list<Running>::iterator;
    /// A step that is to be submitted, or was.
    struct Step {
        std::vector<PlannedWork> works; ///< Their tokens and requests are looked at until it is submitted.
        std::vector<AnswerId> answers;  ///< By work; they may have ended since.
        std::size_t tokens = 0;
        Clock::time_point began{};
    };

    void admit();
    void start(Running& running);
    [[nodiscard]] Step plan();
    [[nodiscard]] std::size_t prompt_budget(std::size_t decoding) const;
    [[nodiscard]] std::size_t pending(const Running& running) const;
    bool make_room(Step& step);
    void submit_steps();
    void take(const Step& step, const Executor::Outcome& outcome);
    void end_stopped();
    void end(Iterator running, StopReason reason);
    [[nodiscard]] Iterator find(AnswerId id);

    Executor& executor_;
    const text::Tokenizer& tokenizer_;
    SchedulerEvents events_;
    PrefixCache prefixes_;
    std::list<Running> answers_; ///< Oldest first.
    std::deque<Step> under_way_; ///< Oldest first.
    std::chrono::milliseconds step_time_;
    double prompt_rate_ = 0; ///< Tokens a second in the last step over a prompt; 0: not measured.
    bool crowded_ = false;   ///< Pages ran out: nobody new begins until somebody has ended.
};

} // namespace constela::runtime
