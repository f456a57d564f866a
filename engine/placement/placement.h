// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which device holds which shards, and how shards are named. Shards are numbered in the order of a token's way: 0 is
// the embedding, 1 the first block, the last one the head. In these functions `total` is the number of all shards of
// the model (its blocks and two).
//
// Threads: plain values and functions.
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace constela::placement {

/// A run of neighbouring shards on one device.
struct StageChoice {
    std::string device; ///< "studio/cpu0"
    std::size_t first_shard = 0;
    std::size_t shard_count = 0;
    bool operator==(const StageChoice&) const = default;
};

/// Stages in the order of a token's way.
struct Placement {
    std::vector<StageChoice> stages;
    bool operator==(const Placement&) const = default;
};

struct ShardSpan {
    std::size_t first = 0;
    std::size_t count = 0;
    bool operator==(const ShardSpan&) const = default;
};

/// "embed", "block.0" ..., "head".
[[nodiscard]] std::string shard_name(std::size_t shard, std::size_t total);

/// "embed,block.0-14"; empty for no shard.
[[nodiscard]] std::string shards_text(std::size_t first, std::size_t count, std::size_t total);

/// The other way: shard ids (embed, block.N, block.A-B, head), separated by commas, neighbours in the order of a
/// token's way. An error says which id is wrong and what may stand there.
[[nodiscard]] Result<ShardSpan> parse_shards(std::string_view text, std::size_t total);

/// "embedding and blocks 0 to 14", for sentences.
[[nodiscard]] std::string describe(std::size_t first, std::size_t count, std::size_t total);

} // namespace constela::placement
