// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small files that must never be half written and that nobody but their owner reads.
//
// Threads: any; two writers of one file must agree by other means (folder_lock.h).
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace constela::cluster {

/// Writes beside the file, makes sure that it is on the disk, and only then gives it its name: at every moment, also
/// after a power cut, there is the old file or the new one. Owner-only (0600; on Windows: the owner and the system).
/// A failure, such as a full disk, leaves the old file as it was.
[[nodiscard]] Result<> write_safely(const std::filesystem::path& file, std::string_view content);

enum class Secrecy {
    any,
    owner_only, ///< A file that others may read is refused, whoever asks.
};

/// The whole file; nothing when there is none. More than `max_bytes`, or something that is no file, is refused.
[[nodiscard]] Result<std::optional<std::string>> read_whole(const std::filesystem::path& file, std::size_t max_bytes,
                                                            Secrecy secrecy);

/// Makes the folder and those above it; the folder itself for its owner alone (0700). One that is there already must be
/// a folder in which others cannot write.
[[nodiscard]] Result<> make_private_folder(const std::filesystem::path& folder);

} // namespace constela::cluster
