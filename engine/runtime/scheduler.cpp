// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/scheduler.h"

#include <algorithm>
#include <utility>

namespace constela::runtime {

namespace {

/// The first piece of a prompt, from which the speed is measured, and the smallest one: below, the weights are read
/// more often than it pays.
constexpr std::size_t kFirstPiece = 64;
constexpr std::size_t kSmallestPiece = 16;

} // namespace

Scheduler::Scheduler(Executor& executor, const text::Tokenizer& tokenizer, SchedulerEvents events,
                     std::chrono::milliseconds step_time)
    : executor_(executor), tokenizer_(tokenizer), events_(std::move(events)), prefixes_(executor), step_time_(step_time)
{
}

Scheduler::~Scheduler()
{
    for (const Running& running : answers_) {
        if (running.sequence) {
            executor_.close(*running.sequence);
        }
    }
}

Result<> Scheduler::add(AnswerId id, std::vector<std::int32_t> prompt, const GenerationOptions& options,
                        Clock::time_point asked)
{
    const std::size_t context = executor_.options().context;
    if (prompt.empty()) {
        return failure("The prompt is empty; there is nothing to answer.");
    }
    const std::size_t trained = executor_.config().context;
    if (prompt.size() >= context) {
        if (context >= trained) {
            return failure(
                "The prompt has {} tokens, but this model was made for contexts of {} and the answer needs room "
                "too. Shorten the prompt, or choose a model that was made for longer ones.",
                prompt.size(), trained);
        }
        return failure("The prompt has {} tokens, but the context holds only {} and the answer needs room too. "
                       "Shorten the prompt, or load the model with a longer context.",
                       prompt.size(), context);
    }
    CONSTELA_TRY(check(options.sampling));
    answers_.push_back({Answer(id, std::move(prompt), options, tokenizer_, context, asked), std::nullopt});
    return {};
}

void Scheduler::cancel(AnswerId id)
{
    const auto found = find(id);
    if (found != answers_.end()) {
        end(found, StopReason::cancelled);
    }
}

void Scheduler::end_all(StopReason reason)
{
    while (!answers_.empty()) {
        end(answers_.begin(), reason);
    }
}

std::size_t Scheduler::pending(const Running& running) const
{
    return running.answer.tokens().size() - (running.sequence ? executor_.length(*running.sequence) : 0);
}

/// Gives the oldest waiting answers a sequence, as long as there may be more.
void Scheduler::admit()
{
    const std::size_t most = executor_.options().sequences;
    auto active = static_cast<std::size_t>(std::count_if(
        answers_.begin(), answers_.end(), [](const Running& running) { return running.sequence.has_value(); }));
    for (Running& running : answers_) {
        if (active == most || (crowded_ && active > 0)) {
            return;
        }
        if (!running.sequence) {
            start(running);
            ++active;
        }
    }
}

void Scheduler::start(Running& running)
{
    running.sequence = prefixes_.take(running.answer.tokens());
    if (!running.sequence) {
        // An answer that is under way may share a prefix too, a system prompt for example.
        for (const Running& other : answers_) {
            const std::size_t held = other.sequence ? executor_.length(*other.sequence) : 0;
            const std::size_t shared =
                std::min(common_prefix(other.answer.tokens().first(held), running.answer.tokens()),
                         running.answer.tokens().size() - 1);
            if (shared >= executor_.options().page_positions && executor_.can_continue_at(*other.sequence, shared)) {
                running.sequence = executor_.fork(*other.sequence, shared);
                break;
            }
        }
    }
    if (!running.sequence) {
        running.sequence = executor_.open();
    }
    running.answer.begin_prefill(executor_.length(*running.sequence));
}

/// How many tokens of prompts the next step takes, beside those of `decoding` answers.
std::size_t Scheduler::prompt_budget(std::size_t decoding) const
{
    const std::size_t most = executor_.options().max_batch;
    // A long prompt must not make those wait long who are being answered.
    std::size_t budget = decoding == 0 ? most : std::min(most - decoding, std::max<std::size_t>(most / 4, 1));
    if (step_time_.count() > 0) {
        const double seconds = std::chrono::duration<double>(step_time_).count() / (decoding == 0 ? 1 : 2);
        const auto piece = prompt_rate_ == 0 ? kFirstPiece : static_cast<std::size_t>(prompt_rate_ * seconds);
        budget = std::min(budget, std::max(piece, kSmallestPiece));
    }
    return budget;
}

/// What the next step does: decoding answers first, then as much of the prompts as fits.
Scheduler::Step Scheduler::plan()
{
    const std::size_t most = executor_.options().max_batch;
    Step step;
    const auto choose = [&](Running& running, std::size_t count) {
        const std::size_t held = executor_.length(*running.sequence);
        const bool reaches_end = held + count == running.answer.tokens().size();
        step.works.push_back({*running.sequence, running.answer.tokens().subspan(held, count),
                              reaches_end ? &running.answer.next_choice() : nullptr});
        step.answers.push_back(running.answer.id());
        step.tokens += count;
    };
    const auto decodes = [&](const Running& running) {
        return running.sequence && pending(running) == 1 && !running.answer.stopped();
    };
    // Where several steps are under way, each takes its part of the answers, so that all stages have work.
    const auto decoding =
        static_cast<std::size_t>(std::count_if(answers_.begin(), answers_.end(), [&](const Running& running) {
            return running.sequence && pending(running) <= 1;
        }));
    const std::size_t share = std::min(most, (decoding + executor_.stages() - 1) / executor_.stages());
    for (Running& running : answers_) {
        if (decodes(running) && step.works.size() < std::max<std::size_t>(share, 1)) {
            choose(running, 1);
        }
    }
    std::size_t budget = prompt_budget(step.works.size());
    for (Running& running : answers_) {
        if (running.sequence && pending(running) > 1 && budget > 0) {
            const std::size_t piece = executor_.piece(running.answer.tokens().size());
            const std::size_t count = std::min({budget, pending(running), piece});
            choose(running, count);
            budget -= count;
        }
    }
    return step;
}

/// Frees pages until the step fits, or makes it smaller. False where it must be planned anew.
bool Scheduler::make_room(Step& step)
{
    while (!executor_.fits(step.works)) {
        if (prefixes_.evict()) {
            continue;
        }
        // The youngest answer waits until others have ended.
        const auto youngest = std::find_if(answers_.rbegin(), answers_.rend(),
                                           [](const Running& running) { return running.sequence.has_value(); });
        executor_.close(*youngest->sequence);
        youngest->sequence.reset();
        crowded_ = true;
        const auto found = std::find(step.answers.begin(), step.answers.end(), youngest->answer.id());
        if (found != step.answers.end()) {
            const auto at = found - step.answers.begin();
            step.tokens -= step.works[static_cast<std::size_t>(at)].tokens.size();
            step.answers.erase(found);
            step.works.erase(step.works.begin() + at);
        }
        if (step.works.empty()) {
            return false;
        }
    }
    return true;
}

void Scheduler::submit_steps()
{
    while (under_way_.size() < executor_.depth()) {
        admit();
        Step step = plan();
        if (step.works.empty() || !make_room(step)) {
            return;
        }
        step.began = Clock::now();
        executor_.submit(step.works);
        under_way_.push_back(std::move(step));
    }
}

/// Tells what a step has given.
void Scheduler::take(const Step& step, const Executor::Outcome& outcome)
{
    if (!outcome.chosen.empty() && events_.before_tokens) {
        events_.before_tokens();
    }
    for (const Executor::Chosen& chosen : outcome.chosen) {
        const auto running = find(step.answers[chosen.work]);
        if (running == answers_.end()) {
            continue; // it has ended meanwhile
        }
        const std::string text = running->answer.extend(chosen.choice);
        if (!text.empty()) {
            events_.on_text(running->answer, text);
        }
    }
    if (step.tokens >= kSmallestPiece && step.tokens > step.works.size()) { // a prompt was in it
        prompt_rate_ =
            static_cast<double>(step.tokens) / std::chrono::duration<double>(Clock::now() - step.began).count();
    }
}

Result<> Scheduler::step(const std::atomic<bool>* abort)
{
    end_stopped(); // those that ask for no token at all
    submit_steps();
    if (under_way_.empty()) {
        return {};
    }
    CONSTELA_ASSIGN(const Executor::Outcome outcome, executor_.collect(abort));
    if (outcome.state == Executor::Outcome::State::pending) {
        return {};
    }
    const Step step = std::move(under_way_.front());
    under_way_.pop_front();
    if (outcome.state == Executor::Outcome::State::done) {
        take(step, outcome);
        end_stopped();
    }
    return {};
}

void Scheduler::end_stopped()
{
    for (auto next = answers_.begin(); next != answers_.end();) {
        const auto running = next++;
        if (running->answer.stopped()) {
            end(running, *running->answer.stopped());
        }
    }
}

Scheduler::Iterator Scheduler::find(AnswerId id)
{
    return std::find_if(answers_.begin(), answers_.end(),
                        [&](const Running& running) { return running.answer.id() == id; });
}

void Scheduler::end(Iterator running, StopReason reason)
{
    crowded_ = false;
    Answer& answer = running->answer;
    const std::string text = answer.finish();
    if (!text.empty()) {
        events_.on_text(answer, text);
    }
    if (running->sequence) {
        prefixes_.keep(*running->sequence, answer.tokens().first(executor_.length(*running->sequence)));
    }
    // It is out of the list before anybody is told.
    std::list<Running> ended;
    ended.splice(ended.begin(), answers_, running);
    events_.on_end(ended.front().answer, reason);
}

std::vector<AnswerProgress> Scheduler::progress() const
{
    std::vector<AnswerProgress> all;
    for (const Running& running : answers_) {
        const Answer& answer = running.answer;
        const std::size_t held = running.sequence ? executor_.length(*running.sequence) : 0;
        AnswerProgress one;
        one.id = answer.id();
        one.prompt_done = std::min(held, answer.prompt_size());
        one.stats = answer.stats();
        one.tokens_per_second = answer.recent_tokens_per_second();
        if (!answer.generated().empty()) {
            one.state = AnswerProgress::State::decoding;
        } else if (running.sequence) {
            one.state = AnswerProgress::State::prefill;
        }
        all.push_back(one);
    }
    return all;
}

} // namespace constela::runtime
