// SPDX-License-Identifier: GPL-3.0-or-later
//
// Messages of the control plane to bytes and back. The format: messages.fbs. What comes out of decode() is well-formed:
// sizes within limits.h, texts in UTF-8, enums in range, readings finite, hosts numeric; patterns of errors can be
// filled. Whether a message makes sense at this moment is its receiver's business.
//
// Threads: any; plain functions.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/messages.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace constela::cluster {

/// Always gives bytes that decode() takes, with these exceptions: the caller sees to numeric hosts, to the size of a
/// Command's arguments, and to a StageOrder's stages. Texts for people that are too long are cut, bytes in them that
/// are not UTF-8 are replaced, and lists of addresses and devices end at their limit. A CommandReply whose body is too
/// long becomes one that says so.
[[nodiscard]] std::vector<std::byte> encode(const Message& message);

/// Bytes of anybody. No allocation is larger than a small multiple of `bytes`. Aligned bytes (8) are read in place.
[[nodiscard]] Result<Message> decode(std::span<const std::byte> bytes);

/// "Hello", "StageOrder" ...: for logs and counters.
[[nodiscard]] std::string_view name_of(const Message& message);

} // namespace constela::cluster
