// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a placement costs: seconds for each token, seconds until the first token of an answer, bytes on each device. One
// model for the planner, the preview while shards are dragged and the advisor, so that they never disagree.
//
//   seconds a token = sum over shards of max(operations / rate, (weight bytes + positions x KV bytes) / bandwidth)
//                   + sum over hops of (latency + overhead + bytes / bandwidth)
//
// The head is a shard as the others. Hops are coordinator -> first stage -> ... -> last stage -> coordinator; tokens
// and results are small, rows of activations go between stages. A prompt goes in chunks, for which the same holds with
// more operations and the same weight bytes; while a stage has one chunk, the stage before has the next.
//
// Where the numbers come from: a device's bandwidth and rate are measured (device::measured_read_bandwidth,
// device::measured_int8_rate), links too (cluster/links); free memory is what the system reports, counting what other
// programs use; shards: model_costs.h. Nothing here is taken from a data sheet.
//
// Units: bytes, seconds, operations (a product and its addition are two). Threads: a CostModel is immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace constela::placement {

struct ShardCosts {
    std::uint64_t weight_bytes = 0; ///< Held.
    std::uint64_t read_bytes = 0;   ///< Of these, read for one token: of the embedding a row, of experts the chosen.
    std::uint64_t operations_per_token = 0;
    std::uint64_t kv_bytes_per_position = 0;
    std::uint64_t kv_window = 0;    ///< Positions that a token sees, where the block sees only a window; 0: all.
    std::uint64_t kv_held_most = 0; ///< Positions that are held at most, where older ones are let go; 0: no limit.
};

struct ModelCosts {
    std::string name;               ///< For sentences.
    std::vector<ShardCosts> shards; ///< Embedding, blocks, head: at least two.
    /// Weights that embedding and head have in common: held once where both are on one device.
    std::uint64_t shared_bytes = 0;
    std::uint64_t kv_extra_positions = 0; ///< Held beyond the context, since memory is given in pages.
    std::uint64_t workspace = 0;          ///< Of each stage.
    std::uint64_t head_workspace = 0;     ///< Beside it, of the stage with the head.
    std::uint64_t activation_bytes = 0;   ///< Of one token between two stages.
};

struct DeviceCosts {
    std::string id;                ///< "studio/cpu0"
    std::uint64_t memory_free = 0; ///< Bytes.
    double read_bandwidth = 0;     ///< Bytes a second; 0: not measured, and then no plan uses the device.
    double int8_rate = 0;          ///< Operations a second; 0: not known, and then only reading counts.
    std::uint64_t reserve = 0;     ///< Bytes that are to stay free.
};

/// One direction between two devices.
struct LinkCosts {
    double latency_s = 0; ///< One way: half of a small message's round trip.
    double bandwidth = 0; ///< Bytes a second; 0: there is no link, or it has not been measured.
};

/// Links between devices, by their place in the list of devices, and from and to the coordinator, whose place is the
/// number of devices. A device's link to itself is there and costs nothing.
class LinkTable {
public:
    explicit LinkTable(std::size_t devices);
    [[nodiscard]] std::size_t coordinator() const { return ends_ - 1; }
    [[nodiscard]] LinkCosts& at(std::size_t from, std::size_t to) { return links_[from * ends_ + to]; }
    [[nodiscard]] const LinkCosts& at(std::size_t from, std::size_t to) const { return links_[from * ends_ + to]; }
    /// Both directions.
    void set(std::size_t one, std::size_t other, LinkCosts link);

private:
    std::size_t ends_;
    std::vector<LinkCosts> links_;
};

/// What is asked of the model.
struct Demand {
    std::size_t context = 4096; ///< Positions for which memory is needed.
    std::size_t depth = 0;      ///< Positions that are held when a token's time is foretold; 0: the whole context.
    std::size_t prompt = 512;   ///< Tokens of the prompt whose time is foretold.
    std::size_t chunk = 512;    ///< Tokens of a prompt that go at once.
    /// Of each hop, beside the link's own latency: waking a thread, taking the message apart. Seconds.
    double hop_overhead_s = 30e-6;
};

/// A stage, its device by its place in the list.
struct IndexedStage {
    std::size_t device = 0;
    std::size_t first = 0;
    std::size_t count = 0;
    bool operator==(const IndexedStage&) const = default;
};

struct StageMemory {
    std::uint64_t weights = 0;
    std::uint64_t kv = 0;
    std::uint64_t workspace = 0;
    [[nodiscard]] std::uint64_t total() const { return weights + kv + workspace; }
};

class CostModel {
public:
    CostModel(ModelCosts model, std::vector<DeviceCosts> devices, LinkTable links, const Demand& demand);

    [[nodiscard]] const ModelCosts& model() const { return model_; }
    [[nodiscard]] std::span<const DeviceCosts> devices() const { return devices_; }
    [[nodiscard]] const Demand& demand() const { return demand_; }
    [[nodiscard]] std::size_t shards() const { return model_.shards.size(); }
    [[nodiscard]] std::size_t coordinator() const { return links_.coordinator(); }

    [[nodiscard]] StageMemory memory(std::size_t first, std::size_t count) const;
    /// Weights + KV cache at the asked context + workspace + reserve <= free memory.
    [[nodiscard]] bool fits(std::size_t device, std::size_t first, std::size_t count) const;

    /// Seconds of one token in these shards on this device; infinite where it has not been measured.
    [[nodiscard]] double stage_seconds(std::size_t device, std::size_t first, std::size_t count) const
    {
        return token_sums_[device][first + count] - token_sums_[device][first];
    }
    /// Seconds of one whole chunk of a prompt, without the head, which only the last token passes.
    [[nodiscard]] double chunk_seconds(std::size_t device, std::size_t first, std::size_t count) const
    {
        return chunk_sums_[device][first + count] - chunk_sums_[device][first];
    }
    /// Seconds of a hop of one token (a token's id or its result, where the coordinator is an end); infinite where
    /// there is no link.
    [[nodiscard]] double hop_seconds(std::size_t from, std::size_t to) const { return hops_[from * ends() + to]; }

    /// Whether every stage fits and every hop has its link.
    [[nodiscard]] bool possible(std::span<const IndexedStage> stages) const;
    /// Of a token of a single sequence.
    [[nodiscard]] double token_seconds(std::span<const IndexedStage> stages) const;
    /// From the prompt's arrival at the coordinator until it has the first token of the answer.
    [[nodiscard]] double first_token_seconds(std::span<const IndexedStage> stages) const;

private:
    [[nodiscard]] std::size_t ends() const { return devices_.size() + 1; }
    [[nodiscard]] std::uint64_t kv_held(const ShardCosts& shard) const;
    /// Of `tokens` tokens that go at once through a shard, when `before` positions are held already.
    [[nodiscard]] double shard_seconds(const DeviceCosts& device, const ShardCosts& shard, std::size_t tokens,
                                       std::size_t before) const;
    [[nodiscard]] double transfer_seconds(std::size_t from, std::size_t to, std::size_t tokens) const;

    ModelCosts model_;
    std::vector<DeviceCosts> devices_;
    LinkTable links_;
    Demand demand_;
    std::vector<std::uint64_t> weight_sums_;      ///< Of the shards before each one.
    std::vector<std::uint64_t> kv_sums_;          ///< Likewise.
    std::vector<std::vector<double>> token_sums_; ///< By device, then as the others.
    std::vector<std::vector<double>> chunk_sums_; ///< Likewise.
    std::vector<double> hops_;
};

} // namespace constela::placement
