// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/answer.h"

#include <algorithm>

namespace constela::runtime {

namespace {

double milliseconds(Clock::duration duration)
{
    return std::chrono::duration<double, std::milli>(duration).count();
}

} // namespace

Answer::Answer(AnswerId id, std::vector<std::int32_t> prompt, const GenerationOptions& options,
               const text::Tokenizer& tokenizer, std::size_t context, Clock::time_point asked)
    : id_(id), tokens_(std::move(prompt)), prompt_size_(tokens_.size()), most_tokens_(context),
      reason_at_most_(StopReason::context_full), tokenizer_(tokenizer), sampler_(options.sampling),
      wants_log_probabilities_(options.log_probabilities), stops_(options.stop), asked_(asked)
{
    if (options.max_tokens >= 0 && prompt_size_ + static_cast<std::size_t>(options.max_tokens) <= context) {
        most_tokens_ = prompt_size_ + static_cast<std::size_t>(options.max_tokens);
        reason_at_most_ = StopReason::max_tokens;
    }
    if (prompt_size_ >= most_tokens_) {
        stopped_ = reason_at_most_;
    }
    for (const std::int32_t token : tokens_) {
        sampler_.accept(token);
    }
    stats_.prompt_tokens = static_cast<std::uint32_t>(prompt_size_);
}

void Answer::begin_prefill(std::size_t reused)
{
    if (!prefill_began_) {
        prefill_began_ = Clock::now();
        stats_.reused_tokens = static_cast<std::uint32_t>(reused);
    }
}

const SampleRequest& Answer::next_choice()
{
    if (!next_choice_) {
        next_choice_ = sampler_.next();
        next_choice_->log_probability = wants_log_probabilities_;
    }
    return *next_choice_;
}

std::string Answer::extend(const Choice& choice)
{
    const std::int32_t token = choice.token;
    next_choice_.reset();
    sampler_.accept(token);
    tokens_.push_back(token);
    log_probabilities_.push_back(choice.log_probability);
    note_time();
    if (tokenizer_.is_end(token)) {
        stopped_ = StopReason::end_token;
        return {};
    }
    std::string shown = stops_.feed(characters_.feed(tokenizer_.bytes(token)));
    if (stops_.matched()) {
        stopped_ = StopReason::stop_string;
    } else if (tokens_.size() >= most_tokens_) {
        stopped_ = reason_at_most_;
    }
    return shown;
}

std::string Answer::finish()
{
    if (stops_.matched()) {
        return {};
    }
    std::string shown = stops_.feed(characters_.finish());
    if (!stops_.matched()) {
        shown += stops_.finish();
    }
    return shown;
}

void Answer::note_time()
{
    constexpr auto kRecent = std::chrono::seconds(1);
    const Clock::time_point now = Clock::now();
    if (!first_token_) {
        first_token_ = now;
        stats_.time_to_first_token_ms = milliseconds(now - asked_);
        stats_.prefill_ms = milliseconds(now - prefill_began_.value_or(asked_));
    }
    ++stats_.generated_tokens;
    stats_.decode_ms = milliseconds(now - *first_token_);
    recent_.push_back(now);
    // Keeps one that is older than a second, so that slow answers have a rate too.
    const auto young = std::find_if(recent_.begin(), recent_.end(), [&](auto when) { return now - when < kRecent; });
    if (young - recent_.begin() > 1) {
        recent_.erase(recent_.begin(), young - 1);
    }
}

double Answer::recent_tokens_per_second() const
{
    if (recent_.size() < 2) {
        return 0;
    }
    return static_cast<double>(recent_.size() - 1) * 1000.0 / milliseconds(recent_.back() - recent_.front());
}

} // namespace constela::runtime
