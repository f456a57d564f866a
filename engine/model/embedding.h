// SPDX-License-Identifier: GPL-3.0-or-later
//
// The two ends of a model: token ids to rows, and rows to logits.
#pragma once

#include "engine/base/result.h"
#include "engine/model/config.h"
#include "engine/model/shard.h"
#include "engine/model/weights.h"

#include <memory>

namespace constela::model {

/// x = factor * token_embd[token]
[[nodiscard]] Result<std::unique_ptr<Shard>> make_embedding(const Config& config, Weights& weights,
                                                            float factor = 1.0F);

/// logits = output * norm(x), softcapped where the model does; output is token_embd where the file has none of its own.
[[nodiscard]] Result<std::unique_ptr<Shard>> make_head(const Config& config, Weights& weights);

} // namespace constela::model
