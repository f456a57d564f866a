// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/feed_forward.h"

#include <array>

namespace constela::model {

using device::Matrix;
using device::Rows;

Result<FeedForward> FeedForward::load(const Config& config, Weights& weights, std::size_t block,
                                      device::Activation activation, GateTensors tensors)
{
    FeedForward layer;
    layer.activation_ = activation;
    if (tensors == GateTensors::fused) {
        CONSTELA_ASSIGN(const std::vector<Matrix> both,
                        weights.halves(in_block(block, "ffn_up.weight"), config.width, config.feed_forward));
        layer.gate_ = both[0];
        layer.up_ = both[1];
    } else {
        CONSTELA_ASSIGN(layer.gate_,
                        weights.matrix(in_block(block, "ffn_gate.weight"), config.width, config.feed_forward));
        CONSTELA_ASSIGN(layer.up_, weights.matrix(in_block(block, "ffn_up.weight"), config.width, config.feed_forward));
    }
    CONSTELA_ASSIGN(layer.down_, weights.matrix(in_block(block, "ffn_down.weight"), config.feed_forward, config.width));
    return layer;
}

Rows FeedForward::operator()(device::Backend& backend, Rows h) const
{
    const Rows gate = backend.scratch(h.count, gate_.rows);
    const Rows up = backend.scratch(h.count, up_.rows);
    const std::array inputs{device::Projection{&gate_, {}, gate}, device::Projection{&up_, {}, up}};
    backend.project(h, inputs);
    backend.gate(activation_, gate, up, gate);
    const Rows out = backend.scratch(h.count, down_.rows);
    const device::Projection output{&down_, {}, out};
    backend.project(gate, {&output, 1});
    return out;
}

} // namespace constela::model
