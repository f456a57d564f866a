// SPDX-License-Identifier: GPL-3.0-or-later
//
// One folder, one user. The system takes the lock back when the process ends, however it ends.
// Threads: any.
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace constela::cluster {

/// Held for as long as it lives; children that are started do not inherit it.
class FolderLock {
public:
    /// Nothing when somebody else, also in this process, has it.
    [[nodiscard]] static Result<std::optional<FolderLock>> take(const std::filesystem::path& folder);

    ~FolderLock();
    FolderLock(FolderLock&& other) noexcept;
    FolderLock& operator=(FolderLock&& other) noexcept;
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    struct Held;
    explicit FolderLock(std::unique_ptr<Held> held);
    std::unique_ptr<Held> held_;
};

} // namespace constela::cluster
