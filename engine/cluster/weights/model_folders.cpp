// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/weights/model_folders.h"

#include "engine/cluster/weights/content_hash.h"
#include "engine/gguf/printable.h"
#include "engine/gguf/split_name.h"

#include <algorithm>
#include <set>
#include <system_error>

namespace constela::cluster {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kExtension = ".gguf";
/// Folders in folders, and entries altogether: far beyond a person's models, in case "/" is given.
constexpr unsigned kDeepest = 16;
constexpr std::size_t kMostEntries = 200'000;

std::string display_base(const fs::path& path)
{
    std::string name = gguf::display_name(path);
    if (name.ends_with(kExtension)) {
        name.resize(name.size() - kExtension.size());
    }
    return name;
}

class Search {
public:
    void look_into(const fs::path& folder, unsigned depth)
    {
        std::error_code error;
        const fs::path real = fs::canonical(folder, error);
        if (error) {
            problem(folder, error);
            return;
        }
        if (!folders_.insert(real).second) { // been here, over a link or since one folder lies in another
            return;
        }
        fs::directory_iterator it(real, error);
        if (error) {
            problem(folder, error);
            return;
        }
        std::vector<fs::path> entries;
        for (const fs::directory_iterator end; it != end && entries_ < kMostEntries; it.increment(error), ++entries_) {
            if (error) {
                problem(folder, error);
                break;
            }
            entries.push_back(it->path());
        }
        if (std::ranges::any_of(entries, [](const fs::path& path) { return path.filename() == "verified"; }) &&
            content_hash_from_text(real.filename().string())) {
            return; // fetched from peers: the cache knows what of it is there
        }
        for (const fs::path& path : entries) {
            look_at(path, depth);
        }
    }
    FoundModels finish()
    {
        std::ranges::sort(found_.models, {},
                          [](const ModelFiles& model) { return std::pair(model.name, model.paths.front()); });
        return std::move(found_);
    }

private:
    void look_at(const fs::path& path, unsigned depth)
    {
        std::error_code error;
        const fs::file_status status = fs::status(path, error); // follows links
        if (fs::is_directory(status)) {
            if (depth < kDeepest) {
                look_into(path, depth + 1);
            }
            return;
        }
        if (!fs::is_regular_file(status) || path.extension() != kExtension) {
            return;
        }
        const auto split = gguf::parse_split_name(path);
        if (split && split->number != 1) {
            note_part(path, *split);
            return;
        }
        auto model = model_at(path);
        if (!model) {
            found_.problems.push_back(std::move(model).error());
            return;
        }
        const FileIdentity& first = model->identities.front();
        if (files_.insert({first.device, first.inode}).second) {
            found_.models.push_back(*std::move(model));
        }
    }
    /// A later part says something only when the first one is not there to speak for all.
    void note_part(const fs::path& path, const gguf::SplitName& split)
    {
        const fs::path first = gguf::split_path(path, split, 1);
        std::error_code ignored;
        if (!fs::exists(first, ignored) && incomplete_.insert(first).second) {
            found_.problems.push_back(failure("{}: the first part of this model, {}, is not in the same folder.",
                                              gguf::display_path(path), gguf::display_name(first))
                                          .value());
        }
    }
    void problem(const fs::path& folder, const std::error_code& error)
    {
        found_.problems.push_back(
            failure("{}: this folder cannot be looked into: {}.", gguf::display_path(folder), error.message()).value());
    }

    FoundModels found_;
    std::size_t entries_ = 0;
    std::set<fs::path> folders_;
    std::set<fs::path> incomplete_;
    std::set<std::pair<std::uint64_t, std::uint64_t>> files_;
};

} // namespace

FoundModels find_models(std::span<const fs::path> folders)
{
    Search search;
    for (const fs::path& folder : folders) {
        search.look_into(folder, 0);
    }
    return search.finish();
}

Result<ModelFiles> model_at(const fs::path& path)
{
    ModelFiles model;
    const auto split = gguf::parse_split_name(path);
    const bool several = split && split->count > 1;
    if (several && (split->number == 0 || split->number > split->count || split->count > kMostParts)) {
        return failure("{}: the name speaks of part {} of {}; a part from 1 to the count, of at most {}, was expected.",
                       gguf::display_name(path), split->number, split->count, kMostParts);
    }
    model.name = display_base(several ? fs::path(split->base) : path);
    for (std::uint32_t part = 1; part <= (several ? split->count : 1); ++part) {
        const fs::path file = several ? gguf::split_path(path, *split, part) : path;
        const auto identity = identify(file);
        if (!identity) {
            if (several && part != split->number) {
                return failure("{}: part {} of {} is missing; {} was expected in the same folder.",
                               gguf::display_path(path), part, split->count, gguf::display_name(file));
            }
            return tl::unexpected<Error>(identity.error());
        }
        model.bytes += identity->bytes;
        model.paths.push_back(file);
        model.identities.push_back(*identity);
    }
    return model;
}

} // namespace constela::cluster
