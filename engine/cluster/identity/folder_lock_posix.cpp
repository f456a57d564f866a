// SPDX-License-Identifier: GPL-3.0-or-later
//
// flock(2) rather than fcntl(2): it belongs to the opened file, so a second opening in the same process is refused too,
// and closing some other descriptor of the file does not lose it.
#include "engine/base/descriptor.h"
#include "engine/cluster/identity/folder_lock.h"
#include "engine/gguf/printable.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>

namespace constela::cluster {

struct FolderLock::Held {
    Descriptor file;
};

FolderLock::FolderLock(std::unique_ptr<Held> held) : held_(std::move(held)) {}
FolderLock::~FolderLock() = default;
FolderLock::FolderLock(FolderLock&& other) noexcept = default;
FolderLock& FolderLock::operator=(FolderLock&& other) noexcept = default;

Result<std::optional<FolderLock>> FolderLock::take(const std::filesystem::path& folder)
{
    // The file stays: were it removed, two processes could each lock a file of that name.
    const std::filesystem::path file = folder / "lock";
    Descriptor descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
    int error = descriptor.number() < 0 ? errno : 0;
    while (error == 0 && ::flock(descriptor.number(), LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) {
            return std::nullopt;
        }
        error = errno == EINTR ? 0 : errno;
    }
    if (error != 0) {
        return failure("The state folder cannot be locked: {} gives \"{}\". Choose a folder on a local disk in which "
                       "you may write.",
                       gguf::display_path(file), std::system_category().message(error));
    }
    return FolderLock(std::make_unique<Held>(Held{std::move(descriptor)}));
}

} // namespace constela::cluster
