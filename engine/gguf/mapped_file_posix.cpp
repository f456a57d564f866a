// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/descriptor.h"
#include "engine/gguf/lost_page_guard.h"
#include "engine/gguf/mapped_file.h"
#include "engine/gguf/printable.h"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <limits>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace constela::gguf {

namespace {

/// A mapping that unmaps itself.
class Mapping {
public:
    Mapping(void* begin, std::size_t bytes) : begin_(begin), bytes_(bytes) {}
    ~Mapping()
    {
        if (begin_ != nullptr) {
            ::munmap(begin_, bytes_);
        }
    }
    Mapping(Mapping&& other) noexcept : begin_(std::exchange(other.begin_, nullptr)), bytes_(other.bytes_) {}
    Mapping& operator=(Mapping&&) = delete;
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    [[nodiscard]] std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(begin_), bytes_}; }

private:
    void* begin_;
    std::size_t bytes_;
};

std::string message_of(int error)
{
    return std::system_category().message(error);
}

bool same_time(const timespec& a, const timespec& b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

class PosixMappedFile final : public MappedFile {
public:
    PosixMappedFile(std::filesystem::path path, Descriptor descriptor, const struct stat& opened, Mapping mapping,
                    std::unique_ptr<LostPageGuard> guard)
        : path_(std::move(path)), descriptor_(std::move(descriptor)), opened_(opened), mapping_(std::move(mapping)),
          guard_(std::move(guard))
    {
    }

    [[nodiscard]] std::span<const std::byte> bytes() const override { return mapping_.bytes(); }

    [[nodiscard]] std::optional<Error> changed() const override
    {
        // The file behind the mapping, wherever its name is now.
        struct stat now = {};
        if (::fstat(descriptor_.number(), &now) == 0) {
            if (now.st_size != opened_.st_size) {
                return failure("{}: the file had {} bytes when it was opened and has {} now; load the model again.",
                               display_path(path_), opened_.st_size, now.st_size)
                    .value();
            }
            if (!same_time(now.st_mtim, opened_.st_mtim)) {
                return failure("{}: the file was written to after it was opened; load the model again.",
                               display_path(path_))
                    .value();
            }
        }
        if (guard_->lost()) {
            return failure("{}: a part of the file can no longer be read from its disk; zeros were read in its place. "
                           "Load the model again.",
                           display_path(path_))
                .value();
        }
        // A name that is gone does no harm; one that means another file now would mislead whoever opens it next.
        if (::stat(path_.c_str(), &now) == 0 && (now.st_ino != opened_.st_ino || now.st_dev != opened_.st_dev)) {
            return failure("{}: another file took this name after it was opened; load the model again.",
                           display_path(path_))
                .value();
        }
        return std::nullopt;
    }

private:
    std::filesystem::path path_;
    Descriptor descriptor_;
    struct stat opened_;
    Mapping mapping_;
    std::unique_ptr<LostPageGuard> guard_; ///< Last, so that it goes before the mapping.
};

} // namespace

void MappedFile::release(std::span<const std::byte> bytes)
{
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = (reinterpret_cast<std::uintptr_t>(bytes.data()) + page - 1) / page * page;
    const auto end = (reinterpret_cast<std::uintptr_t>(bytes.data()) + bytes.size()) / page * page;
    if (begin < end) {
        ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED); // NOLINT(performance-no-int-to-ptr)
    }
}

Result<std::unique_ptr<MappedFile>> MappedFile::open(const std::filesystem::path& path)
{
    // Without O_NONBLOCK, opening a named pipe would wait for its writer.
    Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (descriptor.number() < 0) {
        switch (const int error = errno; error) {
        case ENOENT:
        case ENOTDIR: return failure("{}: there is no such file.", display_path(path));
        case EACCES:
        case EPERM: return failure("{}: there is no permission to read this file.", display_path(path));
        default: return failure("{}: the file cannot be opened: {}.", display_path(path), message_of(error));
        }
    }
    struct stat status = {};
    if (::fstat(descriptor.number(), &status) != 0) {
        return failure("{}: the file cannot be opened: {}.", display_path(path), message_of(errno));
    }
    if (S_ISDIR(status.st_mode)) {
        return failure("{}: this is a folder; a GGUF file was expected.", display_path(path));
    }
    if (!S_ISREG(status.st_mode)) {
        return failure("{}: this is a device or pipe; a GGUF file was expected.", display_path(path));
    }
    if (status.st_size == 0) {
        return failure("{}: the file is empty; a GGUF file was expected.", display_path(path));
    }
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size > std::numeric_limits<std::size_t>::max() / 2) {
        return failure("{}: the file has {} bytes, more than this system can map.", display_path(path), size);
    }
    const auto bytes = static_cast<std::size_t>(size);
    void* begin = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor.number(), 0);
    if (begin == MAP_FAILED) {
        return failure("{}: the file cannot be mapped into memory: {}.", display_path(path), message_of(errno));
    }
    Mapping mapping(begin, bytes);
    auto guard = LostPageGuard::guard(begin, bytes);
    if (!guard) {
        return failure("{}: too many model files are open at once; close some of them.", display_path(path));
    }
    return std::make_unique<PosixMappedFile>(path, std::move(descriptor), status, std::move(mapping), std::move(guard));
}

} // namespace constela::gguf
