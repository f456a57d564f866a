// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/placement/cost_model.h"

#include <algorithm>
#include <limits>

namespace constela::placement {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// A token's id on its way out, and a result with its log-probabilities on its way back: small messages both.
constexpr double kSmallMessage = 256;

} // namespace

LinkTable::LinkTable(std::size_t devices) : ends_(devices + 1), links_(ends_ * ends_)
{
    for (std::size_t end = 0; end < ends_; ++end) {
        at(end, end) = {0, kInfinite};
    }
}

void LinkTable::set(std::size_t one, std::size_t other, LinkCosts link)
{
    at(one, other) = link;
    at(other, one) = link;
}

CostModel::CostModel(ModelCosts model, std::vector<DeviceCosts> devices, LinkTable links, const Demand& demand)
    : model_(std::move(model)), devices_(std::move(devices)), links_(std::move(links)), demand_(demand)
{
    if (links_.coordinator() != devices_.size()) { // a table of other devices says nothing of these
        links_ = LinkTable(devices_.size());
    }
    demand_.context = std::max<std::size_t>(demand_.context, 1);
    demand_.depth = demand_.depth == 0 ? demand_.context : std::min(demand_.depth, demand_.context);
    demand_.prompt = std::clamp<std::size_t>(demand_.prompt, 1, demand_.context);
    demand_.chunk = std::max<std::size_t>(demand_.chunk, 1);

    weight_sums_.push_back(0);
    kv_sums_.push_back(0);
    for (const ShardCosts& shard : model_.shards) {
        weight_sums_.push_back(weight_sums_.back() + shard.weight_bytes);
        kv_sums_.push_back(kv_sums_.back() + kv_held(shard));
    }
    // What is shared cannot be more than either has.
    model_.shared_bytes =
        std::min({model_.shared_bytes, model_.shards.front().weight_bytes, model_.shards.back().weight_bytes});

    const std::size_t chunk = std::min(demand_.chunk, demand_.prompt);
    for (const DeviceCosts& device : devices_) {
        std::vector<double>& token = token_sums_.emplace_back(1, 0.0);
        std::vector<double>& many = chunk_sums_.emplace_back(1, 0.0);
        for (std::size_t i = 0; i < shards(); ++i) {
            const ShardCosts& shard = model_.shards[i];
            const double of_chunk = i + 1 == shards() ? 0.0 : shard_seconds(device, shard, chunk, 0);
            token.push_back(token.back() + shard_seconds(device, shard, 1, demand_.depth - 1));
            many.push_back(many.back() + of_chunk);
        }
    }
    hops_.resize(ends() * ends());
    for (std::size_t from = 0; from < ends(); ++from) {
        for (std::size_t to = 0; to < ends(); ++to) {
            const LinkCosts& link = links_.at(from, to);
            hops_[from * ends() + to] = link.bandwidth > 0
                                            ? link.latency_s + demand_.hop_overhead_s + transfer_seconds(from, to, 1)
                                            : kInfinite;
        }
    }
}

std::uint64_t CostModel::kv_held(const ShardCosts& shard) const
{
    const std::uint64_t positions = demand_.context;
    const std::uint64_t held = shard.kv_held_most == 0 ? positions : std::min(positions, shard.kv_held_most);
    return (held + model_.kv_extra_positions) * shard.kv_bytes_per_position;
}

double CostModel::shard_seconds(const DeviceCosts& device, const ShardCosts& shard, std::size_t tokens,
                                std::size_t before) const
{
    if (device.read_bandwidth <= 0) {
        return kInfinite;
    }
    const auto many = static_cast<double>(tokens);
    const auto positions = static_cast<std::uint64_t>(before + tokens);
    const std::uint64_t seen = shard.kv_window == 0 ? positions : std::min(positions, shard.kv_window + tokens - 1);
    // Several tokens choose several experts and look up several rows, at most all.
    const double weights =
        std::min(static_cast<double>(shard.weight_bytes), many * static_cast<double>(shard.read_bytes));
    const double bytes = weights + static_cast<double>(seen) * static_cast<double>(shard.kv_bytes_per_position);
    const double operations = many * static_cast<double>(shard.operations_per_token);
    const double computing = device.int8_rate > 0 ? operations / device.int8_rate : 0.0;
    return std::max(computing, bytes / device.read_bandwidth);
}

double CostModel::transfer_seconds(std::size_t from, std::size_t to, std::size_t tokens) const
{
    const bool small = from == coordinator() || to == coordinator();
    const double bytes =
        small ? kSmallMessage : static_cast<double>(tokens) * static_cast<double>(model_.activation_bytes);
    return bytes / links_.at(from, to).bandwidth;
}

StageMemory CostModel::memory(std::size_t first, std::size_t count) const
{
    const std::size_t end = first + count;
    const bool head = count > 0 && end == shards();
    StageMemory memory;
    memory.weights =
        weight_sums_[end] - weight_sums_[first] - (head && first == 0 ? model_.shared_bytes : std::uint64_t{0});
    memory.kv = kv_sums_[end] - kv_sums_[first];
    memory.workspace = model_.workspace + (head ? model_.head_workspace : 0);
    return memory;
}

bool CostModel::fits(std::size_t device, std::size_t first, std::size_t count) const
{
    const DeviceCosts& at = devices_[device];
    return at.memory_free >= at.reserve && memory(first, count).total() <= at.memory_free - at.reserve;
}

bool CostModel::possible(std::span<const IndexedStage> stages) const
{
    return token_seconds(stages) < kInfinite && std::all_of(stages.begin(), stages.end(), [this](const auto& stage) {
               return fits(stage.device, stage.first, stage.count);
           });
}

double CostModel::token_seconds(std::span<const IndexedStage> stages) const
{
    double seconds = 0;
    std::size_t at = coordinator();
    for (const IndexedStage& stage : stages) {
        seconds += hop_seconds(at, stage.device) + stage_seconds(stage.device, stage.first, stage.count);
        at = stage.device;
    }
    return seconds + hop_seconds(at, coordinator());
}

double CostModel::first_token_seconds(std::span<const IndexedStage> stages) const
{
    std::vector<double> stage_free(stages.size(), 0.0);
    std::vector<double> link_free(stages.size(), 0.0); ///< Of the link into each stage.
    double done = 0;
    for (std::size_t before = 0; before < demand_.prompt; before += demand_.chunk) {
        const std::size_t tokens = std::min(demand_.chunk, demand_.prompt - before);
        const bool last = before + tokens == demand_.prompt;
        std::size_t from = coordinator();
        done = 0;
        for (std::size_t s = 0; s < stages.size(); ++s) {
            const IndexedStage& stage = stages[s];
            const DeviceCosts& device = devices_[stage.device];
            // A link carries one chunk after the other; its latency holds nobody up but the chunk.
            link_free[s] = std::max(done, link_free[s]) + transfer_seconds(from, stage.device, tokens);
            done = std::max(link_free[s] + links_.at(from, stage.device).latency_s + demand_.hop_overhead_s,
                            stage_free[s]);
            for (std::size_t i = stage.first; i < stage.first + stage.count; ++i) {
                const bool head = i + 1 == shards();
                if (!head) {
                    done += shard_seconds(device, model_.shards[i], tokens, before);
                } else if (last) {
                    done += shard_seconds(device, model_.shards[i], 1, 0);
                }
            }
            stage_free[s] = done;
            from = stage.device;
        }
        done += last ? hop_seconds(from, coordinator()) : 0.0;
    }
    return done;
}

} // namespace constela::placement
