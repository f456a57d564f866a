// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a person may ask of a generation, and what ends one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace constela::runtime {

/// How the next token is chosen. Applied in this order: logit bias, penalties, temperature, top-k, top-p, min-p, draw.
struct SamplingOptions {
    float temperature = 0.8F;    ///< 0: greedy.
    int top_k = 40;              ///< 0: all.
    float top_p = 0.95F;         ///< 1: all.
    float min_p = 0.05F;         ///< 0: all.
    float repeat_penalty = 1.0F; ///< 1: none.
    float presence_penalty = 0.0F;
    float frequency_penalty = 0.0F;
    int penalty_window = 64; ///< How many of the last tokens the penalties look at; -1: all.
    std::map<std::int32_t, float> logit_bias;
    std::optional<std::uint64_t> seed; ///< Same seed, same text; none: a fresh one.
};

struct GenerationOptions {
    SamplingOptions sampling;
    int max_tokens = -1;            ///< -1: until the context is full.
    std::vector<std::string> stop;  ///< Text that ends the answer; it is not part of it.
    bool log_probabilities = false; ///< Whether those of the chosen tokens are wanted.
};

enum class StopReason { end_token, stop_string, max_tokens, context_full, cancelled, failed };

[[nodiscard]] constexpr std::string_view stop_reason_name(StopReason reason)
{
    switch (reason) {
    case StopReason::end_token: return "end_token";
    case StopReason::stop_string: return "stop_string";
    case StopReason::max_tokens: return "max_tokens";
    case StopReason::context_full: return "context_full";
    case StopReason::cancelled: return "cancelled";
    case StopReason::failed: return "failed";
    }
    return "";
}

/// What an answer cost.
struct GenerationStats {
    std::uint32_t prompt_tokens = 0;
    std::uint32_t reused_tokens = 0; ///< Of those, found in the cache.
    std::uint32_t generated_tokens = 0;
    double time_to_first_token_ms = 0; ///< From asking to the first token.
    double prefill_ms = 0;
    double decode_ms = 0;

    /// Tokens after the first, per second of decoding; 0 where there was no second token.
    [[nodiscard]] double tokens_per_second() const
    {
        return generated_tokens > 1 && decode_ms > 0 ? (generated_tokens - 1) * 1000.0 / decode_ms : 0.0;
    }
};

} // namespace constela::runtime
