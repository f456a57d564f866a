// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model.h"

#include "engine/model/architectures.h"

#include <algorithm>

namespace constela::model {

Model::Model(std::shared_ptr<const gguf::File> file, Config config, std::vector<std::unique_ptr<Shard>> shards,
             std::array<RopeTable, kReaches> ropes, std::size_t context)
    : file_(std::move(file)), config_(std::move(config)), shards_(std::move(shards)), ropes_(std::move(ropes)),
      context_(context)
{
    for (const gguf::TensorInfo& tensor : file_->tensors()) {
        weight_bytes_ += tensor.bytes;
    }
    // The embedding alone is looked up rather than multiplied; the head has a matrix of its own or that of the
    // embedding.
    for (std::size_t i = 1; i < shards_.size(); ++i) {
        placed_bytes_ += shards_[i]->weight_bytes();
    }
}

Result<std::vector<std::unique_ptr<Shard>>> Model::place(const Placing& placing) const
{
    Weights weights(*file_, placing, shards_.size() - 1);
    const Making making{file_->metadata().file_name(), config_, weights, context_};
    CONSTELA_ASSIGN(Parts parts, find_architecture(config_.architecture)->make(making));
    std::vector<std::unique_ptr<Shard>> placed;
    for (std::size_t i = 0; i < parts.shards.size(); ++i) {
        if (placing.takes(i)) {
            placed.push_back(std::move(parts.shards[i]));
        }
    }
    return placed;
}

Result<std::shared_ptr<const Model>> Model::open(std::shared_ptr<const gguf::File> file, std::size_t context)
{
    CONSTELA_ASSIGN(Config config, read_config(*file));
    Weights weights(*file);
    const std::size_t positions = context == 0 ? config.context : context;
    const Making making{file->metadata().file_name(), config, weights, positions};
    CONSTELA_ASSIGN(Parts parts, find_architecture(config.architecture)->make(making));
    CONSTELA_TRY(weights.all_used());
    const bool any_window = std::any_of(parts.shards.begin(), parts.shards.end(), [](const auto& shard) {
        return shard->kv_need() && shard->kv_need()->reach == Reach::window;
    });
    if (!any_window) {
        config.window = 0; // some files name a window that their architecture does not use
    }
    std::array ropes{RopeTable(parts.rope[0], parts.rope_factors), RopeTable(parts.rope[1], parts.rope_factors)};
    return std::shared_ptr<const Model>(
        new Model(std::move(file), std::move(config), std::move(parts.shards), std::move(ropes), positions));
}

} // namespace constela::model
