// SPDX-License-Identifier: GPL-3.0-or-later
//
// One answer in the making: its tokens so far, how the next is chosen, what text they are, and when it ends.
#pragma once

#include "engine/runtime/generation.h"
#include "engine/runtime/sampler.h"
#include "engine/runtime/stop_strings.h"
#include "engine/text/tokenizer.h"
#include "engine/text/utf8_stream.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace constela::runtime {

using AnswerId = std::uint64_t;
using Clock = std::chrono::steady_clock;

/// Threads: one.
class Answer {
public:
    /// `context`: positions that prompt and answer may take together; the prompt is shorter. The tokenizer must outlive
    /// the answer.
    Answer(AnswerId id, std::vector<std::int32_t> prompt, const GenerationOptions& options,
           const text::Tokenizer& tokenizer, std::size_t context, Clock::time_point asked);

    [[nodiscard]] AnswerId id() const { return id_; }
    /// The prompt and what was generated.
    [[nodiscard]] std::span<const std::int32_t> tokens() const { return tokens_; }
    [[nodiscard]] std::span<const std::int32_t> generated() const { return tokens().subspan(prompt_size_); }
    [[nodiscard]] std::size_t prompt_size() const { return prompt_size_; }
    [[nodiscard]] std::optional<StopReason> stopped() const { return stopped_; }

    /// How the next token is to be chosen; the same until extend().
    [[nodiscard]] const SampleRequest& next_choice();
    /// Takes the token that was chosen. Returns the text that may be shown now.
    std::string extend(const Choice& choice);
    [[nodiscard]] bool wants_log_probabilities() const { return wants_log_probabilities_; }
    /// By token of generated(); 0 each where they were not wanted.
    [[nodiscard]] std::span<const double> log_probabilities() const { return log_probabilities_; }
    /// The text that was held back, when nothing more will come.
    std::string finish();

    // What it cost.
    void begin_prefill(std::size_t reused);
    [[nodiscard]] const GenerationStats& stats() const { return stats_; }
    /// Over about the last second; 0 before there are two tokens.
    [[nodiscard]] double recent_tokens_per_second() const;

private:
    void note_time();

    AnswerId id_;
    std::vector<std::int32_t> tokens_;
    std::size_t prompt_size_;
    std::size_t most_tokens_; ///< Prompt included.
    StopReason reason_at_most_;
    const text::Tokenizer& tokenizer_;
    Sampler sampler_;
    std::optional<SampleRequest> next_choice_;
    bool wants_log_probabilities_;
    std::vector<double> log_probabilities_;
    text::Utf8Stream characters_;
    StopStrings stops_;
    std::optional<StopReason> stopped_;

    GenerationStats stats_;
    Clock::time_point asked_;
    std::optional<Clock::time_point> prefill_began_;
    std::optional<Clock::time_point> first_token_;
    std::vector<Clock::time_point> recent_; ///< When the newest tokens came, oldest first.
};

} // namespace constela::runtime
