// SPDX-License-Identifier: GPL-3.0-or-later
//
// Gets the weights that a run of shards needs from nodes that have them, into the cache of fetched models: in parallel
// from all of them, verified, resuming what an earlier try has brought.
//
// First the list of chunks, then the head of each file, chunk by chunk until the list of tensors can be read, then the
// chunks in which the shards' tensors lie.
//
// Threads: fetch() works on the caller's and on one of its own, and calls all functions on the caller's. Errors: in
// words; what was verified stays in the cache.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/weights/byte_ranges.h"
#include "engine/cluster/weights/fetch_cache.h"
#include "engine/cluster/weights/peer_connection.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>
#include <zmq.hpp>

namespace constela::cluster {

struct FetchRequest {
    ContentHash model;
    std::string name; ///< Of the model, for people.
    /// Shards; none: the whole model.
    std::optional<ShardRun> shards;
    std::vector<WeightPeer> peers;
    /// Bytes of what is to be fetched; `total` grows once, when the list of tensors is known. May be empty.
    std::function<void(std::uint64_t done, std::uint64_t total)> on_progress{};
    /// What went wrong with one peer while others go on. May be empty.
    std::function<void(const Error&)> on_problem{};
    /// Asked about every 20 ms. May be empty.
    std::function<bool()> cancelled{};
    /// Without anything coming for so long, it fails.
    Time patience = std::chrono::seconds(15);
};

struct FetchedModel {
    std::vector<std::filesystem::path> paths; ///< To be opened by the first one (gguf::File::open).
    std::shared_ptr<CachedModel> model;       ///< Keeps it in the cache for as long as it is held.
};

class Fetcher {
public:
    /// `context`, and what `own` is the key of, live longer.
    Fetcher(zmq::context_t& context, const KeyPair& own, std::shared_ptr<FetchCache> cache)
        : context_(context), own_(own), cache_(std::move(cache))
    {
    }

    [[nodiscard]] Result<FetchedModel> fetch(const FetchRequest& request);

private:
    zmq::context_t& context_;
    KeyPair own_;
    std::shared_ptr<FetchCache> cache_;
};

} // namespace constela::cluster
