// SPDX-License-Identifier: GPL-3.0-or-later
//
// While a file is mapped, Windows lets nobody cut it short, and the way it is opened here lets nobody write to it or
// take its name by overwriting it; it may be renamed or deleted. A read error of the disk or a lost network drive still
// raises an in-page error, which is not caught: no zero pages can be put under a live view.
#include "engine/gguf/mapped_file.h"
#include "engine/gguf/printable.h"

#include <cstdint>
#include <system_error>
#include <utility>

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

namespace constela::gguf {

namespace {

/// A handle that closes itself.
class Handle {
public:
    explicit Handle(HANDLE handle) : handle_(handle != INVALID_HANDLE_VALUE ? handle : nullptr) {}
    ~Handle()
    {
        if (handle_ != nullptr) {
            ::CloseHandle(handle_);
        }
    }
    Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Handle& operator=(Handle&&) = delete;
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    [[nodiscard]] bool valid() const { return handle_ != nullptr; }
    [[nodiscard]] HANDLE get() const { return handle_; }

private:
    HANDLE handle_;
};

/// A view that unmaps itself.
class View {
public:
    View(const void* begin, std::size_t bytes) : begin_(begin), bytes_(bytes) {}
    ~View()
    {
        if (begin_ != nullptr) {
            ::UnmapViewOfFile(begin_);
        }
    }
    View(View&& other) noexcept : begin_(std::exchange(other.begin_, nullptr)), bytes_(other.bytes_) {}
    View& operator=(View&&) = delete;
    View(const View&) = delete;
    View& operator=(const View&) = delete;
    [[nodiscard]] std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(begin_), bytes_}; }

private:
    const void* begin_;
    std::size_t bytes_;
};

std::string message_of(DWORD error)
{
    return std::system_category().message(static_cast<int>(error));
}

std::uint64_t joined(DWORD high, DWORD low)
{
    return (std::uint64_t{high} << 32U) | low;
}

/// What tells one state of a file from another.
struct Identity {
    std::uint64_t bytes = 0;
    std::uint64_t written = 0;
    std::uint64_t index = 0;
    DWORD volume = 0;
    DWORD attributes = 0;
};

std::optional<Identity> identity_of(HANDLE handle)
{
    BY_HANDLE_FILE_INFORMATION found = {};
    if (::GetFileInformationByHandle(handle, &found) == 0) {
        return std::nullopt;
    }
    return Identity{joined(found.nFileSizeHigh, found.nFileSizeLow),
                    joined(found.ftLastWriteTime.dwHighDateTime, found.ftLastWriteTime.dwLowDateTime),
                    joined(found.nFileIndexHigh, found.nFileIndexLow), found.dwVolumeSerialNumber,
                    found.dwFileAttributes};
}

/// `access` 0 asks for the file's identity alone, which needs no permission to read it.
Handle open_handle(const std::filesystem::path& path, DWORD access)
{
    // Backup semantics, or a folder could not be opened to say that it is one.
    const DWORD share = FILE_SHARE_READ | FILE_SHARE_DELETE | (access == 0 ? FILE_SHARE_WRITE : 0);
    return Handle(
        ::CreateFileW(path.c_str(), access, share, nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr));
}

class WindowsMappedFile final : public MappedFile {
public:
    WindowsMappedFile(std::filesystem::path path, Handle file, const Identity& opened, View view)
        : path_(std::move(path)), file_(std::move(file)), opened_(opened), view_(std::move(view))
    {
    }

    [[nodiscard]] std::span<const std::byte> bytes() const override { return view_.bytes(); }

    [[nodiscard]] std::optional<Error> changed() const override
    {
        if (const auto now = identity_of(file_.get())) {
            if (now->bytes != opened_.bytes) {
                return failure("{}: the file had {} bytes when it was opened and has {} now; load the model again.",
                               display_path(path_), opened_.bytes, now->bytes)
                    .value();
            }
            if (now->written != opened_.written) {
                return failure("{}: the file was written to after it was opened; load the model again.",
                               display_path(path_))
                    .value();
            }
        }
        const Handle named = open_handle(path_, 0);
        const auto now = named.valid() ? identity_of(named.get()) : std::nullopt;
        if (now && (now->index != opened_.index || now->volume != opened_.volume)) {
            return failure("{}: another file took this name after it was opened; load the model again.",
                           display_path(path_))
                .value();
        }
        return std::nullopt;
    }

private:
    std::filesystem::path path_;
    Handle file_;
    Identity opened_;
    View view_;
};

tl::unexpected<Error> cannot_open(const std::filesystem::path& path, DWORD error)
{
    switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME: return failure("{}: there is no such file.", display_path(path));
    case ERROR_ACCESS_DENIED: return failure("{}: there is no permission to read this file.", display_path(path));
    case ERROR_SHARING_VIOLATION:
        return failure("{}: another program is writing to this file; wait until it is done.", display_path(path));
    default: return failure("{}: the file cannot be opened: {}.", display_path(path), message_of(error));
    }
}

} // namespace

// Windows takes pages of a mapped file from a process when others need them; there is no call that says it earlier.
void MappedFile::release(std::span<const std::byte> /*bytes*/) {}

Result<std::unique_ptr<MappedFile>> MappedFile::open(const std::filesystem::path& path)
{
    Handle file = open_handle(path, GENERIC_READ);
    if (!file.valid()) {
        return cannot_open(path, ::GetLastError());
    }
    if (::GetFileType(file.get()) != FILE_TYPE_DISK) {
        return failure("{}: this is a device or pipe; a GGUF file was expected.", display_path(path));
    }
    const auto opened = identity_of(file.get());
    if (!opened) {
        return cannot_open(path, ::GetLastError());
    }
    if ((opened->attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
        return failure("{}: this is a folder; a GGUF file was expected.", display_path(path));
    }
    if (opened->bytes == 0) {
        return failure("{}: the file is empty; a GGUF file was expected.", display_path(path));
    }
    if (opened->bytes > SIZE_MAX / 2) {
        return failure("{}: the file has {} bytes, more than this system can map.", display_path(path), opened->bytes);
    }
    const Handle section(::CreateFileMappingW(file.get(), nullptr, PAGE_READONLY, 0, 0, nullptr));
    const void* begin = section.valid() ? ::MapViewOfFile(section.get(), FILE_MAP_READ, 0, 0, 0) : nullptr;
    if (begin == nullptr) {
        return failure("{}: the file cannot be mapped into memory: {}.", display_path(path),
                       message_of(::GetLastError()));
    }
    View view(begin, static_cast<std::size_t>(opened->bytes));
    return std::make_unique<WindowsMappedFile>(path, std::move(file), *opened, std::move(view));
}

} // namespace constela::gguf
