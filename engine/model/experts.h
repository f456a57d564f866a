// SPDX-License-Identifier: GPL-3.0-or-later
//
// A mixture of experts in place of the feed-forward layer (Shazeer et al. 2017; Jiang et al. 2024, Mixtral):
//   p   = softmax(Wrouter h)
//   out = sum over the k experts with the largest p of p_e / (sum of those p) * expert_e(h)
// each expert being a gated feed-forward layer.
#pragma once

#include "engine/base/result.h"
#include "engine/model/config.h"
#include "engine/model/shard.h"
#include "engine/model/weights.h"

namespace constela::model {

class Experts {
public:
    [[nodiscard]] static Result<Experts> load(const Config& config, Weights& weights, std::size_t block,
                                              device::Activation activation);

    /// Rows of the residual stream's width, to be added to it.
    [[nodiscard]] device::Rows operator()(device::Backend& backend, device::Rows h) const;

    [[nodiscard]] std::size_t weight_bytes() const;

private:
    device::Matrix router_;
    std::vector<device::Matrix> gate_;
    std::vector<device::Matrix> up_;
    std::vector<device::Matrix> down_;
    std::size_t used_ = 0;
    device::Activation activation_ = device::Activation::silu;
};

} // namespace constela::model
