// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rotary position embedding: at position p the pair i of a head is turned by p * frequency[i].
//   plain     frequency[i] = base^(-2i/d)                                   (Su et al. 2021, RoFormer)
//   linear    frequency[i] / factor                                         (Chen et al. 2023, position interpolation)
//   llama3    frequency[i] / factors[i], factors given as the tensor rope_freqs.weight
//   yarn      between plain (fast pairs) and linear (slow ones)             (Peng et al. 2023, YaRN, section 3.2)
//   longrope  frequency[i] / factors[i], one list up to the original context, another beyond (Ding et al. 2024)
#pragma once

#include "engine/device/backend.h"
#include "engine/model/config.h"

#include <cstdint>
#include <span>
#include <vector>

namespace constela::model {

class RopeTable {
public:
    /// `factors`: one divisor a pair, or none.
    RopeTable(const RopeConfig& config, std::span<const float> factors);

    /// Sines and cosines for tokens at these positions.
    [[nodiscard]] device::RopeAngles angles(std::span<const std::uint32_t> positions) const;

private:
    std::vector<double> frequencies_;
    double magnitude_ = 1;
};

} // namespace constela::model
