// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/descriptor.h"
#include "engine/cluster/identity/safe_file.h"
#include "engine/gguf/printable.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>

namespace constela::cluster {
namespace {

namespace fs = std::filesystem;

std::string reason(int error)
{
    return std::system_category().message(error);
}

tl::unexpected<Error> write_failure(const fs::path& file, int error)
{
    if (error == ENOSPC || error == EDQUOT || error == EFBIG) {
        return failure("The disk is full: {} could not be written. What it held before is unchanged. Make room, then "
                       "try again.",
                       gguf::display_path(file));
    }
    return failure("Writing {} failed: {}. What it held before is unchanged.", gguf::display_path(file), reason(error));
}

/// 0, or what went wrong.
int write_all(int descriptor, std::string_view content)
{
    while (!content.empty()) {
        const ssize_t written = ::write(descriptor, content.data(), content.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return errno;
        }
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return ::fsync(descriptor) == 0 ? 0 : errno;
}

int write_new_file(const fs::path& file, std::string_view content)
{
    ::unlink(file.c_str()); // left over from a program that was killed while writing
    const Descriptor descriptor(
        ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
    return descriptor.number() < 0 ? errno : write_all(descriptor.number(), content);
}

/// A name is on the disk once its folder is. Some file systems cannot do that for folders; nothing is lost by asking.
void sync_folder(const fs::path& folder)
{
    const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.number() >= 0) {
        ::fsync(descriptor.number());
    }
}

} // namespace

Result<> write_safely(const fs::path& file, std::string_view content)
{
    fs::path aside = file;
    aside += ".new";
    if (const int error = write_new_file(aside, content); error != 0) {
        ::unlink(aside.c_str());
        return write_failure(file, error);
    }
    if (::rename(aside.c_str(), file.c_str()) != 0) {
        const int error = errno;
        ::unlink(aside.c_str());
        return write_failure(file, error);
    }
    sync_folder(file.parent_path());
    return {};
}

Result<std::optional<std::string>> read_whole(const fs::path& file, std::size_t max_bytes, Secrecy secrecy)
{
    // Without waiting, should it be a pipe.
    const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (descriptor.number() < 0) {
        const int error = errno;
        if (error == ENOENT) {
            return std::nullopt;
        }
        return failure("Reading {} failed: {}.", gguf::display_path(file), reason(error));
    }
    struct stat found = {};
    if (::fstat(descriptor.number(), &found) != 0 || !S_ISREG(found.st_mode)) {
        return failure("{} is not a file. Move it away, then try again.", gguf::display_path(file));
    }
    if (secrecy == Secrecy::owner_only && (found.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
        return failure("Other users of this machine may read the secret key in {}. If nobody did, close it with "
                       "chmod 600; else delete the file, which makes a new identity, and pair again.",
                       gguf::display_path(file));
    }
    std::string content;
    content.resize(max_bytes + 1);
    std::size_t size = 0;
    while (size < content.size()) {
        const ssize_t got = ::read(descriptor.number(), content.data() + size, content.size() - size);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return failure("Reading {} failed: {}.", gguf::display_path(file), reason(errno));
        }
        if (got == 0) {
            content.resize(size);
            return content;
        }
        size += static_cast<std::size_t>(got);
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
    if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
        return failure("The state folder {} could not be made: {}.", gguf::display_path(folder), reason(errno));
    }
    struct stat found = {};
    if (::stat(folder.c_str(), &found) != 0) {
        return failure("The state folder {} cannot be looked at: {}.", gguf::display_path(folder), reason(errno));
    }
    if (!S_ISDIR(found.st_mode)) {
        return failure("The state folder {} is not a folder. Choose another one.", gguf::display_path(folder));
    }
    if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        return failure("Other users of this machine may write in the state folder {}. Close it with chmod 700, or "
                       "choose another one.",
                       gguf::display_path(folder));
    }
    return {};
}

} // namespace constela::cluster
