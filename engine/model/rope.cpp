// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/rope.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace constela::model {

namespace {

// Turns over the original context below which a pair is stretched fully, and above which it is left alone (YaRN's
// beta and alpha).
constexpr double kFastTurns = 32;
constexpr double kSlowTurns = 1;

/// The pair that turns `turns` times over the original context.
double pair_with_turns(const RopeConfig& config, double turns)
{
    const double length = static_cast<double>(config.original_context) / (turns * 2 * std::numbers::pi);
    return static_cast<double>(config.dimensions) * std::log(length) / (2 * std::log(config.base));
}

/// 1 for the pairs that keep their frequency, 0 for those that are stretched, a ramp between.
std::vector<double> yarn_kept(const RopeConfig& config, std::size_t pairs)
{
    const double low = std::max(0.0, std::floor(pair_with_turns(config, kFastTurns)));
    const double high =
        std::min(static_cast<double>(config.dimensions) - 1, std::ceil(pair_with_turns(config, kSlowTurns)));
    std::vector<double> kept(pairs);
    for (std::size_t i = 0; i < pairs; ++i) {
        const double ramp = (static_cast<double>(i) - low) / std::max(0.001, high - low);
        kept[i] = 1 - std::clamp(ramp, 0.0, 1.0);
    }
    return kept;
}

} // namespace

RopeTable::RopeTable(const RopeConfig& config, std::span<const float> factors)
    : frequencies_(config.dimensions / 2), magnitude_(config.attention_factor)
{
    const std::size_t pairs = frequencies_.size();
    for (std::size_t i = 0; i < pairs; ++i) {
        frequencies_[i] = std::pow(config.base, -2.0 * static_cast<double>(i) / static_cast<double>(config.dimensions));
        if (!factors.empty()) {
            frequencies_[i] /= static_cast<double>(factors[i]);
        }
    }
    if (config.scaling == RopeConfig::Scaling::linear) {
        for (double& frequency : frequencies_) {
            frequency /= config.factor;
        }
    } else if (config.scaling == RopeConfig::Scaling::yarn) {
        const std::vector<double> kept = yarn_kept(config, pairs);
        for (std::size_t i = 0; i < pairs; ++i) {
            frequencies_[i] *= kept[i] + (1 - kept[i]) / config.factor;
        }
        magnitude_ *= 1 + 0.1 * std::log(config.factor);
    }
}

device::RopeAngles RopeTable::angles(std::span<const std::uint32_t> positions) const
{
    const std::size_t pairs = frequencies_.size();
    device::RopeAngles angles;
    angles.half = pairs;
    angles.cosines.resize(positions.size() * pairs);
    angles.sines.resize(positions.size() * pairs);
    for (std::size_t token = 0; token < positions.size(); ++token) {
        for (std::size_t i = 0; i < pairs; ++i) {
            const double angle = positions[token] * frequencies_[i];
            angles.cosines[token * pairs + i] = static_cast<float>(std::cos(angle) * magnitude_);
            angles.sines[token * pairs + i] = static_cast<float>(std::sin(angle) * magnitude_);
        }
    }
    return angles;
}

} // namespace constela::model
