// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/weights/disk.h"

#include "engine/gguf/printable.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <system_error>
#include <unistd.h>

namespace constela::cluster {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kNanoseconds = 1'000'000'000;

std::string message_of(int error)
{
    return std::system_category().message(error);
}

tl::unexpected<Error> cannot_open(const fs::path& path, int error)
{
    switch (error) {
    case ENOENT:
    case ENOTDIR: return failure("{}: there is no such file.", gguf::display_path(path));
    case EACCES:
    case EPERM: return failure("{}: there is no permission to use this file.", gguf::display_path(path));
    case ENOSPC:
    case EDQUOT: return failure("{}: the disk is full; free some space on it.", gguf::display_path(path));
    default: return failure("{}: the file cannot be opened: {}.", gguf::display_path(path), message_of(error));
    }
}

tl::unexpected<Error> cannot_write(const fs::path& path, int error)
{
    switch (error) {
    case ENOSPC:
    case EDQUOT: return failure("{}: the disk is full; free some space on it.", gguf::display_path(path));
    case EFBIG:
        return failure("{}: the file would be larger than this disk or this account allows.", gguf::display_path(path));
    default: return failure("{}: the file cannot be written: {}.", gguf::display_path(path), message_of(error));
    }
}

Result<FileIdentity> identity_of(const struct stat& status, const fs::path& path)
{
    if (!S_ISREG(status.st_mode)) {
        return failure("{}: this is no regular file.", gguf::display_path(path));
    }
    return FileIdentity{static_cast<std::uint64_t>(status.st_size),
                        status.st_mtim.tv_sec * kNanoseconds + status.st_mtim.tv_nsec, status.st_ino, status.st_dev};
}

} // namespace

std::string size_text(std::uint64_t bytes)
{
    constexpr std::array<const char*, 5> kUnits{"KB", "MB", "GB", "TB", "PB"};
    if (bytes < 1000) {
        return fmt::format("{} B", bytes);
    }
    auto value = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    while (value >= 999.95 && unit + 1 < kUnits.size()) {
        value /= 1000;
        ++unit;
    }
    return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

Result<FileIdentity> identify(const fs::path& path)
{
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0) {
        return cannot_open(path, errno);
    }
    return identity_of(status, path);
}

Result<DiskFile> DiskFile::open(const fs::path& path)
{
    // Without O_NONBLOCK, opening a named pipe would wait for its writer.
    Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (descriptor.number() < 0) {
        return cannot_open(path, errno);
    }
    return DiskFile(path, std::move(descriptor));
}

Result<DiskFile> DiskFile::open_for_writing(const fs::path& path)
{
    Descriptor descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
    if (descriptor.number() < 0) {
        return cannot_open(path, errno);
    }
    return DiskFile(path, std::move(descriptor));
}

Result<FileIdentity> DiskFile::identity() const
{
    struct stat status = {};
    if (::fstat(descriptor_.number(), &status) != 0) {
        return cannot_open(path_, errno);
    }
    return identity_of(status, path_);
}

Result<> DiskFile::read_at(std::uint64_t offset, std::span<std::byte> bytes) const
{
    while (!bytes.empty()) {
        const ssize_t got = ::pread(descriptor_.number(), bytes.data(), bytes.size(), static_cast<::off_t>(offset));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return failure("{}: the file cannot be read: {}.", gguf::display_path(path_), message_of(errno));
        }
        if (got == 0) {
            return failure("{}: the file ends at byte {}, earlier than it did before.", gguf::display_path(path_),
                           offset);
        }
        offset += static_cast<std::uint64_t>(got);
        bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
    return {};
}

Result<> DiskFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t put = ::pwrite(descriptor_.number(), bytes.data(), bytes.size(), static_cast<::off_t>(offset));
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            return cannot_write(path_, put == 0 ? ENOSPC : errno);
        }
        offset += static_cast<std::uint64_t>(put);
        bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
    return {};
}

Result<> DiskFile::resize(std::uint64_t bytes)
{
    if (::ftruncate(descriptor_.number(), static_cast<::off_t>(bytes)) != 0) {
        return cannot_write(path_, errno);
    }
    return {};
}

void DiskFile::begin_sync(std::uint64_t offset, std::uint64_t bytes)
{
#ifdef __linux__
    ::sync_file_range(descriptor_.number(), static_cast<::off64_t>(offset), static_cast<::off64_t>(bytes),
                      SYNC_FILE_RANGE_WRITE);
#else
    (void)offset;
    (void)bytes;
#endif
}

Result<> DiskFile::sync()
{
    if (::fdatasync(descriptor_.number()) != 0) {
        return cannot_write(path_, errno);
    }
    return {};
}

Result<> DiskFile::set_modified(std::int64_t time)
{
    const std::array<timespec, 2> times{timespec{0, UTIME_OMIT}, timespec{time / kNanoseconds, time % kNanoseconds}};
    if (::futimens(descriptor_.number(), times.data()) != 0) {
        return cannot_write(path_, errno);
    }
    return {};
}

Result<std::uint64_t> free_bytes(const fs::path& path)
{
    struct statvfs status = {};
    fs::path folder = path;
    while (::statvfs(folder.c_str(), &status) != 0) {
        const int error = errno;
        if (error != ENOENT || !folder.has_parent_path() || folder == folder.parent_path()) {
            return failure("{}: the free space of this disk cannot be found out: {}.", gguf::display_path(path),
                           message_of(error));
        }
        folder = folder.parent_path();
    }
    return static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize;
}

} // namespace constela::cluster
