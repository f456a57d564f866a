// SPDX-License-Identifier: GPL-3.0-or-later
//
// The file in which a node's key pair is kept. Text, so that a person sees what it is:
//     constela identity 1
//     public <64 hexadecimal digits>
//     secret <64 hexadecimal digits>
// each line ended by \n. The public key must be that of the secret one, so a damaged file does not pass (but for
// the five bits of a secret key that X25519 does not look at).
//
// Threads: one at a time. Errors: sentences that name the file; a damaged file is never replaced.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/identity/keys.h"

#include <filesystem>
#include <optional>

namespace constela::cluster {

/// Nothing when there is no such file.
[[nodiscard]] Result<std::optional<Identity>> read_identity(const std::filesystem::path& file);
[[nodiscard]] Result<> write_identity(const std::filesystem::path& file, const Identity& identity);

} // namespace constela::cluster
