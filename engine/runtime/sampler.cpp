// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace constela::runtime {

namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

std::uint64_t fresh_seed()
{
    std::random_device device;
    return (std::uint64_t{device()} << 32U) | device();
}

/// The first of the best; 0 where there is no number at all.
std::int32_t best_of(std::span<const float> logits)
{
    std::size_t best = 0;
    float most = kNever;
    for (std::size_t id = 0; id < logits.size(); ++id) {
        if (logits[id] > most) {
            most = logits[id];
            best = id;
        }
    }
    return static_cast<std::int32_t>(best);
}

/// How many of the candidates, best first, stay: the fewest that reach top_p together, of at least min_p of the best.
std::size_t kept(std::span<const double> weights, double sum, const SamplingOptions& options)
{
    const double enough = static_cast<double>(options.top_p) * sum;
    const double least = static_cast<double>(options.min_p) * weights.front();
    double reached = 0;
    std::size_t count = 0;
    while (count < weights.size() && (count == 0 || (reached < enough && weights[count] >= least))) {
        reached += weights[count];
        ++count;
    }
    return count;
}

} // namespace

Result<> check(const SamplingOptions& options)
{
    const auto outside = [](float value, float low, float high) { return !(value >= low && value <= high); };
    if (outside(options.temperature, 0.0F, 1000.0F)) {
        return failure("The temperature is {}; a number from 0 to 1000 was expected.", options.temperature);
    }
    if (options.top_k < 0) {
        return failure("top-k is {}; 0 (all) or more was expected.", options.top_k);
    }
    if (outside(options.top_p, std::numeric_limits<float>::min(), 1.0F)) {
        return failure("top-p is {}; more than 0 and at most 1 was expected.", options.top_p);
    }
    if (outside(options.min_p, 0.0F, 1.0F)) {
        return failure("min-p is {}; a number from 0 to 1 was expected.", options.min_p);
    }
    if (outside(options.repeat_penalty, 0.01F, 100.0F)) {
        return failure("The repetition penalty is {}; a number from 0.01 to 100 was expected (1: none).",
                       options.repeat_penalty);
    }
    if (outside(options.presence_penalty, -100.0F, 100.0F) || outside(options.frequency_penalty, -100.0F, 100.0F)) {
        return failure("The presence penalty is {} and the frequency penalty {}; numbers from -100 to 100 were "
                       "expected (0: none).",
                       options.presence_penalty, options.frequency_penalty);
    }
    if (options.penalty_window < -1) {
        return failure("The penalties are to look at {} tokens; -1 (all) or more was expected.",
                       options.penalty_window);
    }
    return {};
}

Sampler::Sampler(const SamplingOptions& options)
    : options_(options), state_(options.seed ? *options.seed : fresh_seed())
{
}

void Sampler::accept(std::int32_t token)
{
    recent_.push_back(token);
    ++counts_[token];
    if (options_.penalty_window >= 0 && recent_.size() > static_cast<std::size_t>(options_.penalty_window)) {
        const auto oldest = counts_.find(recent_.front());
        if (--oldest->second == 0) {
            counts_.erase(oldest);
        }
        recent_.pop_front();
    }
}

std::int32_t Sampler::sample(std::span<const float> logits)
{
    const bool penalties =
        options_.repeat_penalty != 1.0F || options_.presence_penalty != 0.0F || options_.frequency_penalty != 0.0F;
    std::vector<float> changed;
    if (!options_.logit_bias.empty() || (penalties && !counts_.empty())) {
        changed.assign(logits.begin(), logits.end());
        bias_and_penalise(changed);
        logits = changed;
    }
    return options_.temperature <= 0.0F ? best_of(logits) : draw(logits);
}

void Sampler::bias_and_penalise(std::vector<float>& logits) const
{
    const auto known = [&](std::int32_t id) { return id >= 0 && static_cast<std::size_t>(id) < logits.size(); };
    for (const auto& [id, bias] : options_.logit_bias) {
        if (known(id)) {
            logits[static_cast<std::size_t>(id)] += bias;
        }
    }
    for (const auto& [id, count] : counts_) {
        if (known(id)) {
            float& logit = logits[static_cast<std::size_t>(id)];
            logit = logit > 0 ? logit / options_.repeat_penalty : logit * options_.repeat_penalty;
            logit -= options_.presence_penalty + options_.frequency_penalty * static_cast<float>(count);
        }
    }
}

std::int32_t Sampler::draw(std::span<const float> logits)
{
    const std::int32_t best = best_of(logits);
    const float most = logits[static_cast<std::size_t>(best)];
    if (!std::isfinite(most)) {
        return best;
    }
    std::vector<Candidate> candidates;
    for (std::size_t id = 0; id < logits.size(); ++id) {
        // What min-p will drop need not be sorted. NaN fails the comparison too.
        const double relative =
            (static_cast<double>(logits[id]) - static_cast<double>(most)) / static_cast<double>(options_.temperature);
        if (relative >= -80 && std::exp(relative) >= static_cast<double>(options_.min_p)) {
            candidates.push_back({logits[id], static_cast<std::int32_t>(id)});
        }
    }
    const auto better = [](const Candidate& a, const Candidate& b) {
        return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
    };
    if (options_.top_k > 0 && candidates.size() > static_cast<std::size_t>(options_.top_k)) {
        std::partial_sort(candidates.begin(), candidates.begin() + options_.top_k, candidates.end(), better);
        candidates.resize(static_cast<std::size_t>(options_.top_k));
    } else {
        std::sort(candidates.begin(), candidates.end(), better);
    }

    std::vector<double> weights(candidates.size());
    double sum = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        weights[i] = std::exp((static_cast<double>(candidates[i].logit) - static_cast<double>(most)) /
                              static_cast<double>(options_.temperature));
        sum += weights[i];
    }
    const std::size_t count = kept(weights, sum, options_);
    double total = 0;
    for (std::size_t i = 0; i < count; ++i) {
        total += weights[i];
    }
    double left = uniform() * total;
    for (std::size_t i = 0; i + 1 < count; ++i) {
        left -= weights[i];
        if (left < 0) {
            return candidates[i].id;
        }
    }
    return candidates[count - 1].id;
}

/// SplitMix64 (Steele, Lea, Flood 2014), the upper 53 bits as a number in [0, 1).
double Sampler::uniform()
{
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    z ^= z >> 31U;
    return static_cast<double>(z >> 11U) * 0x1.0p-53;
}

} // namespace constela::runtime
