// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/weights/model_index.h"

#include "engine/cluster/weights/file_reader.h"
#include "engine/gguf/printable.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace constela::cluster {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kExtension = ".gguf";
constexpr std::size_t kLeastHashDigits = 6;

LocalModel local(const ModelFiles& files, std::optional<ContentHash> hash)
{
    return {files.name, files.paths, files.bytes, hash, nullptr};
}

/// Whether the files are still those that were hashed.
bool unchanged(const ModelFiles& files)
{
    for (std::size_t part = 0; part < files.paths.size(); ++part) {
        const auto now = identify(files.paths[part]);
        if (!now || *now != files.identities[part]) {
            return false;
        }
    }
    return true;
}

std::string name_of(const FetchCache::Summary& summary)
{
    return summary.name.empty() ? to_text(summary.hash).substr(0, 12)
                                : summary.name.substr(0, summary.name.rfind(kExtension));
}

bool is_hash_prefix(std::string_view text)
{
    return text.size() >= kLeastHashDigits && text.size() <= 2 * sizeof(ContentHash) &&
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

} // namespace

ModelIndex::ModelIndex(Options options) : options_(std::move(options)), hashes_(options_.state_folder) {}

void ModelIndex::set_folders(std::vector<fs::path> folders)
{
    const std::lock_guard lock(mutex_);
    options_.folders = std::move(folders);
}

FoundModels ModelIndex::look()
{
    std::vector<fs::path> folders;
    {
        const std::lock_guard lock(mutex_);
        folders = options_.folders;
    }
    return find_models(folders);
}

LocalModels ModelIndex::list()
{
    FoundModels found = look();
    LocalModels all;
    all.problems = std::move(found.problems);
    for (const ModelFiles& files : found.models) {
        all.models.push_back(local(files, hashes_.find(files)));
    }
    if (options_.cache != nullptr) {
        for (const FetchCache::Summary& summary : options_.cache->list()) {
            const bool also_own =
                std::ranges::any_of(all.models, [&](const LocalModel& model) { return model.hash == summary.hash; });
            if (summary.held < summary.bytes || also_own) {
                continue;
            }
            all.models.push_back({name_of(summary), summary.paths, summary.bytes, summary.hash, nullptr});
        }
    }
    return all;
}

Result<ContentHash> ModelIndex::hash_of(const ModelFiles& files, const Hashing& hashing)
{
    if (const auto hash = hashes_.find(files); hash && hashes_.manifest(*hash) != nullptr) {
        return *hash;
    }
    Hashing with_threads = hashing;
    with_threads.threads = std::max(hashing.threads, options_.threads);
    CONSTELA_ASSIGN(const Manifest manifest, hash_files(files.paths, with_threads));
    if (!unchanged(files)) {
        return failure("{}: the file was written to while it was read; try again when it is complete.",
                       gguf::display_path(files.paths.front()));
    }
    return hashes_.remember(files, manifest);
}

std::optional<LocalModel> ModelIndex::known(const ContentHash& hash)
{
    for (const ModelFiles& files : hashes_.with(hash)) {
        if (unchanged(files)) {
            return local(files, hash);
        }
    }
    return std::nullopt;
}

std::optional<LocalModel> ModelIndex::in_cache(const ContentHash& hash)
{
    auto model = options_.cache != nullptr ? options_.cache->find(hash) : nullptr;
    if (model == nullptr || !model->whole()) {
        return std::nullopt;
    }
    return LocalModel{to_text(hash).substr(0, 12), model->paths(), model->manifest().total_bytes(), hash, model};
}

Result<std::optional<LocalModel>> ModelIndex::find(const ContentHash& hash, std::uint64_t bytes, const Hashing& hashing)
{
    if (auto model = known(hash)) {
        return model;
    }
    if (auto model = in_cache(hash)) {
        return model;
    }
    for (const ModelFiles& files : look().models) {
        if (hashes_.find(files) || (bytes != 0 && files.bytes != bytes)) {
            continue;
        }
        const auto found = hash_of(files, hashing);
        if (!found && hashing.cancelled && hashing.cancelled()) {
            return tl::unexpected<Error>(found.error());
        }
        if (found && *found == hash) { // a file that cannot be read is not the one that is sought
            return local(files, hash);
        }
    }
    return std::nullopt;
}

Result<LocalModel> ModelIndex::find_by_name(std::string_view text)
{
    const std::string_view name = text.ends_with(kExtension) ? text.substr(0, text.size() - kExtension.size()) : text;
    LocalModels all = list();
    std::vector<LocalModel> meant;
    for (const LocalModel& model : all.models) {
        const bool by_name = model.name == name || gguf::display_name(model.paths.front()) == text;
        const bool by_hash = model.hash && is_hash_prefix(text) && to_text(*model.hash).starts_with(text);
        if (!by_name && !by_hash) {
            continue;
        }
        // Two copies of one content are one model.
        if (std::ranges::none_of(meant,
                                 [&](const LocalModel& other) { return model.hash && other.hash == model.hash; })) {
            meant.push_back(model);
        }
    }
    if (meant.empty()) {
        return failure("No model of the name {} is in the model folders of this node.", gguf::printable(text));
    }
    if (meant.size() > 1) {
        std::vector<std::string> places;
        for (const LocalModel& model : meant) {
            places.push_back(gguf::display_path(model.paths.front()));
        }
        return failure("{} may mean several models: {}. Give the path of the one that is meant.", gguf::printable(text),
                       fmt::format("{}", fmt::join(places, ", ")));
    }
    LocalModel& found = meant.front();
    const bool own = found.hash && known(*found.hash);
    if (found.hash && !own && options_.cache != nullptr) {
        if (auto held = in_cache(*found.hash)) {
            held->name = found.name;
            return *std::move(held);
        }
    }
    return std::move(found);
}

Result<LocalModel> ModelIndex::describe(const fs::path& path, const Hashing& hashing)
{
    std::error_code ignored;
    const fs::path absolute = fs::absolute(path, ignored);
    CONSTELA_ASSIGN(const ModelFiles files, model_at(absolute.empty() ? path : absolute));
    CONSTELA_ASSIGN(const ContentHash hash, hash_of(files, hashing));
    return local(files, hash);
}

std::shared_ptr<const ModelReader> ModelIndex::open(const ContentHash& hash)
{
    for (const ModelFiles& files : hashes_.with(hash)) {
        if (!unchanged(files)) {
            continue;
        }
        if (const auto manifest = hashes_.manifest(hash)) {
            if (auto reader = FileReader::open(files.paths, files.identities, *manifest)) {
                return *std::move(reader);
            }
        }
    }
    return options_.cache != nullptr ? options_.cache->find(hash) : nullptr;
}

} // namespace constela::cluster
