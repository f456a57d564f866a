// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who may read a file is in its access list, made with it: the owner and the system, nothing inherited (SDDL,
// "D:P(A;;FA;;;OW)(A;;FA;;;SY)"). What others did to the list later is not looked at when reading.
#include "engine/cluster/identity/safe_file.h"
#include "engine/gguf/printable.h"

#include <memory>
#include <system_error>

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
// Needs windows.h before it.
#include <sddl.h>

namespace constela::cluster {
namespace {

namespace fs = std::filesystem;

struct HandleCloser {
    using pointer = HANDLE;
    void operator()(HANDLE handle) const { ::CloseHandle(handle); }
};
using Handle = std::unique_ptr<void, HandleCloser>;

Handle valid(HANDLE handle)
{
    return Handle(handle != INVALID_HANDLE_VALUE ? handle : nullptr);
}

std::string reason(DWORD error)
{
    return std::system_category().message(static_cast<int>(error));
}

struct LocalFreer {
    void operator()(void* memory) const { ::LocalFree(memory); }
};

/// For the owner and the system alone.
class OwnerOnly {
public:
    OwnerOnly()
    {
        PSECURITY_DESCRIPTOR made = nullptr;
        if (::ConvertStringSecurityDescriptorToSecurityDescriptorW(L"D:P(A;OICI;FA;;;OW)(A;OICI;FA;;;SY)",
                                                                   SDDL_REVISION_1, &made, nullptr) != 0) {
            descriptor_.reset(made);
        }
        attributes_.nLength = sizeof attributes_;
        attributes_.lpSecurityDescriptor = descriptor_.get();
    }
    /// Null when it could not be made: then nothing is to be written.
    [[nodiscard]] SECURITY_ATTRIBUTES* get() { return descriptor_ ? &attributes_ : nullptr; }

private:
    std::unique_ptr<void, LocalFreer> descriptor_;
    SECURITY_ATTRIBUTES attributes_ = {};
};

tl::unexpected<Error> write_failure(const fs::path& file, DWORD error)
{
    if (error == ERROR_DISK_FULL || error == ERROR_HANDLE_DISK_FULL) {
        return failure("The disk is full: {} could not be written. What it held before is unchanged. Make room, then "
                       "try again.",
                       gguf::display_path(file));
    }
    return failure("Writing {} failed: {}. What it held before is unchanged.", gguf::display_path(file), reason(error));
}

/// ERROR_SUCCESS, or what went wrong.
DWORD write_new_file(const fs::path& file, std::string_view content)
{
    ::DeleteFileW(file.c_str()); // left over from a program that was killed while writing
    OwnerOnly owner_only;
    if (owner_only.get() == nullptr) {
        return ERROR_INVALID_SECURITY_DESCR;
    }
    const Handle handle = valid(
        ::CreateFileW(file.c_str(), GENERIC_WRITE, 0, owner_only.get(), CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr));
    if (!handle) {
        return ::GetLastError();
    }
    DWORD written = 0;
    if (::WriteFile(handle.get(), content.data(), static_cast<DWORD>(content.size()), &written, nullptr) == 0) {
        return ::GetLastError();
    }
    if (written != content.size()) {
        return ERROR_DISK_FULL;
    }
    return ::FlushFileBuffers(handle.get()) != 0 ? DWORD{ERROR_SUCCESS} : ::GetLastError();
}

} // namespace

Result<> write_safely(const fs::path& file, std::string_view content)
{
    fs::path aside = file;
    aside += L".new";
    DWORD error = write_new_file(aside, content);
    if (error == ERROR_SUCCESS &&
        ::MoveFileExW(aside.c_str(), file.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) == 0) {
        error = ::GetLastError();
    }
    if (error != ERROR_SUCCESS) {
        ::DeleteFileW(aside.c_str());
        return write_failure(file, error);
    }
    return {};
}

Result<std::optional<std::string>> read_whole(const fs::path& file, std::size_t max_bytes, Secrecy /*secrecy*/)
{
    const Handle handle = valid(::CreateFileW(file.c_str(), GENERIC_READ, FILE_SHARE_READ, nullptr, OPEN_EXISTING,
                                              FILE_ATTRIBUTE_NORMAL, nullptr));
    if (!handle) {
        const DWORD error = ::GetLastError();
        if (error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND) {
            return std::nullopt;
        }
        return failure("Reading {} failed: {}.", gguf::display_path(file), reason(error));
    }
    if (::GetFileType(handle.get()) != FILE_TYPE_DISK) {
        return failure("{} is not a file. Move it away, then try again.", gguf::display_path(file));
    }
    std::string content;
    content.resize(max_bytes + 1);
    std::size_t size = 0;
    while (size < content.size()) {
        DWORD got = 0;
        if (::ReadFile(handle.get(), content.data() + size, static_cast<DWORD>(content.size() - size), &got, nullptr) ==
            0) {
            return failure("Reading {} failed: {}.", gguf::display_path(file), reason(::GetLastError()));
        }
        if (got == 0) {
            content.resize(size);
            return content;
        }
        size += got;
    }
    return failure("{} is larger than the {} bytes that it may have. It is damaged or not one of Constela's files; "
                   "move it away, then try again.",
                   gguf::display_path(file), max_bytes);
}

Result<> make_private_folder(const fs::path& folder)
{
    std::error_code error;
    if (folder.has_parent_path()) {
        fs::create_directories(folder.parent_path(), error); // a failure shows in the next line
    }
    OwnerOnly owner_only;
    if (::CreateDirectoryW(folder.c_str(), owner_only.get()) == 0) {
        const DWORD code = ::GetLastError();
        if (code != ERROR_ALREADY_EXISTS) {
            return failure("The state folder {} could not be made: {}.", gguf::display_path(folder), reason(code));
        }
    }
    if (!fs::is_directory(folder, error)) {
        return failure("The state folder {} is not a folder. Choose another one.", gguf::display_path(folder));
    }
    return {};
}

} // namespace constela::cluster
