// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a link is measured with: requests on the bulk plane, each answered by one reply. The server keeps nothing
// between two requests. How much is under way is the asker's to limit, by how many requests it has open: its credit.
//
// A request or reply is one frame: a header of 32 bytes (little-endian), then a payload whose size the header fixes.
//
//   0  4  "CLNP"
//   4  1  version, 1
//   5  1  kind: 1 echo, 2 pull, 3 push
//   6  2  zero
//   8  4  block: bytes of payload that go one way; 16384 or 262144 (echo: 2016)
//  12  4  zero
//  16  8  run: chosen by the asker, so that replies of an earlier run are known as such
//  24  8  number of the request in its run
//
//   kind   request          reply
//   echo   header + block   the same bytes
//   pull   header           header + block
//   push   header + block   header
//
// Anything else is no probe and gets no answer. Threads: functions of their arguments; a ProbeResponder has one user.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace constela::cluster {

inline constexpr std::size_t kProbeHeader = 32;
/// With its header an echo has 2 KiB, about what a token's activations take.
inline constexpr std::uint32_t kEchoBlock = 2048 - kProbeHeader;
inline constexpr std::uint32_t kSmallBlock = std::uint32_t{16} << 10U; ///< For links that are slow.
inline constexpr std::uint32_t kLargeBlock = std::uint32_t{256} << 10U;

enum class ProbeKind : std::uint8_t { echo = 1, pull = 2, push = 3 };

struct ProbeHeader {
    ProbeKind kind = ProbeKind::echo;
    std::uint32_t block = kEchoBlock;
    std::uint64_t run = 0;
    std::uint64_t number = 0;
    bool operator==(const ProbeHeader&) const = default;
};

/// Bytes of a whole request or reply with this header.
[[nodiscard]] std::size_t request_bytes(const ProbeHeader& header);
[[nodiscard]] std::size_t reply_bytes(const ProbeHeader& header);

/// Writes the header to the front of `frame`, which has at least 32 bytes.
void write_header(const ProbeHeader& header, std::span<std::byte> frame);

/// The header of a frame that is a right request (or reply) in every byte of its header and in its size.
[[nodiscard]] std::optional<ProbeHeader> parse_request(std::span<const std::byte> frame);
[[nodiscard]] std::optional<ProbeHeader> parse_reply(std::span<const std::byte> frame);

/// Answers requests.
class ProbeResponder {
public:
    ProbeResponder();
    /// The reply, valid until the next call; empty for what is no request. The bulk plane's other messages never begin
    /// like a probe, so that one socket may serve both.
    [[nodiscard]] std::span<const std::byte> answer(std::span<const std::byte> request);

private:
    std::vector<std::byte> reply_; ///< Its payload is always the same.
};

/// Bytes that no layer below makes shorter.
void fill_block(std::span<std::byte> bytes);

} // namespace constela::cluster
