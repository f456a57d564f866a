// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the key-value part of a GGUF file.
#pragma once

#include "engine/gguf/gguf.h"
#include "engine/gguf/reader.h"

#include <cstdint>
#include <map>
#include <string>

namespace constela::gguf {

/// Reads `count` keys with their values: each key once, at most limits that no real model comes near, so that a forged
/// count cannot make us allocate gigabytes.
[[nodiscard]] Result<std::map<std::string, Value, std::less<>>> read_values(Reader& reader, std::uint64_t count);

} // namespace constela::gguf
