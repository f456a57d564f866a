// SPDX-License-Identifier: GPL-3.0-or-later
//
// The gated feed-forward layer (Shazeer 2020, GLU variants): out = Wdown (activation(Wgate h) * (Wup h)).
#pragma once

#include "engine/base/result.h"
#include "engine/model/config.h"
#include "engine/model/shard.h"
#include "engine/model/weights.h"

namespace constela::model {

/// Where the two input projections are; fused: gate is the first half of ffn_up's rows, up the second.
enum class GateTensors : std::uint8_t { separate, fused };

class FeedForward {
public:
    [[nodiscard]] static Result<FeedForward> load(const Config& config, Weights& weights, std::size_t block,
                                                  device::Activation activation,
                                                  GateTensors tensors = GateTensors::separate);

    /// Rows of the residual stream's width, to be added to it.
    [[nodiscard]] device::Rows operator()(device::Backend& backend, device::Rows h) const;

    [[nodiscard]] std::size_t weight_bytes() const { return gate_.bytes() + up_.bytes() + down_.bytes(); }

private:
    device::Matrix gate_;
    device::Matrix up_;
    device::Matrix down_;
    device::Activation activation_ = device::Activation::silu;
};

} // namespace constela::model
