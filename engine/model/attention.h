// SPDX-License-Identifier: GPL-3.0-or-later
//
// Grouped-query self-attention (Vaswani et al. 2017; Ainslie et al. 2023) over the pages of a KV cache:
//   q, k, v = Wq h, Wk h, Wv h (+ biases)
//   q, k    = rope(norm(q), position), rope(norm(k), position)     norm per head, where the model has one
//   out     = Wo softmax(scale * q K^T) V
#pragma once

#include "engine/base/result.h"
#include "engine/model/config.h"
#include "engine/model/shard.h"
#include "engine/model/weights.h"

namespace constela::model {

/// Where the projections of queries, keys and values are.
enum class QkvTensors : std::uint8_t { separate, fused };

/// What an architecture decides about its attention.
struct AttentionTraits {
    kernels::RopeLayout layout = kernels::RopeLayout::halves;
    QkvTensors tensors = QkvTensors::separate;
    bool head_norms = false; ///< Norms of queries and keys, per head.
    Reach reach = Reach::full;
    float scale = 0; ///< Of the scores; 0: 1 / sqrt(head_size).
};

class Attention {
public:
    [[nodiscard]] static Result<Attention> load(const Config& config, Weights& weights, std::size_t block,
                                                const AttentionTraits& traits);

    /// Rows of the residual stream's width, to be added to it. Puts the step's keys and values into `kv`.
    [[nodiscard]] device::Rows operator()(device::Backend& backend, const Step& step, device::KvStore& kv,
                                          device::Rows h) const;

    [[nodiscard]] std::size_t weight_bytes() const;
    [[nodiscard]] KvNeed kv_need() const { return kv_need_; }

private:
    /// A matrix with its bias, if it has one.
    struct Linear {
        device::Matrix matrix;
        VectorWeights bias;

        [[nodiscard]] device::Projection into(device::Rows out) const { return {&matrix, bias, out}; }
        [[nodiscard]] std::size_t bytes() const { return matrix.bytes() + bias.size() * sizeof(float); }
    };
    static Result<Linear> load_linear(Weights& weights, std::size_t block, std::string_view name, std::size_t columns,
                                      std::size_t rows);

    std::vector<Linear> qkv_; ///< Queries, keys, values; or one matrix that holds all three.
    Linear output_;
    VectorWeights query_norm_;
    VectorWeights key_norm_;
    AttentionTraits traits_;
    device::AttentionOptions options_;
    KvNeed kv_need_;
    float epsilon_ = 0;
};

} // namespace constela::model
