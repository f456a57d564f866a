// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers of placements: a count in the upper 48 bits, and in the lower 16 whose it is.
#pragma once

#include "engine/cluster/messages.h"
#include "engine/cluster/node_id.h"

#include <cstddef>

namespace constela::cluster {

inline constexpr unsigned kEpochTagBits = 16;
/// A count beyond this is not believed.
inline constexpr Epoch kMostEpochs = Epoch(1) << 47U;

[[nodiscard]] inline Epoch epoch_tag(const NodeId& coordinator)
{
    return std::to_integer<Epoch>(coordinator.bytes[0]) << 8U | std::to_integer<Epoch>(coordinator.bytes[1]);
}
[[nodiscard]] inline Epoch make_epoch(Epoch count, const NodeId& coordinator)
{
    return count << kEpochTagBits | epoch_tag(coordinator);
}
[[nodiscard]] inline bool is_epoch_of(Epoch epoch, const NodeId& coordinator)
{
    return (epoch & ((Epoch(1) << kEpochTagBits) - 1)) == epoch_tag(coordinator);
}

} // namespace constela::cluster
