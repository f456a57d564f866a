// SPDX-License-Identifier: GPL-3.0-or-later
//
// Manifests kept on the disk. Threads: any.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/weights/content_hash.h"

#include <filesystem>

namespace constela::cluster {

/// Fails for what is missing, damaged, or the manifest of another model.
[[nodiscard]] Result<Manifest> read_manifest(const std::filesystem::path& path, const ContentHash& hash);

/// Never half written.
[[nodiscard]] Result<> write_manifest(const std::filesystem::path& path, const Manifest& manifest);

} // namespace constela::cluster
