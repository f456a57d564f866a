// SPDX-License-Identifier: GPL-3.0-or-later
//
// Opens a model: maps its file or all its parts, parses each, and checks that the parts belong together.
#include "engine/gguf/gguf.h"
#include "engine/gguf/mapped_file.h"
#include "engine/gguf/printable.h"
#include "engine/gguf/split_name.h"

#include <unordered_map>

namespace constela::gguf {

namespace fs = std::filesystem;

namespace {

/// Parts of a set; the largest published models have about 100.
constexpr std::uint32_t kMostParts = 1024;

struct Part {
    fs::path path;
    std::unique_ptr<MappedFile> file;
    ParsedPart parsed;
};

Result<Part> open_part(const fs::path& path)
{
    Part part;
    part.path = path;
    CONSTELA_ASSIGN(part.file, MappedFile::open(path));
    auto parsed = parse(part.file->bytes(), display_name(path));
    // A file that is being written while we read it is better named as that than by what was half read.
    if (auto changed = part.file->changed()) {
        return tl::unexpected<Error>(*std::move(changed));
    }
    CONSTELA_ASSIGN(part.parsed, std::move(parsed));
    return part;
}

/// Checks what a part says about itself: split.no (from 0), split.count, and the architecture where it names one.
Result<void> check_part(const Part& part, std::uint32_t number, std::uint32_t count, const Metadata& first)
{
    const Metadata& metadata = part.parsed.metadata;
    CONSTELA_ASSIGN(const auto found_count, metadata.get<std::uint32_t>("split.count"));
    if (found_count != count) {
        return failure("{}: split.count is {}; {}, as in the file's name, was expected.", metadata.file_name(),
                       found_count, count);
    }
    CONSTELA_ASSIGN(const auto found_number, metadata.get<std::uint32_t>("split.no"));
    if (found_number != number - 1) {
        return failure("{}: split.no is {}; {} was expected in part {} of {}.", metadata.file_name(), found_number,
                       number - 1, number, count);
    }
    constexpr std::string_view architecture = "general.architecture";
    if (metadata.has(architecture) && first.has(architecture)) {
        CONSTELA_ASSIGN(const auto found, metadata.get<std::string>(architecture));
        CONSTELA_ASSIGN(const auto expected, first.get<std::string>(architecture));
        if (found != expected) {
            return failure(R"({}: general.architecture is "{}"; "{}", as in {}, was expected.)", metadata.file_name(),
                           printable(found), printable(expected), first.file_name());
        }
    }
    return {};
}

/// Every part names the number of tensors of all parts together.
Result<void> check_tensor_total(const std::vector<Part>& parts)
{
    std::uint64_t total = 0;
    for (const Part& part : parts) {
        total += part.parsed.tensors.size();
    }
    for (const Part& part : parts) {
        const Metadata& metadata = part.parsed.metadata;
        CONSTELA_ASSIGN(const auto expected, metadata.get<std::uint64_t>("split.tensors.count"));
        if (expected != total) {
            return failure("{}: split.tensors.count is {}, but the {} parts hold {} tensors.", metadata.file_name(),
                           expected, parts.size(), total);
        }
    }
    return {};
}

Result<std::vector<Part>> open_split(const fs::path& path, const SplitName& name)
{
    if (name.number == 0 || name.count == 0 || name.number > name.count || name.count > kMostParts) {
        return failure("{}: the name speaks of part {} of {}; a part from 1 to the count, of at most {}, was expected.",
                       display_name(path), name.number, name.count, kMostParts);
    }
    std::vector<Part> parts;
    for (std::uint32_t number = 1; number <= name.count; ++number) {
        const fs::path part_path = split_path(path, name, number);
        std::error_code ignored;
        if (fs::symlink_status(part_path, ignored).type() == fs::file_type::not_found) {
            return failure("{}: part {} of {} is missing; {} was expected in the same folder.", display_name(path),
                           number, name.count, display_name(part_path));
        }
        CONSTELA_ASSIGN(Part part, open_part(part_path));
        parts.push_back(std::move(part));
        CONSTELA_TRY(check_part(parts.back(), number, name.count, parts.front().parsed.metadata));
    }
    CONSTELA_TRY(check_tensor_total(parts));
    return parts;
}

/// A file whose name is not that of a part must not say that it is one.
Result<std::vector<Part>> open_single(const fs::path& path)
{
    CONSTELA_ASSIGN(Part part, open_part(path));
    CONSTELA_ASSIGN(const auto count, part.parsed.metadata.get_or<std::uint32_t>("split.count", 1));
    if (count > 1) {
        return failure("{}: split.count is {}, so this is one of several parts; a name that ends like {} was expected.",
                       display_name(path), count, split_suffix(1, count));
    }
    std::vector<Part> parts;
    parts.push_back(std::move(part));
    return parts;
}

class OpenedFile final : public File {
public:
    explicit OpenedFile(std::vector<Part> parts) : parts_(std::move(parts))
    {
        for (const Part& part : parts_) {
            paths_.push_back(part.path);
            bytes_ += part.file->bytes().size();
        }
    }

