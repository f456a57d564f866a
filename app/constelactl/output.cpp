// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/constelactl/output.h"
#include "app/constelactl/platform.h"
#include "engine/gguf/printable.h"

#include <cerrno>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <system_error>

namespace constela::ctl {

namespace fs = std::filesystem;

namespace {

std::string reason(int error)
{
    return std::generic_category().message(error);
}

tl::unexpected<Error> cannot_write(const fs::path& path, int error)
{
    return failure("Cannot write {}: {}. Nothing was kept.", gguf::display_path(path), reason(error));
}

/// The file that a link leads to, so that renaming replaces that and not the link.
fs::path behind_links(fs::path path)
{
    constexpr int most_links = 40; // as the Linux kernel follows
    std::error_code error;
    for (int i = 0; i < most_links && fs::is_symlink(path, error); ++i) {
        path = path.parent_path() / fs::read_symlink(path, error);
    }
    return path;
}

} // namespace

Result<> write_stdout(std::string_view bytes)
{
    if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() || std::fflush(stdout) != 0) {
        return failure("Cannot write to standard output: {}.", reason(errno));
    }
    return {};
}

Result<> print_json(const nlohmann::ordered_json& json)
{
    return write_stdout(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void OutputFile::Close::operator()(std::FILE* file) const
{
    static_cast<void>(std::fclose(file)); // NOLINT(cppcoreguidelines-owning-memory): the owner is the unique_ptr
}

OutputFile::OutputFile(fs::path path, fs::path aside, std::FILE* file)
    : path_(std::move(path)), aside_(std::move(aside)), file_(file)
{
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)), aside_(std::move(other.aside_)), file_(std::move(other.file_))
{
    other.aside_.clear();
}

OutputFile::~OutputFile()
{
    file_.reset();
    if (!aside_.empty()) {
        std::error_code ignored;
        fs::remove(aside_, ignored);
    }
}

Result<OutputFile> OutputFile::create(const fs::path& path)
{
    std::error_code ignored;
    const fs::path target = behind_links(path);
    const fs::file_status status = fs::status(target, ignored);
    if (fs::is_directory(status)) {
        return failure("Cannot write {}: it is a folder. Give the name of a file.", gguf::display_path(path));
    }
    fs::path aside;
    if (!fs::exists(status) || fs::is_regular_file(status)) {
        aside = target;
        aside += fmt::format(".{}.part", process_id());
    }
    std::FILE* file = std::fopen((aside.empty() ? target : aside).string().c_str(), "wb");
    if (file == nullptr) {
        return cannot_write(path, errno);
    }
    return OutputFile(target, aside, file);
}

Result<> OutputFile::write(std::string_view bytes)
{
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
        return cannot_write(path_, errno);
    }
    return {};
}

Result<> OutputFile::finish()
{
    if (std::fflush(file_.get()) != 0) {
        return cannot_write(path_, errno);
    }
    if (std::fclose(file_.release()) != 0) { // NOLINT(cppcoreguidelines-owning-memory): its result is looked at
        return cannot_write(path_, errno);
    }
    if (!aside_.empty()) {
        std::error_code error;
        fs::rename(aside_, path_, error);
        if (error) {
            return cannot_write(path_, error.value());
        }
        aside_.clear();
    }
    return {};
}

Result<std::string> read_input(const std::string& path)
{
    const bool standard = path == "-";
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(standard ? nullptr : std::fopen(path.c_str(), "rb"),
                                                           &std::fclose);
    const std::string name = standard ? "standard input" : gguf::display_path(path);
    std::FILE* file = standard ? stdin : opened.get();
    if (file == nullptr) {
        return failure("Cannot read {}: {}.", name, reason(errno));
    }
    std::string text;
    std::string buffer(std::size_t{1} << 16U, '\0');
    while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file)) {
        text.append(buffer, 0, got);
    }
    if (std::ferror(file) != 0) {
        return failure("Cannot read {}: {}.", name, reason(errno));
    }
    return text;
}

} // namespace constela::ctl
