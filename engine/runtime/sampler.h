// SPDX-License-Identifier: GPL-3.0-or-later
//
// Chooses the next token from its logits. The order of the steps stands in generation.h.
// Sources: repetition penalty, Keskar et al. 2019 (CTRL); nucleus (top-p), Holtzman et al. 2020; min-p, Nguyen et al.
// 2024; presence and frequency penalties as in OpenAI's interface.
#pragma once

#include "engine/base/result.h"
#include "engine/runtime/generation.h"

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace constela::runtime {

/// A sentence for the first value that cannot be.
[[nodiscard]] Result<> check(const SamplingOptions& options);

/// The natural logarithm of the probability that the model itself, without any option, gives a token: of the softmax of
/// its logits. NaN counts as a token that never comes; so does an id that there is not.
[[nodiscard]] double log_probability(std::span<const float> logits, std::int32_t token);

/// All that the choice of one token depends on beside its logits, so that it can be made wherever these are.
struct SampleRequest {
    SamplingOptions options; ///< Its seed plays no part.
    double uniform = 0;      ///< The random number, in [0, 1); without temperature it is not looked at.
    std::vector<std::pair<std::int32_t, std::uint32_t>> counts; ///< How often the penalties count each token.
    bool log_probability = false;                               ///< Whether it is wanted.
};

struct Choice {
    std::int32_t token = 0;
    double log_probability = 0; ///< As log_probability() gives it; 0 where it was not wanted.
};

/// NaN is never chosen while there is a number; of equals that are the best, greedy takes the lowest id. 0 where there
/// is nothing to choose from. Threads: any.
[[nodiscard]] Choice choose(const SampleRequest& request, std::span<const float> logits);

/// The same options, seed and logits give the same tokens, on every system. Threads: one.
class Sampler {
public:
    explicit Sampler(const SamplingOptions& options);

    /// Tells of a token of the prompt or of the answer, which the penalties then count.
    void accept(std::int32_t token);
    /// What the next choice depends on. Each call draws another random number.
    [[nodiscard]] SampleRequest next();
    /// The next token.
    [[nodiscard]] std::int32_t sample(std::span<const float> logits) { return choose(next(), logits).token; }

private:
    [[nodiscard]] double uniform();

    SamplingOptions options_;
    std::uint64_t state_;                                    ///< Of the generator.
    std::deque<std::int32_t> recent_;                        ///< What the penalties look at, oldest first.
    std::unordered_map<std::int32_t, std::uint32_t> counts_; ///< Of each token in it.
};

} // namespace constela::runtime
