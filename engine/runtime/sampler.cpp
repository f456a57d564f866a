// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace constela::runtime {

namespace {

struct Candidate {
    double weight; ///< Its probability as a multiple of the best one's.
    float logit;
    std::int32_t id;
};

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

bool has_penalties(const SamplingOptions& options)
{
    return options.repeat_penalty != 1.0F || options.presence_penalty != 0.0F || options.frequency_penalty != 0.0F;
}

void bias_and_penalise(const SampleRequest& request, std::vector<float>& logits)
{
    const SamplingOptions& options = request.options;
    const auto known = [&](std::int32_t id) { return id >= 0 && static_cast<std::size_t>(id) < logits.size(); };
    for (const auto& [id, bias] : options.logit_bias) {
        if (known(id)) {
            logits[static_cast<std::size_t>(id)] += bias;
        }
    }
    for (const auto& [id, count] : request.counts) {
        if (known(id)) {
            float& logit = logits[static_cast<std::size_t>(id)];
            logit = logit > 0 ? logit / options.repeat_penalty : logit * options.repeat_penalty;
            logit -= options.presence_penalty + options.frequency_penalty * static_cast<float>(count);
        }
    }
}

/// All that may be drawn: the top-k, best first; without top-k all, in no order.
std::vector<Candidate> candidates(const SamplingOptions& options, std::span<const float> logits, float best)
{
    // What is further below the best cannot be drawn: even a million such tokens together weigh less than the finest
    // step of a random number, 2^-53.
    constexpr double kFarthest = 80;
    const auto temperature = static_cast<double>(options.temperature);
    const auto below = [&](float logit) {
        return (static_cast<double>(logit) - static_cast<double>(best)) / temperature;
    };
    std::vector<Candidate> found;
    for (std::size_t id = 0; id < logits.size(); ++id) {
        if (below(logits[id]) >= -kFarthest) { // NaN is not
            found.push_back({0, logits[id], static_cast<std::int32_t>(id)});
        }
    }
    if (options.top_k > 0) {
        const auto better = [](const Candidate& a, const Candidate& b) {
            return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
        };
        const std::size_t count = std::min(found.size(), static_cast<std::size_t>(options.top_k));
        std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), found.end(), better);
        found.resize(count);
    }
    for (Candidate& candidate : found) {
        candidate.weight = std::exp(below(candidate.logit));
    }
    return found;
}

/// Keeps what top-p and min-p allow.
void cut(const SamplingOptions& options, std::vector<Candidate>& candidates)
{
    const auto worse = [](const Candidate& a, const Candidate& b) {
        return a.logit != b.logit ? a.logit < b.logit : a.id > b.id;
    };
    if (options.top_p < 1.0F && !candidates.empty()) {
        double sum = 0;
        for (const Candidate& candidate : candidates) {
            sum += candidate.weight;
        }
        // The fewest that together have the share. A heap, since of a large vocabulary few stay.
        const double enough = static_cast<double>(options.top_p) * sum;
        std::make_heap(candidates.begin(), candidates.end(), worse);
        auto end = candidates.end();
        double reached = 0;
        do {
            reached += candidates.front().weight;
            std::pop_heap(candidates.begin(), end, worse);
            --end; // the best of those left is there now
        } while (end != candidates.begin() && reached < enough);
        candidates.erase(candidates.begin(), end);
        std::reverse(candidates.begin(), candidates.end());
    }
    // The best one's weight is 1, so it stays whatever min-p is.
    const auto least = static_cast<double>(std::min(options.min_p, 1.0F));
    std::erase_if(candidates, [least](const Candidate& candidate) { return candidate.weight < least; });
}

std::int32_t draw(const SampleRequest& request, std::span<const float> logits)
{
    const std::int32_t best = best_of(logits);
    if (logits.empty() || !std::isfinite(logits[static_cast<std::size_t>(best)])) {
        return best;
    }
    std::vector<Candidate> from = candidates(request.options, logits, logits[static_cast<std::size_t>(best)]);
    cut(request.options, from);
    double total = 0;
    for (const Candidate& candidate : from) {
        total += candidate.weight;
    }
    double left = request.uniform * total;
    for (const Candidate& candidate : from) {
        left -= candidate.weight;
        if (left < 0) {
            return candidate.id;
        }
    }
    return from.empty() ? best : from.back().id;
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
    for (const auto& [id, bias] : options.logit_bias) {
        if (std::isnan(bias)) {
            return failure("The logit bias of the token {} is not a number.", id);
        }
    }
    return {};
}

double log_probability(std::span<const float> logits, std::int32_t token)
{
    constexpr double kNone = -std::numeric_limits<double>::infinity();
    if (token < 0 || static_cast<std::size_t>(token) >= logits.size()) {
        return kNone;
    }
    const float most = logits[static_cast<std::size_t>(best_of(logits))];
    const float own = logits[static_cast<std::size_t>(token)];
    if (std::isnan(own) || own == kNever || std::isnan(most)) {
        return kNone;
    }
    const bool endless = std::isinf(most); // then the infinite ones share everything
    double sum = 0;
    for (const float logit : logits) {
        if (endless) {
            sum += logit == most ? 1.0 : 0.0;
        } else if (!std::isnan(logit)) {
            sum += std::exp(static_cast<double>(logit) - static_cast<double>(most));
        }
    }
    if (endless) {
        return own == most ? -std::log(sum) : kNone;
    }
    return static_cast<double>(own) - static_cast<double>(most) - std::log(sum);
}

Sampler::Sampler(const SamplingOptions& options)
    : options_(options), state_(options.seed ? *options.seed : fresh_seed())
{
}

void Sampler::accept(std::int32_t token)
{
    ++counts_[token];
    if (options_.penalty_window < 0) {
        return; // nothing is ever forgotten
    }
    recent_.push_back(token);
    if (recent_.size() > static_cast<std::size_t>(options_.penalty_window)) {
        const auto oldest = counts_.find(recent_.front());
        if (--oldest->second == 0) {
            counts_.erase(oldest);
        }
        recent_.pop_front();
    }
}

Choice choose(const SampleRequest& request, std::span<const float> logits)
{
    std::vector<float> changed;
    std::span<const float> weighed = logits;
    if (!request.options.logit_bias.empty() || (has_penalties(request.options) && !request.counts.empty())) {
        changed.assign(logits.begin(), logits.end());
        bias_and_penalise(request, changed);
        weighed = changed;
    }
    Choice choice;
    choice.token = request.options.temperature <= 0.0F ? best_of(weighed) : draw(request, weighed);
    if (request.log_probability) {
        choice.log_probability = log_probability(logits, choice.token);
    }
    return choice;
}

SampleRequest Sampler::next()
{
    SampleRequest request{options_, 0, {}, false};
    if (options_.temperature > 0.0F) {
        request.uniform = uniform();
    }
    if (has_penalties(options_)) {
        request.counts.assign(counts_.begin(), counts_.end());
    }
    return request;
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
