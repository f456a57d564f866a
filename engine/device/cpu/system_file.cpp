// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/cpu/system_file.h"

#include "engine/base/descriptor.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace constela::device {

namespace {

bool is_denied(int error)
{
    return error == EACCES || error == EPERM;
}

} // namespace

SystemFile::SystemFile(const std::filesystem::path& path)
{
    const Descriptor file(
        ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)); // NOLINT(cppcoreguidelines-pro-type-vararg): POSIX
    struct stat status {};
    if (file.number() < 0) {
        denied = is_denied(errno);
        return;
    }
    if (::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) {
        return;
    }
    // The size of such a file is not known before it is read.
    std::string content;
    constexpr std::size_t kPiece = 4096;
    while (content.size() < kMost) {
        const std::size_t old = content.size();
        content.resize(old + kPiece);
        const ssize_t count = ::read(file.number(), content.data() + old, kPiece);
        if (count < 0 && errno == EINTR) {
            content.resize(old);
            continue;
        }
        if (count < 0) {
            denied = is_denied(errno);
            return;
        }
        content.resize(old + static_cast<std::size_t>(count));
        if (count == 0) {
            break;
        }
    }
    text = std::move(content);
}

std::vector<std::filesystem::path> children(const std::filesystem::path& folder)
{
    namespace fs = std::filesystem;
    std::vector<fs::path> paths;
    std::error_code problem;
    for (auto entry = fs::directory_iterator(folder, problem); !problem && entry != fs::directory_iterator();
         entry.increment(problem)) {
        paths.push_back(entry->path());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

std::optional<std::string_view> after_key(std::string_view text, std::string_view key)
{
    while (!text.empty()) {
        const std::string_view line = first_line(text);
        if (line.substr(0, key.size()) == key) {
            return line.substr(key.size());
        }
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return std::nullopt;
}

} // namespace constela::device
