// SPDX-License-Identifier: GPL-3.0-or-later
//
// A model: its shape and its shards, ready to be executed one after the other.
// Threads: immutable after open().
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf.h"
#include "engine/model/config.h"
#include "engine/model/rope.h"
#include "engine/model/shard.h"
#include "engine/model/weights.h"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace constela::model {

class Model {
public:
    /// Finds every weight in the file and checks its shape. `context`: positions that a sequence may have, which
    /// decides the angles of models that stretch them; 0: as many as the model was made for.
    [[nodiscard]] static Result<std::shared_ptr<const Model>> open(std::shared_ptr<const gguf::File> file,
                                                                   std::size_t context = 0);

    [[nodiscard]] const gguf::File& file() const { return *file_; }
    [[nodiscard]] const Config& config() const { return config_; }
    /// embed, block.0 ..., head: the order of a token's way. Their matrices are where the file has them; place() makes
    /// such as a device can run.
    [[nodiscard]] std::span<const std::unique_ptr<Shard>> shards() const { return shards_; }
    /// The shards of the placing, with their matrices on its device.
    [[nodiscard]] Result<std::vector<std::unique_ptr<Shard>>> place(const Placing& placing) const;
    /// Bytes that place() tells of in all, or a few more: norms are not told of.
    [[nodiscard]] std::size_t placed_bytes() const { return placed_bytes_; }
    [[nodiscard]] const RopeTable& rope(Reach reach) const { return ropes_[static_cast<std::size_t>(reach)]; }
    /// Bytes of all weights; those that two shards share count once.
    [[nodiscard]] std::size_t weight_bytes() const { return weight_bytes_; }

private:
    Model(std::shared_ptr<const gguf::File> file, Config config, std::vector<std::unique_ptr<Shard>> shards,
          std::array<RopeTable, kReaches> ropes, std::size_t context);

    std::shared_ptr<const gguf::File> file_; // the weights lie in its mapping
    Config config_;
    std::vector<std::unique_ptr<Shard>> shards_;
    std::array<RopeTable, kReaches> ropes_;
    std::size_t weight_bytes_ = 0;
    std::size_t placed_bytes_ = 0;
    std::size_t context_; ///< Positions that will be in use.
};

} // namespace constela::model
