// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/experts.h"

#include <array>

namespace constela::model {

using device::Matrix;
using device::Rows;

namespace {

/// Which experts each token goes to, best first, and how much each counts.
struct Routes {
    std::vector<std::uint32_t> experts; ///< [token][rank]
    std::vector<float> weights;         ///< [token][rank], sums to 1
};

/// Equal probabilities go to the lower expert.
Routes choose(Rows probabilities, std::size_t used)
{
    Routes routes;
    routes.experts.resize(probabilities.count * used);
    routes.weights.resize(probabilities.count * used);
    std::vector<bool> taken(probabilities.columns);
    for (std::size_t token = 0; token < probabilities.count; ++token) {
        const std::span<const float> p = probabilities.row(token);
        taken.assign(p.size(), false);
        float sum = 0;
        for (std::size_t rank = 0; rank < used; ++rank) {
            std::size_t best = p.size();
            for (std::size_t e = 0; e < p.size(); ++e) {
                if (!taken[e] && (best == p.size() || p[e] > p[best])) {
                    best = e;
                }
            }
            taken[best] = true;
            routes.experts[token * used + rank] = static_cast<std::uint32_t>(best);
            routes.weights[token * used + rank] = p[best];
            sum += p[best];
        }
        for (std::size_t rank = 0; rank < used; ++rank) {
            routes.weights[token * used + rank] /= sum;
        }
    }
    return routes;
}

} // namespace

Result<Experts> Experts::load(const Config& config, Weights& weights, std::size_t block, device::Activation activation)
{
    Experts layer;
    layer.used_ = config.experts_used;
    layer.activation_ = activation;
    const std::size_t hidden = config.expert_feed_forward;
    CONSTELA_ASSIGN(layer.router_,
                    weights.matrix(in_block(block, "ffn_gate_inp.weight"), config.width, config.experts));
    CONSTELA_ASSIGN(layer.gate_,
                    weights.matrices(in_block(block, "ffn_gate_exps.weight"), config.width, hidden, config.experts));
    CONSTELA_ASSIGN(layer.up_,
                    weights.matrices(in_block(block, "ffn_up_exps.weight"), config.width, hidden, config.experts));
    CONSTELA_ASSIGN(layer.down_,
                    weights.matrices(in_block(block, "ffn_down_exps.weight"), hidden, config.width, config.experts));
    return layer;
}

Rows Experts::operator()(device::Backend& backend, Rows h) const
{
    const Rows probabilities = backend.scratch(h.count, router_.rows);
    const device::Projection router{&router_, {}, probabilities};
    backend.project(h, {&router, 1});
    backend.softmax(probabilities);
    const Routes routes = choose(backend.host_view(probabilities), used_);

    // Tokens are grouped by expert, so that each expert's weights are read once; `parts` holds the groups one after the
    // other, and `slots` tells where each token's part of each rank went.
    const Rows parts = backend.scratch(h.count * used_, h.columns);
    std::vector<std::uint32_t> slots(routes.experts.size());
    std::uint32_t first = 0;
    for (std::size_t expert = 0; expert < gate_.size(); ++expert) {
        std::vector<std::uint32_t> tokens;
        for (std::size_t i = 0; i < routes.experts.size(); ++i) {
            if (routes.experts[i] == expert) {
                slots[i] = first + static_cast<std::uint32_t>(tokens.size());
                tokens.push_back(static_cast<std::uint32_t>(i / used_));
            }
        }
        if (tokens.empty()) {
            continue;
        }
        const auto mark = backend.scratch_mark();
        const Rows mine = backend.scratch(tokens.size(), h.columns);
        backend.gather(h, tokens, mine);
        const Rows gate = backend.scratch(tokens.size(), gate_[expert].rows);
        const Rows up = backend.scratch(tokens.size(), up_[expert].rows);
        const std::array inputs{device::Projection{&gate_[expert], {}, gate}, device::Projection{&up_[expert], {}, up}};
        backend.project(mine, inputs);
        backend.gate(activation_, gate, up, gate);
        const device::Projection output{&down_[expert], {}, parts.rows(first, tokens.size())};
        backend.project(gate, {&output, 1});
        first += static_cast<std::uint32_t>(tokens.size());
        backend.release_scratch(mark);
    }

    const Rows out = backend.scratch(h.count, h.columns);
    backend.weighted_sum(parts, slots, routes.weights, used_, out);
    return out;
}

std::size_t Experts::weight_bytes() const
{
    std::size_t bytes = router_.bytes();
    for (const auto* matrices : {&gate_, &up_, &down_}) {
        for (const Matrix& matrix : *matrices) {
            bytes += matrix.bytes();
        }
    }
    return bytes;
}

} // namespace constela::model
