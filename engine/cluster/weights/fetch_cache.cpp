// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/weights/fetch_cache.h"

#include "engine/cluster/identity/safe_file.h"
#include "engine/cluster/weights/manifest_file.h"
#include "engine/gguf/printable.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>

namespace constela::cluster {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kGone = ".gone"; ///< Ends the name of a folder that is being removed.
constexpr std::size_t kMostInfoBytes = 4096;

std::int64_t seconds_since_1970()
{
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

/// `a` - `b`, not below 0.
std::uint64_t beyond(std::uint64_t a, std::uint64_t b)
{
    return a > b ? a - b : 0;
}

/// Name and time of last use; what is damaged or missing is of no importance.
void read_info(const fs::path& folder, std::string& name, std::int64_t& last_used)
{
    const auto text = read_whole(folder / "info.json", kMostInfoBytes, Secrecy::any);
    if (!text || !*text) {
        return;
    }
    const auto info = nlohmann::json::parse(**text, nullptr, false);
    if (info.is_object() && info.contains("name") && info["name"].is_string()) {
        name = gguf::printable(info["name"].get<std::string>(), 256);
    }
    if (info.is_object() && info.contains("last_used") && info["last_used"].is_number_integer()) {
        last_used = info["last_used"].get<std::int64_t>();
    }
}

} // namespace

FetchCache::FetchCache(Options options, FolderLock lock) : options_(std::move(options)), lock_(std::move(lock))
{
    if (!options_.free_bytes) {
        options_.free_bytes = free_bytes;
    }
    if (!options_.now) {
        options_.now = seconds_since_1970;
    }
}

Result<std::shared_ptr<FetchCache>> FetchCache::open(Options options)
{
    std::error_code error;
    fs::create_directories(options.folder, error);
    if (!fs::is_directory(options.folder, error)) {
        return failure("{}: the folder for fetched models cannot be made: {}.", gguf::display_path(options.folder),
                       error ? error.message() : std::string("something else has this name"));
    }
    CONSTELA_ASSIGN(auto lock, FolderLock::take(options.folder));
    if (!lock) {
        return failure("{}: another copy of Constela keeps its fetched models in this folder; choose another one.",
                       gguf::display_path(options.folder));
    }
    auto cache = std::shared_ptr<FetchCache>(new FetchCache(std::move(options), *std::move(lock)));
    cache->look_around();
    return cache;
}

/// Before anybody else has the cache.
void FetchCache::look_around()
{
    std::error_code error;
    std::vector<fs::path> useless;
    for (fs::directory_iterator it(options_.folder, error), end; !error && it != end; it.increment(error)) {
        const std::string file_name = it->path().filename().string();
        if (file_name.ends_with(kGone)) {
            useless.push_back(it->path());
            continue;
        }
        const auto hash = content_hash_from_text(file_name);
        std::error_code ignored;
        if (!hash || it->is_symlink(ignored) || !it->is_directory(ignored)) {
            continue; // not ours
        }
        auto manifest = read_manifest(it->path() / "manifest", *hash);
        auto model = manifest ? CachedModel::open(it->path(), *std::move(manifest), nullptr)
                              : Result<std::shared_ptr<CachedModel>>(tl::unexpected<Error>(manifest.error()));
        if (!model) {
            useless.push_back(it->path());
            continue;
        }
        Entry entry;
        entry.paths = (*model)->paths();
        entry.total = (*model)->manifest().total_bytes();
        entry.held = (*model)->held_bytes();
        read_info(it->path(), entry.name, entry.last_used);
        entries_.emplace(*hash, std::move(entry));
    }
    for (const fs::path& folder : useless) {
        fs::remove_all(folder, error);
    }
    keep_to_limit();
}

fs::path FetchCache::folder_of(const ContentHash& hash) const
{
    return options_.folder / to_text(hash);
}

std::string FetchCache::name_of(const ContentHash& model) const
{
    const auto found = entries_.find(model);
    return found != entries_.end() && !found->second.name.empty() ? found->second.name : to_text(model).substr(0, 12);
}

Result<std::shared_ptr<CachedModel>> FetchCache::open_model(const ContentHash& hash, const Manifest& manifest,
                                                            std::string_view name)
{
    if (manifest.root() != hash) {
        return failure("The list of chunks of the model {} is not the one that belongs to its content.",
                       gguf::printable(name));
    }
    std::unique_lock lock(mutex_);
    const fs::path folder = folder_of(hash);
    if (!entries_.contains(hash)) {
        std::error_code error;
        fs::create_directories(folder, error);
        if (error) {
            return failure("{}: the folder for a fetched model cannot be made: {}.", gguf::display_path(folder),
                           error.message());
        }
        if (auto written = write_manifest(folder / "manifest", manifest); !written) {
            fs::remove_all(folder, error);
            return tl::unexpected<Error>(std::move(written).error());
        }
        Entry entry;
        entry.total = manifest.total_bytes();
        entries_.emplace(hash, std::move(entry));
    }
    if (!name.empty()) {
        entries_[hash].name = gguf::printable(name, 256);
    }
    return open_entry(lock, hash, manifest);
}

std::shared_ptr<CachedModel> FetchCache::find(const ContentHash& hash)
{
    std::unique_lock lock(mutex_);
    if (!entries_.contains(hash)) {
        return nullptr;
    }
    auto manifest = read_manifest(folder_of(hash) / "manifest", hash);
    if (!manifest) {
        return nullptr;
    }
    auto model = open_entry(lock, hash, *std::move(manifest));
    return model ? *std::move(model) : nullptr;
}

Result<std::shared_ptr<CachedModel>> FetchCache::open_entry(std::unique_lock<std::mutex>& lock, const ContentHash& hash,
                                                            Manifest manifest)
{
    while (entries_[hash].in_use) {
        if (auto model = entries_[hash].model.lock()) {
            return model;
        }
        closed_.wait(lock); // its last user has let go of it and is still writing it down
    }
    auto model = CachedModel::open(folder_of(hash), std::move(manifest), shared_from_this());
    if (!model) {
        return model;
    }
    Entry& entry = entries_[hash];
    entry.model = *model;
    entry.in_use = true;
    entry.paths = (*model)->paths();
    entry.total = (*model)->manifest().total_bytes();
    entry.held = (*model)->held_bytes();
    touch(hash, entry);
    return model;
}

void FetchCache::touch(const ContentHash& hash, Entry& entry) const
{
    entry.last_used = options_.now();
    const nlohmann::json info{{"name", entry.name}, {"last_used", entry.last_used}};
    // Without it only the order of eviction is worse.
    if (auto written = write_safely(folder_of(hash) / "info.json", info.dump()); !written) {
        return;
    }
}

std::vector<FetchCache::Summary> FetchCache::list() const
{
    const std::lock_guard lock(mutex_);
    std::vector<Summary> all;
    for (const auto& [hash, entry] : entries_) {
        all.push_back({hash, entry.name, entry.total, entry.held, entry.paths, entry.in_use});
    }
    return all;
}

Result<> FetchCache::evict(Entries::iterator entry)
{
    const fs::path folder = folder_of(entry->first);
    fs::path gone = folder;
    gone += kGone;
    std::error_code error;
    fs::remove_all(gone, error);
    // Renamed first, so that a removal that is cut short leaves nothing under the model's name.
    fs::rename(folder, gone, error);
    if (error && fs::exists(folder)) {
        return failure("{}: the fetched model cannot be removed: {}.", gguf::display_path(folder), error.message());
    }
    fs::remove_all(gone, error);
    entries_.erase(entry);
    return {};
}

Result<> FetchCache::remove(const ContentHash& hash)
{
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(hash);
    if (found == entries_.end()) {
        return {};
    }
    if (found->second.in_use) {
        return failure("The fetched model {} is in use; unload it first.", name_of(hash));
    }
    return evict(found);
}

void FetchCache::set_limits(CacheLimits limits)
{
    const std::lock_guard lock(mutex_);
    options_.limits = limits;
    keep_to_limit();
}

std::vector<FetchCache::Entries::iterator> FetchCache::unused()
{
    std::vector<Entries::iterator> unused;
    for (auto it = entries_.begin(); it != entries_.end(); ++it) {
        if (!it->second.in_use) {
            unused.push_back(it);
        }
    }
    std::ranges::sort(unused, {}, [](const Entries::iterator& entry) { return entry->second.last_used; });
    return unused;
}

void FetchCache::keep_to_limit()
{
    if (options_.limits.most_bytes == 0) {
        return;
    }
    std::uint64_t held = 0;
    for (const auto& [hash, entry] : entries_) {
        held += entry.held;
    }
    for (const Entries::iterator& entry : unused()) {
        if (held <= options_.limits.most_bytes) {
            break;
        }
        const std::uint64_t bytes = entry->second.held;
        if (evict(entry)) { // what cannot be removed now is tried again when room is needed
            held -= bytes;
        }
    }
}

tl::unexpected<Error> FetchCache::disk_too_full(const ContentHash& model, std::uint64_t needed,
                                                std::uint64_t free) const
{
    return failure("The model {} needs {} more on the disk of {}, where {} are free and {} are to stay free. Free some "
                   "space, or choose another folder for fetched models.",
                   name_of(model), size_text(needed), gguf::display_path(options_.folder), size_text(free),
                   size_text(options_.limits.free_floor));
}

Result<> FetchCache::make_room(const ContentHash& model, std::uint64_t bytes)
{
    std::vector<Entries::iterator> candidates = unused();
    std::erase_if(candidates, [&](const Entries::iterator& entry) { return entry->first == model; });
    std::uint64_t held = promised_;
    for (const auto& [hash, entry] : entries_) {
        held += entry.held;
    }
    std::uint64_t evictable = 0;
    for (const Entries::iterator& entry : candidates) {
        evictable += entry->second.held;
    }
    CONSTELA_ASSIGN(const std::uint64_t free, options_.free_bytes(options_.folder));
    const CacheLimits& limits = options_.limits;
    const std::uint64_t most = limits.most_bytes == 0 ? std::numeric_limits<std::uint64_t>::max() : limits.most_bytes;
    if (beyond(held + bytes, most) > evictable) {
        return failure("The model {} needs {} more in the folder for fetched models, whose limit is {}; models in use "
                       "take {} of it. Raise the limit in the settings.",
                       name_of(model), size_text(bytes), size_text(most), size_text(held - evictable));
    }
    if (beyond(promised_ + bytes + limits.free_floor, free) > evictable) {
        return disk_too_full(model, bytes, free);
    }
    std::uint64_t lacking = std::max(beyond(held + bytes, most), beyond(promised_ + bytes + limits.free_floor, free));
    for (const Entries::iterator& entry : candidates) {
        if (lacking == 0) {
            break;
        }
        lacking = beyond(lacking, entry->second.held);
        CONSTELA_TRY(evict(entry));
    }
    return {};
}

Result<> FetchCache::promise(const ContentHash& model, std::uint64_t promised, std::uint64_t bytes)
{
    const std::lock_guard lock(mutex_);
    promised_ -= std::min(promised_, promised);
    if (bytes > 0) {
        CONSTELA_TRY(make_room(model, bytes));
        promised_ += bytes;
    }
    return {};
}

Result<> FetchCache::check_disk(const ContentHash& model, std::uint64_t bytes, std::uint64_t needed) const
{
    CONSTELA_ASSIGN(const std::uint64_t free, options_.free_bytes(options_.folder));
    const std::lock_guard lock(mutex_);
    if (free < bytes + options_.limits.free_floor) {
        return disk_too_full(model, needed, free);
    }
    return {};
}

void FetchCache::on_stored(const ContentHash& model, std::uint64_t bytes, std::uint64_t of_promise)
{
    const std::lock_guard lock(mutex_);
    promised_ -= std::min(promised_, of_promise);
    entries_[model].held += bytes;
}

void FetchCache::on_closed(const ContentHash& model, std::uint64_t promised, std::uint64_t held)
{
    const std::lock_guard lock(mutex_);
    promised_ -= std::min(promised_, promised);
    Entry& entry = entries_[model];
    entry.in_use = false;
    entry.held = held;
    touch(model, entry);
    closed_.notify_all();
}

} // namespace constela::cluster
