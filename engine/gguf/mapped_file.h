// SPDX-License-Identifier: GPL-3.0-or-later
//
// One file, mapped into memory for reading. mapped_file_posix.cpp and mapped_file_windows.cpp implement it.
//
// Threads: any thread may read the bytes and ask changed().
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

namespace constela::gguf {

class MappedFile {
public:
    /// Fails with a sentence for what is not there, is no regular file, is empty or may not be read.
    [[nodiscard]] static Result<std::unique_ptr<MappedFile>> open(const std::filesystem::path& path);

    virtual ~MappedFile() = default;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    /// The whole file. Bytes that the system can no longer supply read as zeros.
    [[nodiscard]] virtual std::span<const std::byte> bytes() const = 0;
    /// Gives the memory of whole pages in `bytes`, a part of a mapping, back to the system, where it can be told so.
    static void release(std::span<const std::byte> bytes);
    /// What happened to the file since open(), if anything that makes its content doubtful.
    [[nodiscard]] virtual std::optional<Error> changed() const = 0;

protected:
    MappedFile() = default;
};

} // namespace constela::gguf
