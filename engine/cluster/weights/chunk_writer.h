// SPDX-License-Identifier: GPL-3.0-or-later
//
// Verifies and stores chunks on a thread of its own, so that the network is served while the disk is waited for.
//
// Threads: all functions by one; the work by its own. The destructor lets what has begun end and drops the rest.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/weights/cached_model.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace constela::cluster {

class ChunkWriter {
public:
    struct Done {
        std::size_t peer = 0; ///< Who brought it.
        std::uint32_t chunk = 0;
        Result<ChunkOutcome> outcome;
    };

    explicit ChunkWriter(std::shared_ptr<CachedModel> model);
    ~ChunkWriter();
    ChunkWriter(const ChunkWriter&) = delete;
    ChunkWriter& operator=(const ChunkWriter&) = delete;

    /// Memory for a chunk, of those that are done with where there is one.
    [[nodiscard]] std::vector<std::byte> buffer(std::size_t bytes);
    void write(std::size_t peer, std::uint32_t chunk, std::vector<std::byte> bytes);
    /// What was done since the last call.
    [[nodiscard]] std::vector<Done> done();
    /// Chunks given to write() of which done() has not told yet.
    [[nodiscard]] std::size_t under_way() const { return under_way_; }

private:
    struct Task {
        std::size_t peer = 0;
        std::uint32_t chunk = 0;
        std::vector<std::byte> bytes;
    };
    void run();

    std::shared_ptr<CachedModel> model_;
    std::size_t under_way_ = 0; ///< The user's.
    std::mutex mutex_;          ///< Guards what follows.
    std::condition_variable changed_;
    bool over_ = false;
    std::deque<Task> tasks_;
    std::vector<Done> done_;
    std::vector<std::vector<std::byte>> spare_;
    std::thread thread_;
};

} // namespace constela::cluster
