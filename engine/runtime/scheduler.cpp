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

Scheduler::Scheduler(Context& context, const text::Tokenizer& tokenizer, SchedulerEvents events,
                     std::chrono::milliseconds step_time)
    : context_(context), tokenizer_(tokenizer), events_(std::move(events)), prefixes_(context), step_time_(step_time)
{
}

Scheduler::~Scheduler()
{
    for (const Running& running : answers_) {
        if (running.sequence) {
            context_.close(*running.sequence);
        }
    }
}

Result<> Scheduler::add(AnswerId id, std::vector<std::int32_t> prompt, const GenerationOptions& options,
                        Clock::time_point asked)
{
    const std::size_t context = context_.options().context;
    if (prompt.empty()) {
        return failure("The prompt is empty; there is nothing to answer.");
    }
    const std::size_t trained = context_.model().config().context;
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
    const auto found = std::find_if(answers_.begin(), answers_.end(),
                                    [&](const Running& running) { return running.answer.id() == id; });
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
    return running.answer.tokens().size() - (running.sequence ? context_.length(*running.sequence) : 0);
}

/// Gives the oldest waiting answers a sequence, as long as there may be more.
void Scheduler::admit()
{
    const std::size_t most = context_.options().sequences;
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
            const std::size_t held = other.sequence ? context_.length(*other.sequence) : 0;
            const std::size_t shared =
                std::min(common_prefix(other.answer.tokens().first(held), running.answer.tokens()),
                         running.answer.tokens().size() - 1);
            if (shared >= context_.options().page_positions && context_.can_continue_at(*other.sequence, shared)) {
                running.sequence = context_.fork(*other.sequence, shared);
                break;
            }
        }
    }
    if (!running.sequence) {
        running.sequence = context_.open();
    }
    running.answer.begin_prefill(context_.length(*running.sequence));
}

/// How many tokens of prompts the next step takes, beside those of `decoding` answers.
std::size_t Scheduler::prompt_budget(std::size_t decoding) const
{
    const std::size_t most = context_.options().max_batch;
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
std::vector<Scheduler::Running*> Scheduler::plan(std::vector<Work>& works)
{
    const std::size_t most = context_.options().max_batch;
    std::vector<Running*> chosen;
    std::size_t decoding = 0;
    const auto choose = [&](Running& running, std::size_t count) {
        const std::size_t held = context_.length(*running.sequence);
        const bool reaches_end = held + count == running.answer.tokens().size();
        works.push_back(
            {*running.sequence, running.answer.tokens().subspan(held, count), reaches_end ? Want::last : Want::none});
        chosen.push_back(&running);
    };
    for (Running& running : answers_) {
        if (running.sequence && pending(running) == 1 && decoding < most) {
            choose(running, 1);
            ++decoding;
        }
    }
    std::size_t budget = prompt_budget(decoding);
    for (Running& running : answers_) {
        if (running.sequence && pending(running) > 1 && budget > 0) {
            const std::size_t count = std::min(budget, pending(running));
            choose(running, count);
            budget -= count;
        }
    }
    return chosen;
}

/// Frees pages until the step fits, or makes it smaller. False where it must be planned anew.
bool Scheduler::make_room(std::vector<Running*>& chosen, std::vector<Work>& works)
{
    while (!context_.fits(works)) {
        if (prefixes_.evict()) {
            continue;
        }
        // The youngest answer waits until others have ended.
        const auto youngest = std::find_if(answers_.rbegin(), answers_.rend(),
                                           [](const Running& running) { return running.sequence.has_value(); });
        context_.close(*youngest->sequence);
        youngest->sequence.reset();
        crowded_ = true;
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            if (chosen[i] == &*youngest) {
                chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(i));
                works.erase(works.begin() + static_cast<std::ptrdiff_t>(i));
                break;
            }
        }
        if (works.empty()) {
            return false;
        }
    }
    return true;
}

void Scheduler::step(const std::atomic<bool>* abort)
{
    // Those that ask for no token at all.
    for (auto next = answers_.begin(); next != answers_.end();) {
        const auto running = next++;
        if (running->answer.stopped()) {
            end(running, *running->answer.stopped());
        }
    }
    admit();
    std::vector<Work> works;
    std::vector<Running*> chosen = plan(works);
    if (works.empty() || !make_room(chosen, works)) {
        return;
    }
    const auto began = Clock::now();
    bool first = true;
    const auto outcome = context_.step(
        works,
        [&](std::size_t work, std::size_t, std::span<const float> logits) {
            if (std::exchange(first, false) && events_.before_tokens) {
                events_.before_tokens();
            }
            Answer& answer = chosen[work]->answer;
            const std::string text = answer.extend(logits);
            if (!text.empty()) {
                events_.on_text(answer.id(), text);
            }
        },
        abort);
    if (outcome == Context::Outcome::aborted) {
        return;
    }
    std::size_t tokens = 0;
    for (const Work& work : works) {
        tokens += work.tokens.size();
    }
    if (tokens >= kSmallestPiece && tokens > works.size()) { // a prompt was in it
        prompt_rate_ = static_cast<double>(tokens) / std::chrono::duration<double>(Clock::now() - began).count();
    }
    for (auto next = answers_.begin(); next != answers_.end();) {
        const auto running = next++;
        if (running->answer.stopped()) {
            end(running, *running->answer.stopped());
        }
    }
}

void Scheduler::end(Iterator running, StopReason reason)
{
    crowded_ = false;
    Answer& answer = running->answer;
    const std::string text = answer.finish();
    if (!text.empty()) {
        events_.on_text(answer.id(), text);
    }
    if (running->sequence) {
        prefixes_.keep(*running->sequence, answer.tokens().first(context_.length(*running->sequence)));
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
        const std::size_t held = running.sequence ? context_.length(*running.sequence) : 0;
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
