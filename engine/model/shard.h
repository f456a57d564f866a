// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a model is made of, and what can sit on a device of its own: the token embedding, each block, the output head.
// A model is executed as a list of shards, each of which takes rows of activations and gives rows of activations.
#pragma once

#include "engine/device/backend.h"
#include "engine/model/rope.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace constela::model {

/// How far a block looks back decides which pages of the KV cache it needs.
enum class Reach : std::uint8_t { full, window };
inline constexpr std::size_t kReaches = 2;

/// What all shards know of the tokens of one step. Row i of the activations belongs to tokens[i].
struct Step {
    std::span<const std::int32_t> tokens;
    std::array<device::KvIndex, kReaches> kv;        ///< By Reach. Positions and sequences are those of `tokens`.
    std::array<device::RopeAngles, kReaches> angles; ///< By Reach.
};

/// Keys and values of a block for each position.
struct KvNeed {
    Reach reach = Reach::full;
    std::size_t heads = 0;
    std::size_t head_size = 0;
    std::size_t value_head_size = 0;
};

/// Threads: immutable; forward() is called by the thread that owns the backend.
class Shard {
public:
    virtual ~Shard() = default;
    Shard(const Shard&) = delete;
    Shard& operator=(const Shard&) = delete;

    /// "embed", "block.0" ..., "head"
    [[nodiscard]] const std::string& id() const { return id_; }
    /// Bytes of weights that a device must hold for it.
    [[nodiscard]] std::size_t weight_bytes() const { return weight_bytes_; }
    /// What it keeps of each position; embedding and head keep nothing.
    [[nodiscard]] const std::optional<KvNeed>& kv_need() const { return kv_need_; }

    /// `kv` is the shard's own store, null where it needs none. The embedding takes no rows and gives new ones; a block
    /// changes `x` in place and gives it back; the head gives new rows, the logits.
    virtual device::Rows forward(device::Backend& backend, const Step& step, device::KvStore* kv,
                                 device::Rows x) const = 0;

protected:
    Shard(std::string id, std::size_t weight_bytes, std::optional<KvNeed> kv_need)
        : id_(std::move(id)), weight_bytes_(weight_bytes), kv_need_(kv_need)
    {
    }

private:
    std::string id_;
    std::size_t weight_bytes_;
    std::optional<KvNeed> kv_need_;
};

} // namespace constela::model
