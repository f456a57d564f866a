// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/identity/folder_lock.h"
#include "engine/gguf/printable.h"

#include <system_error>

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

namespace constela::cluster {

struct FolderLock::Held {
    explicit Held(HANDLE handle) : file(handle) {}
    ~Held() { ::CloseHandle(file); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    HANDLE file;
};

FolderLock::FolderLock(std::unique_ptr<Held> held) : held_(std::move(held)) {}
FolderLock::~FolderLock() = default;
FolderLock::FolderLock(FolderLock&& other) noexcept = default;
FolderLock& FolderLock::operator=(FolderLock&& other) noexcept = default;

Result<std::optional<FolderLock>> FolderLock::take(const std::filesystem::path& folder)
{
    const std::filesystem::path file = folder / "lock";
    HANDLE handle = ::CreateFileW(file.c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                  nullptr, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
    DWORD error = handle == INVALID_HANDLE_VALUE ? ::GetLastError() : ERROR_SUCCESS;
    if (error == ERROR_SUCCESS) {
        auto held = std::make_unique<Held>(handle);
        OVERLAPPED from_start = {};
        if (::LockFileEx(handle, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &from_start) != 0) {
            return FolderLock(std::move(held));
        }
        error = ::GetLastError();
        if (error == ERROR_LOCK_VIOLATION || error == ERROR_IO_PENDING) {
            return std::nullopt;
        }
    }
    return failure("The state folder cannot be locked: {} gives \"{}\". Choose a folder on a local disk in which you "
                   "may write.",
                   gguf::display_path(file), std::system_category().message(static_cast<int>(error)));
}

} // namespace constela::cluster
