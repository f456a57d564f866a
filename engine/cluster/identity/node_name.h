// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a node may be called. A name comes from a person, from a machine's own name, or from an unpaired machine; it is
// shown beside others and is half of a device's id ("studio/cpu0").
// Threads: any. Errors: none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace constela::cluster {

/// In bytes of UTF-8, so that a name has room in a message of fixed size.
inline constexpr std::size_t kMaxNameBytes = 64;

/// Well-formed UTF-8 of 1 to 64 bytes; no control characters, nothing invisible or that turns the direction of text, no
/// "/", no space at either end.
[[nodiscard]] bool is_node_name(std::string_view name);

/// `text` without what a name may not have; "node" when nothing is left.
[[nodiscard]] std::string node_name_from(std::string_view text);

} // namespace constela::cluster
