// SPDX-License-Identifier: GPL-3.0-or-later
//
// How weights are asked for on the bulk plane. Each request is answered by one reply; the server keeps nothing between
// two requests. How much is under way is the asker's to limit, by how many requests it has open: its credit. A model is
// named by its content hash, a piece of it by a chunk's number and the place in the chunk; there are no paths.
//
// A request is one frame of 64 bytes, a reply one frame of 32 bytes and what follows them (little-endian):
//
//   request   0  4  "CLWQ"                              reply   0  4  "CLWR"
//             4  1  version, 1                                  4  1  version, 1
//             5  1  what: 1 manifest, 2 chunk, 3 held           5  1  what, as in the request
//             6  2  zero                                        6  1  1: the bytes follow; 0: not here
//             8  8  number, chosen by the asker                 7  1  zero
//            16  8  offset in the manifest or chunk             8  8  number of the request
//            24  4  chunk; else 0                              16  8  manifest: its bytes; held: chunks; chunk: 0
//            28  4  length, 1 to 262144                        24  8  zero
//            32 32  content hash of the model                  32     the bytes
//
// A piece of a chunk has the length that was asked for, one of a manifest may end with it. "Held" is a bit for each of
// the model's chunks, the first one lowest in the first byte, set for those that the peer has. Anything else is
// refused. The bulk plane's other messages (links/) begin with other letters.
//
// Threads: functions of their arguments.
#pragma once

#include "engine/cluster/weights/content_hash.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace constela::cluster {

inline constexpr std::size_t kWeightRequestBytes = 64;
inline constexpr std::size_t kWeightReplyHeader = 32;
/// Small enough that a slow peer holds little memory, large enough that a frame's cost does not count.
inline constexpr std::uint32_t kPieceBytes = std::uint32_t{256} << 10U;

enum class WeightKind : std::uint8_t { manifest = 1, chunk = 2, held = 3 };
static_assert(kMostChunks / 8 <= kPieceBytes, "what a peer holds goes into one piece");

struct WeightRequest {
    WeightKind kind = WeightKind::chunk;
    std::uint64_t number = 0;
    std::uint64_t offset = 0;
    std::uint32_t chunk = 0;
    std::uint32_t length = 0;
    ContentHash model;
    bool operator==(const WeightRequest&) const = default;
};

struct WeightReply {
    WeightKind kind = WeightKind::chunk;
    bool here = false;
    std::uint64_t number = 0;
    std::uint64_t total = 0;
    bool operator==(const WeightReply&) const = default;
};

/// Whether a frame is meant to be a request for weights, right or not.
[[nodiscard]] bool is_weight_request(std::span<const std::byte> frame);

/// `frame` has exactly kWeightRequestBytes.
void write_request(const WeightRequest& request, std::span<std::byte> frame);
/// `frame` has at least kWeightReplyHeader bytes.
void write_reply(const WeightReply& reply, std::span<std::byte> frame);

/// Nothing for a frame that is not right in every byte.
[[nodiscard]] std::optional<WeightRequest> parse_weight_request(std::span<const std::byte> frame);
/// What follows the header is the piece; its size is checked against the limit alone.
[[nodiscard]] std::optional<WeightReply> parse_weight_reply(std::span<const std::byte> frame);

} // namespace constela::cluster
