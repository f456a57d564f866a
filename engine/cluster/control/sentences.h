// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sentences of the control plane, and what is done about those of others.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/messages.h"

#include <cstdint>
#include <span>
#include <string>

namespace constela::cluster {

/// Why a peer is no longer there.
enum class Departure : std::uint8_t { silent, broken, restarted, closed, revoked, incompatible };

/// "studio was lost: ..." (not for incompatible, which has a reason of its own)
[[nodiscard]] Error departure_sentence(Departure why, const std::string& node);

/// "studio has left the cluster while it held blocks 14 to 29 and the head of llama. ..." The stages are those of
/// `node`; `shards` is how many there are in all.
[[nodiscard]] Error loss_sentence(const std::string& node, const std::string& model,
                                  std::span<const StagePlacement> stages, std::uint32_t shards);

/// Two versions that do not talk to each other: who is to be updated.
[[nodiscard]] Error version_sentence(const std::string& own_name, const std::string& own_version,
                                     const std::string& peer_name, const std::string& peer_version,
                                     std::uint32_t peer_protocol);

/// The first 8 digits of a node's id, for one without a name.
[[nodiscard]] std::string short_text(const NodeId& id);

/// An error that another machine wrote, made safe to show: its places fit its arguments, and it is not endless.
[[nodiscard]] Error checked(Error error);

/// A name or the like that another machine wrote: without control characters, at most `length` bytes.
[[nodiscard]] std::string checked_text(std::string text, std::size_t length);

} // namespace constela::cluster
