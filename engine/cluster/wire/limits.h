// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long the parts of a message may be. Texts are counted in bytes of UTF-8, lists in elements.
#pragma once

#include <cstddef>

namespace constela::cluster::limits {

inline constexpr std::size_t kMessageBytes = std::size_t{1} << 20U;

/// Command::arguments and CommandReply::body; the rest of a message is for everything around it.
inline constexpr std::size_t kBody = kMessageBytes - (std::size_t{64} << 10U);

inline constexpr std::size_t kName = 256;     ///< Of a node, a device, a model; ids of devices.
inline constexpr std::size_t kWord = 64;      ///< Versions, kinds, states, kernel sets, names of commands.
inline constexpr std::size_t kHost = 64;      ///< A numeric address with its zone.
inline constexpr std::size_t kPattern = 1024; ///< Error::pattern.
inline constexpr std::size_t kArgument = 2048;
inline constexpr std::size_t kArguments = 16;
inline constexpr std::size_t kDetails = 8192;
inline constexpr std::size_t kReason = 1024; ///< telemetry::Reading::reason

inline constexpr std::size_t kAddresses = 64;
inline constexpr std::size_t kDevices = 64;
inline constexpr std::size_t kStages = 1024;
/// No shard's number reaches this, so that a first one and a count can be added.
inline constexpr std::size_t kShards = std::size_t{1} << 20U;

} // namespace constela::cluster::limits
