// SPDX-License-Identifier: GPL-3.0-or-later
//
// Large files as the bulk plane needs them: read and written at any place, made durable, recognised again, with
// failures in words (small ones: identity/safe_file.h). disk_posix.cpp implements it.
//
// Threads: an open file may be read and written by any thread at once; the rest by any.
#pragma once

#include "engine/base/descriptor.h"
#include "engine/base/result.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace constela::cluster {

/// "5.1 GB": decimal units, as on disks' labels.
[[nodiscard]] std::string size_text(std::uint64_t bytes);

/// What a file is recognised by: if all of it is the same, so is (as far as anybody may expect) the content.
struct FileIdentity {
    std::uint64_t bytes = 0;
    std::int64_t modified = 0; ///< Nanoseconds since 1970.
    std::uint64_t inode = 0;
    std::uint64_t device = 0;
    auto operator<=>(const FileIdentity&) const = default;
};

/// Follows symbolic links. Fails for what is not there, is no regular file or may not be looked at.
[[nodiscard]] Result<FileIdentity> identify(const std::filesystem::path& path);

class DiskFile {
public:
    [[nodiscard]] static Result<DiskFile> open(const std::filesystem::path& path);
    /// For reading and writing; makes it when it is not there, readable by its owner only.
    [[nodiscard]] static Result<DiskFile> open_for_writing(const std::filesystem::path& path);

    [[nodiscard]] Result<FileIdentity> identity() const;
    /// Fails when the file ends before.
    [[nodiscard]] Result<> read_at(std::uint64_t offset, std::span<std::byte> bytes) const;
    [[nodiscard]] Result<> write_at(std::uint64_t offset, std::span<const std::byte> bytes);
    /// Makes it exactly so long; what is new reads as zeros and takes no room on the disk.
    [[nodiscard]] Result<> resize(std::uint64_t bytes);
    /// Tells the system that these bytes are about to be waited for, where it can be told so. Waits for nothing.
    void begin_sync(std::uint64_t offset, std::uint64_t bytes);
    /// Returns once what was written is on the disk.
    [[nodiscard]] Result<> sync();
    /// Sets the time of the last change, in nanoseconds since 1970.
    [[nodiscard]] Result<> set_modified(std::int64_t time);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    DiskFile(std::filesystem::path path, Descriptor descriptor)
        : path_(std::move(path)), descriptor_(std::move(descriptor))
    {
    }

    std::filesystem::path path_;
    Descriptor descriptor_;
};

/// Bytes that a program of this user may still write to the disk on which `path` (or its nearest folder that is
/// there) lies.
[[nodiscard]] Result<std::uint64_t> free_bytes(const std::filesystem::path& path);

} // namespace constela::cluster
