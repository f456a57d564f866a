// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list of paired nodes as a file: JSON, so that a person can read it.
//     {"version": 1,
//      "peers": [{"key": "<64 hexadecimal digits>", "name": "studio",
//                 "addresses": [{"host": "192.168.1.7", "port": 7210}],
//                 "vouched_by": "<32 digits>", "pinned": {"host": ..., "port": ...}}],
//      "removed": ["<32 digits>"]}
// vouched_by and pinned may be missing. Every bound of trust_store.h is held when reading.
//
// Threads: one at a time. Errors: sentences that name the file; a damaged file is never replaced.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/identity/trust_store.h"

namespace constela::cluster {

/// Empty when there is no such file.
[[nodiscard]] Result<TrustList> read_trust_file(const std::filesystem::path& file);
[[nodiscard]] Result<> write_trust_file(const std::filesystem::path& file, const TrustList& list);

} // namespace constela::cluster