    /// Gathers the tensors of all parts.
    Result<void> index_tensors()
    {
        std::size_t total = 0;
        for (const Part& part : parts_) {
            total += part.parsed.tensors.size();
        }
        tensors_.reserve(total); // The keys of by_name_ look into it.
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            for (TensorInfo& tensor : parts_[p].parsed.tensors) {
                tensor.part = p;
                if (const TensorInfo* other = find(tensor.name)) {
                    return failure("{}: tensor {} stands in {} too; each tensor was expected once.",
                                   parts_[p].parsed.metadata.file_name(), tensor.name,
                                   parts_[other->part].parsed.metadata.file_name());
                }
                tensors_.push_back(std::move(tensor));
                by_name_.emplace(tensors_.back().name, tensors_.size() - 1);
            }
            parts_[p].parsed.tensors.clear();
        }
        return {};
    }

    const Metadata& metadata() const override { return parts_.front().parsed.metadata; }
    std::uint32_t version() const override { return parts_.front().parsed.version; }
    const std::vector<TensorInfo>& tensors() const override { return tensors_; }
    const TensorInfo* find(std::string_view name) const override
    {
        const auto found = by_name_.find(name);
        return found != by_name_.end() ? &tensors_[found->second] : nullptr;
    }
    std::span<const std::byte> data(const TensorInfo& tensor) const override
    {
        return parts_[tensor.part].file->bytes().subspan(static_cast<std::size_t>(tensor.offset),
                                                         static_cast<std::size_t>(tensor.bytes));
    }
    void release(std::span<const std::byte> data) const override { MappedFile::release(data); }
    const std::vector<fs::path>& paths() const override { return paths_; }
    std::uint64_t bytes() const override { return bytes_; }
    std::optional<Error> changed() const override
    {
        for (const Part& part : parts_) {
            if (auto error = part.file->changed()) {
                return error;
            }
        }
        return std::nullopt;
    }

private:
    std::vector<Part> parts_;
    std::vector<fs::path> paths_;
    std::vector<TensorInfo> tensors_;
    std::unordered_map<std::string_view, std::size_t> by_name_;
    std::uint64_t bytes_ = 0;
};

} // namespace

Result<std::shared_ptr<const File>> File::open(const fs::path& path)
{
    const auto split = parse_split_name(path);
    // gguf-split may leave a set of one part without the keys of a set.
    const bool several = split && !(split->number == 1 && split->count == 1);
    CONSTELA_ASSIGN(std::vector<Part> parts, several ? open_split(path, *split) : open_single(path));
    auto file = std::make_shared<OpenedFile>(std::move(parts));
    CONSTELA_TRY(file->index_tensors());
    return std::shared_ptr<const File>(std::move(file));
}

} // namespace constela::gguf
