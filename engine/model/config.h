// SPDX-License-Identifier: GPL-3.0-or-later
//
// The shape of a model, as the metadata of its file tells it.
// Source of the keys: the GGUF specification (github.com/ggml-org/ggml, docs/gguf.md).
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace constela::model {

/// How positions are turned into angles beyond what the model was first trained on; see rope.h.
struct RopeConfig {
    enum class Scaling { none, linear, yarn, longrope };
    Scaling scaling = Scaling::none;
    std::size_t dimensions = 0;       ///< Rotated elements of a head; even.
    double base = 10000;              ///< Of the frequencies.
    double factor = 1;                ///< linear and yarn: how much longer than trained.
    double attention_factor = 1;      ///< Multiplies sines and cosines.
    std::size_t original_context = 0; ///< yarn and longrope: what the model was first trained on.
};

/// All sizes in elements unless they say otherwise.
struct Config {
    std::string architecture; ///< "llama"
    std::string name;         ///< general.name, else the file's name.
    std::size_t blocks = 0;
    std::size_t width = 0; ///< Of the residual stream.
    std::size_t heads = 0;
    std::size_t kv_heads = 0;
    std::size_t head_size = 0;       ///< Of a query and a key.
    std::size_t value_head_size = 0; ///< Of a value.
    std::size_t feed_forward = 0;    ///< Of a dense block's hidden layer.
    std::size_t vocabulary = 0;      ///< Rows of the token embedding.
    std::size_t context = 0;         ///< Positions that the model was made for.
    float norm_epsilon = 0;
    RopeConfig rope;

    std::size_t experts = 0; ///< 0: a dense model.
    std::size_t experts_used = 0;
    std::size_t expert_feed_forward = 0;

    std::size_t window = 0;      ///< Positions seen by sliding-window blocks, the token's own included; 0: none.
    float attention_softcap = 0; ///< 0: none.
    float final_softcap = 0;     ///< 0: none.
};

/// Reads what all architectures share. An architecture that Constela does not know, a missing key or a size that
/// cannot be is an error that names it.
[[nodiscard]] Result<Config> read_config(const gguf::File& file);

} // namespace constela::model
