// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which bytes of a model's files a run of shards needs: what stands before the weights (header, metadata, list of
// tensors) of every part, the tensors of the shards themselves, and the few small ones that all of them use.
//
// Threads: functions of values; any.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/weights/content_hash.h"
#include "engine/gguf/gguf.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace constela::cluster {

struct ByteRange {
    std::size_t part = 0;
    std::uint64_t offset = 0; ///< In its part.
    std::uint64_t bytes = 0;
    auto operator<=>(const ByteRange&) const = default;
};

/// Shards as StagePlacement counts them: 0 is the embedding, 1 the first block, the last one the head.
struct ShardRun {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    [[nodiscard]] bool holds(std::uint64_t shard) const { return shard >= first && shard - first < count; }
};

/// The number of shards that a model has: its blocks, the embedding and the head.
[[nodiscard]] std::uint64_t shard_count(const gguf::File& file);

/// Whether a run of shards reads the tensor of this name. `tied`: the model has no output matrix of its own, so that
/// its head reads the embedding's.
[[nodiscard]] bool needs_tensor(std::string_view name, ShardRun run, std::uint64_t shards, bool tied);

/// What the run needs of an opened model, headers included, in order and without overlap. Fails when the model has no
/// such shards.
[[nodiscard]] Result<std::vector<ByteRange>> ranges_of_shards(const gguf::File& file, ShardRun run);

/// The whole model.
[[nodiscard]] std::vector<ByteRange> whole_ranges(const Manifest& manifest);

/// The chunks that these bytes touch, ascending, each once. Bytes beyond a part's end are left out.
[[nodiscard]] std::vector<std::uint32_t> chunks_of(const Manifest& manifest, std::span<const ByteRange> ranges);

} // namespace constela::cluster
