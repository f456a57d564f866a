// SPDX-License-Identifier: GPL-3.0-or-later
//
// What one token costs a model: the weights that must be read for it and the products of its matrices. A device's
// speed is judged by how much of its memory's and its arithmetic's rate these use.
#pragma once

#include "engine/model/model.h"

#include <cstdint>

namespace constela::model {

struct TokenWork {
    /// Bytes of weights read when one token is generated: of the embedding a row, of experts those that are chosen.
    std::uint64_t weight_bytes = 0;
    /// Multiplications of a weight by an activation in all blocks, of experts in those that are chosen.
    std::uint64_t block_products = 0;
    std::uint64_t head_products = 0; ///< Those of the head, which only tokens whose logits are wanted pass.
};

[[nodiscard]] TokenWork token_work(const Model& model);

/// Bytes of keys and values that a token reads which sees `positions` positions, itself included.
[[nodiscard]] std::uint64_t kv_bytes_read(const Model& model, kernels::KvType type, std::uint64_t positions);

} // namespace constela::model
